import { describe, expect, it } from 'vitest';
import type { Locale } from '../contracts/locale.ts';
import { createToolContext } from './create-tool-context.ts';
import { executionLimits as limits } from './execution-limits.ts';
import { liveTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';

function contextWith(locale: Locale = 'en') {
  const host = new RecordingHost();
  const request = { ...requestFor(liveTool({ execute: () => 1 })), locale };
  return { host, ...createToolContext(request, host, new AbortController().signal) };
}

describe('createToolContext', () => {
  it('keeps session values', async () => {
    const { context } = contextWith();
    expect(context.session.id).toBe('session');
    expect(await context.session.get('a')).toBeUndefined();
    expect(await context.session.get('a', 7)).toBe(7);
    await context.session.set('a', { at: new Date(0) } as never);
    expect(await context.session.get('a')).toEqual({ at: '1970-01-01T00:00:00.000Z' });
    await context.session.set('a', null);
    expect(await context.session.get('a', 7)).toBeNull();
    await context.session.delete('a');
    expect(await context.session.get('a', 7)).toBe(7);
  });

  it('tells authors in their language which session value or key is unusable', async () => {
    const { context, host } = contextWith();
    await expect(context.session.set('a', { n: 1n } as never)).rejects.toThrow(
      'The value for the session key "a" holds bigint at /n, which is not JSON.',
    );
    await expect(context.session.get('k'.repeat(limits.sessionKeyChars + 1))).rejects.toThrow(TypeError);
    await expect(context.session.get(7 as never)).rejects.toThrow(TypeError);
    await expect(contextWith('zh').context.session.get(7 as never)).rejects.toThrow('会话键');
    expect(host.values.size).toBe(0);
  });

  it('reaches nobody after the end of the call', async () => {
    const { context, host, end } = contextWith();
    end();
    context.progress(1);
    context.log.info('late');
    await expect(context.session.set('a', 1)).rejects.toThrow('The call has ended');
    expect([host.progressed, host.logged, host.values.size]).toEqual([[], [], 0]);
  });

  it('drops progress that is too much, too large or no JSON', () => {
    const { context, host } = contextWith();
    context.progress(1n as never);
    context.progress(undefined as never);
    context.progress('x'.repeat(limits.progressBytes));
    context.progress('x'.repeat(limits.progressBytes - 2));
    for (let n = 0; n < limits.progressPerCall + 10; n += 1) context.progress(n);
    expect(host.progressed).toHaveLength(limits.progressPerCall);
    expect(host.progressed.at(-1)).toBe(limits.progressPerCall - 2);
  });

  it('cuts and counts log messages, and shows what is no text', () => {
    const { context, host } = contextWith();
    context.log.debug('x'.repeat(limits.logChars + 10));
    context.log.error(new Error('boom') as never);
    context.log.warn({ a: [1] } as never);
    for (let n = 0; n < limits.logsPerCall + 10; n += 1) context.log.info('again');
    expect(host.logged).toHaveLength(limits.logsPerCall);
    expect(host.logged[0]).toEqual({ level: 'debug', message: 'x'.repeat(limits.logChars) });
    expect(host.logged[1]).toMatchObject({ level: 'error', message: expect.stringContaining('Error: boom') });
    expect(host.logged[2]).toEqual({ level: 'warn', message: '{ a: [ 1 ] }' });
  });
});
