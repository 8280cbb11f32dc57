import type { IncomingMessage } from 'node:http';
import { anthropicFormat } from './anthropic/anthropic-format.ts';
import { openaiFormat } from './openai/openai-format.ts';
import type { RequestProblem, WireFormat } from './wire-format.ts';

export interface Route {
  /** The format of a model call; undefined when the path is not that of one. */
  readonly format: WireFormat | undefined;
  /** The format in which the client must be answered, whatever it asked for. */
  readonly spoken: WireFormat;
  readonly isModelList: boolean;
  /** Why nothing is served here. */
  readonly problem: RequestProblem | undefined;
}

const formats = [openaiFormat, anthropicFormat];

/** Where a request goes, by its method, path and headers alone. */
export function findRoute(incoming: IncomingMessage, basePath: string): Route {
  const { method, url = '/', headers } = incoming;
  const endpoint = url.split('?', 1)[0] ?? url;
  const format = formats.find((each) => endpoint === basePath + each.path);
  // Anthropic's clients name themselves by this header, on every path.
  const spoken = format ?? ('anthropic-version' in headers ? anthropicFormat : openaiFormat);
  const isModelList = method === 'GET' && endpoint === `${basePath}/models`;
  if (isModelList || (format !== undefined && method === 'POST')) {
    return { format, spoken, isModelList, problem: undefined };
  }
  if (format !== undefined) {
    const message = `${endpoint} takes POST, not ${method}.`;
    return { format, spoken, isModelList, problem: { status: 405, message } };
  }
  const served = formats.map((each) => `POST ${basePath}${each.path}`).join(', ');
  const hint =
    endpoint === `${basePath}/responses`
      ? ' This client speaks the Responses API; use its chat completions model, in the AI SDK `provider.chat(model)`.'
      : '';
  const message = `Nothing is served at ${method} ${endpoint}; there is ${served}, GET ${basePath}/models.${hint}`;
  return { format, spoken, isModelList, problem: { status: 404, message, code: 'unknown_url' } };
}
