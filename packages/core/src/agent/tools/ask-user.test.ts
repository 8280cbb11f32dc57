import { describe, expect, it } from 'vitest';
import type { LiveTool } from '../../contracts/capability.ts';
import type { ContextHost } from '../../contracts/executor.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { Locale } from '../../contracts/locale.ts';
import { createJsonSchemaValidator } from '../../dispatch/json-schema-validator.ts';
import { liveTool, requestFor } from '../../execution/fixtures/call-fixtures.ts';
import { createInlineExecutor } from '../../execution/inline-executor.ts';
import { createAskUserTool } from './ask-user.ts';

/** Runs the tool where the question gets this reply; what it asked the host for comes along. */
async function ask(
  input: JsonObject,
  { reply = { status: 'answered', value: 'blue' }, attended = true, locale = 'en' }: AskOptions = {},
) {
  const asked: (readonly Json[])[] = [];
  const host: ContextHost = {
    async ask(operation, args) {
      asked.push([operation, ...args]);
      if (reply instanceof Error) throw reply;
      return reply;
    },
    progress() {},
    log() {},
  };
  const executor = createInlineExecutor();
  const tool = liveTool(createAskUserTool() as unknown as LiveTool);
  const request = requestFor(tool, input);
  const policy = { ...request.policy, attended };
  const end = await executor.run(tool, { ...request, policy, locale }, host, new AbortController().signal);
  await executor.close();
  return { end, asked };
}

interface AskOptions {
  readonly reply?: Json | Error;
  readonly attended?: boolean;
  readonly locale?: Locale;
}

describe('ask_user', () => {
  it.each<[string, JsonObject, readonly Json[]]>([
    ['any text', { question: 'Which one?' }, ['question', 1, 'Which one?', null]],
    ['one of some', { question: '哪个？', options: ['red', 'blue'] }, ['question', 1, '哪个？', ['red', 'blue']]],
  ])('asks for %s and gives the answer as a text', async (_what, input, args) => {
    expect(await ask(input)).toEqual({ end: { ok: true, value: 'blue' }, asked: [args] });
  });

  it.each<[Locale, string, string]>([
    ['en', 'Nobody can be asked', 'Do not ask the same again'],
    ['zh', '没有可以询问的人', '不要再问同样的问题'],
  ])('tells the model that nobody can be asked, and asks nobody (%s)', async (locale, message, hint) => {
    const { end, asked } = await ask({ question: 'Which one?' }, { attended: false, locale });
    expect(end).toMatchObject({
      ok: false,
      code: 'NOT_PERMITTED',
      retryable: false,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
    expect(asked).toEqual([]);
  });

  it.each<['expired' | 'refused', Locale, string]>([
    ['expired', 'en', 'Nobody answered the question in time.'],
    ['expired', 'zh', '提问在限定时间内无人回答。'],
    ['refused', 'en', 'The question was declined.'],
    ['refused', 'zh', '对方拒绝回答该提问。'],
  ])('tells the model that the question was %s (%s)', async (status, locale, message) => {
    const hint = locale === 'en' ? 'Do not ask the same again' : '不要再问同样的问题';
    const { end } = await ask({ question: 'Which one?' }, { reply: { status }, locale });
    expect(end).toMatchObject({ ok: false, code: 'NOT_PERMITTED', retryable: false, message });
    expect(end).toMatchObject({ hint: expect.stringContaining(hint) });
  });

  it('makes no refusal of other faults', async () => {
    const { end } = await ask({ question: 'Which one?' }, { reply: new Error('The host is at its end.') });
    expect(end).toMatchObject({ ok: false, code: 'EXECUTION_ERROR', message: 'The host is at its end.' });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['a question alone', { question: '?' }, []],
    ['all that fits', { question: 'x'.repeat(4_000), options: Array.from({ length: 20 }, (_, n) => `${n}`) }, []],
    ['a long option', { question: 'x', options: ['o'.repeat(200)] }, []],
    ['no question', {}, ['/question']],
    ['a long question of emoji', { question: '😀'.repeat(4_000) }, []],
    ['an empty question', { question: '' }, ['/question']],
    ['a blank question', { question: ' \u00a0\n' }, ['/question']],
    ['a blank option', { question: 'x', options: ['\u3000'] }, ['/options/0']],
    ['a question too long', { question: 'x'.repeat(4_001) }, ['/question']],
    ['a question that is no text', { question: 1 }, ['/question']],
    ['no options', { question: 'x', options: [] }, ['/options']],
    ['too many options', { question: 'x', options: Array.from({ length: 21 }, (_, n) => `${n}`) }, ['/options']],
    ['the same option twice', { question: 'x', options: ['a', 'a'] }, ['/options']],
    [
      'options that are no texts',
      { question: 'x', options: [1, '', 'o'.repeat(201)] },
      ['/options/0', '/options/1', '/options/2'],
    ],
    ['what it does not know', { question: 'x', approve: true }, ['/approve']],
  ])('is called with %s', async (_what, input, faults) => {
    const { check } = await createJsonSchemaValidator();
    const schema = createAskUserTool().inputSchema as JsonObject;
    expect(check('ask_user', schema, input).map(({ pointer }) => pointer)).toEqual(faults);
  });

  it('is a tool that may run again and needs no approval', () => {
    expect(createAskUserTool()).toMatchObject({
      isolation: 'inline',
      requiresApproval: 'never',
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      description: expect.stringMatching(/only the user can know[\s\S]*[Nn]ot for approvals/),
    });
  });
});
