import { ConversationBuilder } from '../conversation-builder.ts';
import { isRecord, type JsonRecord, parseJson, recordsIn, stringOr } from '../json-value.ts';
import type { Conversation, ReceivedCall, ReceivedTool } from '../received-request.ts';
import { textContent } from '../text-content.ts';

export function readConversation(body: JsonRecord): Conversation {
  const builder = new ConversationBuilder();
  for (const message of recordsIn(body.messages)) {
    const text = textContent(message.content);
    switch (message.role) {
      case 'system':
      case 'developer':
        builder.addSystem(text);
        break;
      case 'assistant':
        builder.addAssistant({
          text,
          reasoning: stringOr(message.reasoning_content, ''),
          calls: recordsIn(message.tool_calls).map(readCall),
        });
        break;
      case 'tool':
        builder.addResult({ callId: stringOr(message.tool_call_id, ''), text, isError: false });
        break;
      default:
        builder.addUser(text);
    }
  }
  const tools = recordsIn(body.tools).map(readTool);
  return {
    model: stringOr(body.model, ''),
    streaming: body.stream === true,
    system: builder.system,
    messages: builder.messages,
    tools,
    toolNames: tools.map((tool) => tool.name),
  };
}

function readCall(call: JsonRecord): ReceivedCall {
  const target = isRecord(call.function) ? call.function : {};
  const rawInput = stringOr(target.arguments, '');
  return { id: stringOr(call.id, ''), name: stringOr(target.name, ''), input: parseJson(rawInput), rawInput };
}

function readTool(tool: JsonRecord): ReceivedTool {
  const definition = isRecord(tool.function) ? tool.function : tool;
  return {
    name: stringOr(definition.name, ''),
    description: stringOr(definition.description, ''),
    schema: definition.parameters,
    deferred: false,
  };
}
