import type { When } from './answer.ts';
import type { Conversation } from './received-request.ts';

/** Why a request is not one the answer is for, in words for the error text; undefined when it is. */
export function whyUnfit(when: When, request: Conversation): string | undefined {
  const spoken = request.messages.filter((message) => message.role !== 'system');
  if (when.lastRole !== undefined && spoken.at(-1)?.role !== when.lastRole) {
    return `the last message is of role ${spoken.at(-1)?.role ?? 'none'}, not ${when.lastRole}`;
  }
  const lastUser = spoken.findLast((message) => message.role === 'user')?.text;
  if (when.lastUser !== undefined && !contains(lastUser, when.lastUser)) {
    return `the last user message is ${quote(lastUser)}, without ${describe(when.lastUser)}`;
  }
  if (when.system !== undefined && !contains(request.system, when.system)) {
    return `the system text is ${quote(request.system)}, without ${describe(when.system)}`;
  }
  const { toolResultContains } = when;
  if (toolResultContains !== undefined) {
    const lastAssistant = spoken.findLastIndex((message) => message.role === 'assistant');
    const results = spoken.slice(lastAssistant + 1).flatMap((message) => message.results);
    if (!results.some((result) => contains(result.text, toolResultContains))) {
      return `none of the ${results.length} newest tool results has ${describe(toolResultContains)}`;
    }
  }
  if (when.tool !== undefined && !request.toolNames.includes(when.tool)) {
    return `the tool ${when.tool} is not among the ${request.toolNames.length} offered`;
  }
  return undefined;
}

function contains(text: string | undefined, wanted: string | RegExp): boolean {
  if (text === undefined) return false;
  // `search` ignores the place where a global pattern stopped last time.
  return typeof wanted === 'string' ? text.includes(wanted) : text.search(wanted) >= 0;
}

function describe(wanted: string | RegExp): string {
  return typeof wanted === 'string' ? quote(wanted) : String(wanted);
}

function quote(text: string | undefined): string {
  if (text === undefined) return 'absent';
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
