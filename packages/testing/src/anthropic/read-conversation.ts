import { ConversationBuilder } from '../conversation-builder.ts';
import { type JsonRecord, recordsIn, stringOr } from '../json-value.ts';
import type { Conversation, ReceivedTool } from '../received-request.ts';
import { textContent } from '../text-content.ts';

export function readConversation(body: JsonRecord): Conversation {
  const builder = new ConversationBuilder();
  for (const text of systemTexts(body.system)) builder.addSystem(text);
  for (const message of recordsIn(body.messages)) {
    const content = message.content;
    if (message.role === 'system') builder.addSystem(textContent(content));
    else if (message.role === 'assistant') addAssistant(builder, content);
    else addUser(builder, content);
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

function systemTexts(system: unknown): string[] {
  if (typeof system === 'string') return [system];
  return recordsIn(system).map((block) => stringOr(block.text, ''));
}

function addAssistant(builder: ConversationBuilder, content: unknown): void {
  const blocks = recordsIn(content);
  builder.addAssistant({
    text: textContent(content),
    reasoning: blocks
      .filter((block) => block.type === 'thinking')
      .map((block) => stringOr(block.thinking, ''))
      .join('\n'),
    calls: blocks
      .filter((block) => block.type === 'tool_use')
      .map((block) => ({
        id: stringOr(block.id, ''),
        name: stringOr(block.name, ''),
        input: block.input,
        rawInput: JSON.stringify(block.input) ?? '',
      })),
  });
}

/** Tool results come at the head of a user message; what a person said in the same message is a message of its own. */
function addUser(builder: ConversationBuilder, content: unknown): void {
  const blocks = recordsIn(content);
  const results = blocks.filter((block) => block.type === 'tool_result');
  for (const result of results) {
    builder.addResult({
      callId: stringOr(result.tool_use_id, ''),
      text: textContent(result.content),
      isError: result.is_error === true,
    });
  }
  if (results.length === 0 || results.length < blocks.length) builder.addUser(textContent(content));
}

function readTool(tool: JsonRecord): ReceivedTool {
  return {
    name: stringOr(tool.name, ''),
    description: stringOr(tool.description, ''),
    schema: tool.input_schema,
    deferred: tool.defer_loading === true,
  };
}
