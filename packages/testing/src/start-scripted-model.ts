import { createServer } from 'node:http';
import { ScriptedModel } from './scripted-model.ts';
import type { ScriptedModelOptions, ScriptedModelServer } from './scripted-model-server.ts';

/**
 * Starts a model that plays a script over HTTP, in OpenAI's and Anthropic's format, and keeps what it was sent.
 * Rejects with Node's error when the port is taken.
 *
 * @example
 * await using model = await startScriptedModel({ answers: [{ text: '你好' }] });
 * const provider = createOpenAI({ baseURL: model.baseUrl, apiKey: 'scripted' });
 * // … run the agent under test against provider.chat('any') …
 * expect(model.requests[0]?.toolNames).toEqual(['get_weather']);
 */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModelServer> {
  const httpServer = createServer();
  const model = new ScriptedModel(httpServer, options);
  await new Promise<void>((resolve, reject) => {
    httpServer.once('error', reject);
    httpServer.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return model;
}
