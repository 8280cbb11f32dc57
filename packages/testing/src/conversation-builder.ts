import type { ReceivedCall, ReceivedMessage, ReceivedResult } from './received-request.ts';

/** Collects messages of either format into the one form `ReceivedMessage` promises. */
export class ConversationBuilder {
  readonly #leadingSystem: string[] = [];
  readonly #messages: ReceivedMessage[] = [];
  readonly #callNames = new Map<string, string>();
  #openResults: ReceivedResult[] | undefined;

  get system(): string {
    return this.#leadingSystem.join('\n\n');
  }

  get messages(): readonly ReceivedMessage[] {
    return this.#messages;
  }

  addSystem(text: string): void {
    if (this.#messages.length === 0) this.#leadingSystem.push(text);
    else this.#push({ role: 'system', text });
  }

  addUser(text: string): void {
    this.#push({ role: 'user', text });
  }

  addAssistant(message: { text: string; reasoning: string; calls: readonly ReceivedCall[] }): void {
    for (const call of message.calls) this.#callNames.set(call.id, call.name);
    this.#push({ role: 'assistant', ...message });
  }

  /** Results in a row become one message, because OpenAI sends one message each and Anthropic one for all. */
  addResult(result: Omit<ReceivedResult, 'name'>): void {
    if (this.#openResults === undefined) {
      const results: ReceivedResult[] = [];
      this.#push({ role: 'tool', results });
      this.#openResults = results;
    }
    this.#openResults.push({ ...result, name: this.#callNames.get(result.callId) });
  }

  #push(message: Partial<ReceivedMessage> & Pick<ReceivedMessage, 'role'>): void {
    this.#openResults = undefined;
    this.#messages.push({ text: '', reasoning: '', calls: [], results: [], ...message });
  }
}
