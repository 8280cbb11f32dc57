import { isRecord, type JsonRecord, recordsIn } from '../json-value.ts';
import type { RequestProblem } from '../wire-format.ts';

const roles = ['user', 'assistant', 'system'];
const toolNamePattern = /^[a-zA-Z0-9_-]{1,128}$/;

/** The rules for which api.anthropic.com answers 400 and which an agent can break. */
export function findProblem(body: JsonRecord): RequestProblem | undefined {
  if (typeof body.model !== 'string' || body.model === '') return problem('model: Field required');
  if (typeof body.max_tokens !== 'number') return problem('max_tokens: Field required');
  if (!Array.isArray(body.messages)) return problem('messages: Field required');
  if (body.messages.length === 0) return problem('messages: at least one message is required');
  return findMessageProblem(body.messages) ?? findPairingProblem(body.messages) ?? findToolProblem(body.tools);
}

function findMessageProblem(messages: readonly unknown[]): RequestProblem | undefined {
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) return problem(`messages.${index}: Input should be an object`);
    if (!roles.includes(String(message.role))) {
      return problem(`messages.${index}.role: Input should be 'user' or 'assistant'`);
    }
    const content = message.content;
    if (typeof content !== 'string' && !Array.isArray(content)) {
      return problem(`messages.${index}.content: Input should be a valid list or string`);
    }
    if (content.length === 0 && !(message.role === 'assistant' && index === messages.length - 1)) {
      return problem(
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    if (recordsIn(content).some((block) => block.type === 'text' && block.text === '')) {
      return problem('messages: text content blocks must be non-empty');
    }
  }
  return undefined;
}

interface Turn {
  readonly role: unknown;
  readonly index: number;
  readonly blocks: JsonRecord[];
}

/** The provider joins messages of one role in a row before it looks for pairs. */
function joinTurns(messages: readonly unknown[]): Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of recordsIn(messages).entries()) {
    const last = turns.at(-1);
    const blocks = recordsIn(message.content);
    if (last?.role === message.role) last?.blocks.push(...blocks);
    else turns.push({ role: message.role, index, blocks: [...blocks] });
  }
  return turns;
}

function findPairingProblem(messages: readonly unknown[]): RequestProblem | undefined {
  const seen = new Set<unknown>();
  let open = new Set<unknown>();
  for (const { role, index, blocks } of joinTurns(messages)) {
    const results = blocks.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id);
    const strange = results.find((id) => !open.has(id));
    if (strange !== undefined) {
      return problem(
        `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${strange}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      );
    }
    for (const id of results) open.delete(id);
    if (open.size > 0 && role !== 'system') return unanswered(open, index - 1);
    if (role !== 'assistant') continue;
    const calls = blocks.filter((block) => block.type === 'tool_use').map((block) => block.id);
    open = new Set(calls);
    if (open.size < calls.length || calls.some((id) => seen.has(id))) {
      return problem(`messages.${index}: \`tool_use\` ids must be unique`);
    }
    for (const id of calls) seen.add(id);
  }
  return open.size > 0 ? unanswered(open, messages.length - 1) : undefined;
}

function unanswered(open: ReadonlySet<unknown>, index: number): RequestProblem {
  return problem(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
      `${[...open].join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function findToolProblem(tools: unknown): RequestProblem | undefined {
  const names = new Set<unknown>();
  for (const [index, tool] of recordsIn(tools).entries()) {
    const { name } = tool;
    // Tools the provider defines itself have a type, no schema, and some of them no name.
    const isCustom = tool.type === undefined || tool.type === 'custom';
    if (isCustom && (typeof name !== 'string' || !toolNamePattern.test(name))) {
      return problem(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    }
    const schema = tool.input_schema;
    if (isCustom && !isRecord(schema)) return problem(`tools.${index}.custom.input_schema: Field required`);
    if (isCustom && isRecord(schema) && schema.type !== 'object') {
      return problem(`tools.${index}.custom.input_schema.type: Input should be 'object'`);
    }
    if (name !== undefined && names.has(name)) return problem('tools: Tool names must be unique.');
    names.add(name);
  }
  return undefined;
}

function problem(message: string): RequestProblem {
  return { status: 400, message };
}
