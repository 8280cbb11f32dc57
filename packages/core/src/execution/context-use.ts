import { tokenMark } from '../authoring/token.ts';
import type { ToolContext } from '../authoring/tool-context.ts';
import type { CallRequest, ContextHost } from '../contracts/executor.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { showText } from '../contracts/show-text.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { AskHost } from './ask-host.ts';
import { nameFound } from './name-found.ts';
import { notJsonText } from './not-json-text.ts';
import { plainJson } from './plain-json.ts';
import { readMember } from './read-member.ts';

interface UseOptions {
  readonly request: CallRequest;
  readonly host: ContextHost;
  readonly ask: AskHost;
}

/**
 * `context.use`: what is provided in this process itself, else an object of the methods that the host lets be called
 * from here. Its methods are called by name in the host, with plain data.
 */
export function createContextUse({ request, host, ask }: UseOptions): ToolContext['use'] {
  const say = (message: MessageKey) => renderText(message, request.locale);
  const remotes = new Map<string, object>();

  const remote = (token: string, methods: readonly string[]): object => {
    const service: Record<string, unknown> = {};
    for (const method of methods) {
      // An object with `then` would be taken for a promise wherever it is awaited.
      if (method === 'then') continue;
      const call = async (...args: readonly unknown[]) => {
        const plain = plainJson(args);
        if (!plain.ok) {
          throw new TypeError(
            say(notJsonText('execution.arguments-not-json', plain, request.locale, { what: `${token}.${method}` })),
          );
        }
        return ask('service', [token, method, plain.value ?? []]);
      };
      Object.defineProperty(service, method, { value: call, enumerable: true });
    }
    return Object.freeze(service);
  };

  return (token: unknown) => {
    const name = readMember(token, 'name');
    if (readMember(token, tokenMark) !== true || typeof name !== 'string') {
      throw new TypeError(say(text('execution.bad-token', { found: nameFound(token) })));
    }
    const provided = host.live?.use(name);
    if (provided !== undefined) return provided.value as never;
    const methods = Object.hasOwn(request.services, name) ? request.services[name] : undefined;
    if (methods === undefined) throw new Error(say(text('execution.no-service', { token: showText(name) })));
    if (methods.length === 0) throw new Error(say(text('execution.service-not-remote', { token: showText(name) })));
    let known = remotes.get(name);
    if (known === undefined) {
      known = remote(name, methods);
      remotes.set(name, known);
    }
    return known as never;
  };
}
