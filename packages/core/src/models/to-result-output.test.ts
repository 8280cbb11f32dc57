import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { Message } from '../contracts/message.ts';
import type { ContentPart, SuccessOutcome } from '../contracts/outcome.ts';
import { mediaInResults } from './media-in-results.ts';
import { toModelPrompt } from './to-model-prompt.ts';
import { toResultOutput } from './to-result-output.ts';

const DATA = 'iVBORw0KGgo=';

function success(parts: readonly ContentPart[]): SuccessOutcome {
  return { status: 'success', effect: 'none', durationMs: 1, warnings: [], result: { kind: 'parts', value: parts } };
}

const mixed: readonly ContentPart[] = [
  { type: 'text', text: 'before \ud800' },
  { type: 'image', mediaType: 'image/png', data: DATA },
  { type: 'file', mediaType: 'application/zip', data: 'A'.repeat(16_000), name: 'all.zip' },
  { type: 'file', mediaType: 'application/pdf', data: DATA, name: 'r.pdf' },
  { type: 'text', text: 'after' },
];

describe('content parts for models', () => {
  it.each(['anthropic', 'anthropic.messages', 'google', 'google.generative-ai', 'openai.responses'])(
    'go to %s as what it can look at, the rest by name',
    (provider) => {
      expect(toResultOutput(success(mixed), undefined, 'en', mediaInResults(provider))).toEqual({
        type: 'content',
        value: [
          {
            type: 'text',
            text: [
              'before \ufffd',
              '[image image/png, 8 B]',
              '[file all.zip application/zip, 12 KB: this model cannot look at it]',
              '[file r.pdf application/pdf, 8 B]',
              'after',
            ].join('\n'),
          },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: DATA } },
          { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: DATA }, filename: 'r.pdf' },
        ],
      });
    },
  );

  it.each(['openai', 'openai.chat', 'deepseek', 'offline', 'mock-provider', 'constructor'])(
    'go to %s as a text that names what was left out, without the data',
    (provider) => {
      const output = toResultOutput(success(mixed), undefined, 'zh', mediaInResults(provider));
      expect(output).toMatchObject({
        type: 'text',
        value: expect.stringContaining('[image image/png, 8 B：该模型无法查看]'),
      });
      expect(JSON.stringify(output)).not.toContain(DATA);
    },
  );

  it.each<[string, readonly ContentPart[]]>([
    ['nothing', []],
    ['empty texts', [{ type: 'text', text: '' }]],
  ])('say so when there is %s', (_what, parts) => {
    const output = toResultOutput(success(parts), undefined, 'en', mediaInResults('anthropic'));
    expect(output).toMatchObject({ type: 'text', value: expect.stringMatching(/\S/) });
  });
});

describe('what the packages make of them', () => {
  const messages: readonly Message[] = [
    { role: 'user', turnId: 't', at: 0, speakerId: 'u', text: 'look' },
    {
      role: 'assistant',
      turnId: 't',
      at: 0,
      step: 1,
      parts: [],
      calls: [
        { id: 't.1.0', turnId: 't', step: 1, index: 0, providerCallId: 'call_0', toolName: 'chart', rawInput: '{}' },
      ],
    },
    {
      role: 'tool',
      turnId: 't',
      at: 0,
      callId: 't.1.0',
      providerCallId: 'call_0',
      toolName: 'chart',
      outcome: success([{ type: 'image', mediaType: 'image/png', data: DATA }]),
    },
  ];

  /** The body of the request that a model makes of the prompt. */
  async function sent(provider: string, make: (baseURL: string) => LanguageModelV4): Promise<string> {
    let body = '';
    const server = createServer(async (request, response) => {
      for await (const chunk of request) body += String(chunk);
      response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const model = make(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
      const prompt = toModelPrompt({ messages, system: '', provider, locale: 'en' });
      await Promise.resolve(model.doGenerate({ prompt })).catch(() => {});
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    return body;
  }

  it('Anthropic’s: an image in the result', async () => {
    const body = JSON.parse(
      await sent('anthropic', (baseURL) => createAnthropic({ baseURL, apiKey: 'x' })('claude-sonnet-5')),
    );
    expect(body.messages.at(-1).content[0]).toMatchObject({
      type: 'tool_result',
      content: [
        { type: 'text', text: '[image image/png, 8 B]' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
      ],
    });
  });

  it.each(['gemini-3-pro-preview', 'gemini-2.5-flash'])('Google’s: one result and an image (%s)', async (name) => {
    const body = JSON.parse(await sent('google', (baseURL) => createGoogle({ baseURL, apiKey: 'x' })(name)));
    const { parts } = body.contents.at(-1);
    expect(parts.filter((part: object) => 'functionResponse' in part)).toHaveLength(1);
    expect(JSON.stringify(parts)).toContain(`{"mimeType":"image/png","data":"${DATA}"}`);
  });
});
