import { isRecord, type JsonRecord, recordsIn } from '../json-value.ts';
import type { RequestProblem } from '../wire-format.ts';

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** The rules for which api.openai.com answers 400 and which an agent can break; in the order it checks them. */
export function findProblem(body: JsonRecord): RequestProblem | undefined {
  if (typeof body.model !== 'string' || body.model === '') {
    return problem('you must provide a model parameter', 'model');
  }
  if (!Array.isArray(body.messages)) return problem("Missing required parameter: 'messages'.", 'messages');
  if (body.messages.length === 0) {
    return problem("Invalid 'messages': empty array. Expected an array with minimum length 1.", 'messages');
  }
  return findMessageProblem(body.messages) ?? findPairingProblem(body.messages) ?? findToolProblem(body.tools);
}

function findMessageProblem(messages: readonly unknown[]): RequestProblem | undefined {
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (!isRecord(message)) return problem(`Invalid type for '${path}': expected an object.`, path);
    if (!roles.includes(String(message.role))) {
      const supported = roles.map((role) => `'${role}'`).join(', ');
      return problem(`Invalid value: '${message.role}'. Supported values are: ${supported}.`, `${path}.role`);
    }
    const content = message.content;
    const mayBeEmpty = message.role === 'assistant' && Array.isArray(message.tool_calls);
    if (typeof content !== 'string' && !Array.isArray(content) && !mayBeEmpty) {
      return problem(
        `Invalid value for 'content': expected a string, got ${content === undefined ? 'nothing' : JSON.stringify(content)}.`,
        `${path}.content`,
      );
    }
  }
  return undefined;
}

function findPairingProblem(messages: readonly unknown[]): RequestProblem | undefined {
  const open = new Set<unknown>();
  for (const [index, message] of recordsIn(messages).entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) {
        return problem(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages[${index}].role`,
        );
      }
      continue;
    }
    if (open.size > 0) return unanswered(open, index);
    if (message.role !== 'assistant') continue;
    for (const call of recordsIn(message.tool_calls)) open.add(call.id);
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function unanswered(open: ReadonlySet<unknown>, index: number): RequestProblem {
  return problem(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    `messages[${index}].role`,
  );
}

function findToolProblem(tools: unknown): RequestProblem | undefined {
  for (const [index, tool] of recordsIn(tools).entries()) {
    const definition = tool.function;
    if (tool.type !== 'function' || !isRecord(definition)) continue;
    const path = `tools[${index}].function`;
    const { name, parameters } = definition;
    if (typeof name !== 'string' || !toolNamePattern.test(name)) {
      return problem(
        `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$' of at most 64 characters, got ${JSON.stringify(name)}.`,
        `${path}.name`,
      );
    }
    if (parameters !== undefined && (!isRecord(parameters) || parameters.type !== 'object')) {
      return problem(
        `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'.`,
        `${path}.parameters`,
      );
    }
  }
  return undefined;
}

function problem(message: string, param: string): RequestProblem {
  return { status: 400, message, param };
}
