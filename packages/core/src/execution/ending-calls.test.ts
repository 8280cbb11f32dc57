import { describe, expect, it } from 'vitest';
import { failureOf, RecordingHost } from './fixtures/call-fixtures.ts';
import { processHarness, resultOf } from './fixtures/process-harness.ts';
import { untilGone } from './fixtures/process-state.ts';

const { start, call } = processHarness();

describe('a process executor', () => {
  describe('ends a call at its time limit:', () => {
    it('an endless loop, which harms no other call', async () => {
      const executor = start();
      const host = new RecordingHost();
      const order: string[] = [];
      const looping = call(executor, 'loop.ts', { host, timeoutMs: 4_000 }).then((end) => {
        order.push('loop');
        return end;
      });
      await host.untilProgress(1);
      const others = await Promise.all([call(executor, 'echo.ts', { input: { n: 1 } }), call(executor, 'pid.ts')]);
      order.push('others');
      expect(others.map((end) => end.ok)).toEqual([true, true]);
      expect(failureOf(await looping)).toEqual({
        ok: false,
        code: 'TIMEOUT',
        message: 'It did not end within its time limit of 4000 ms.',
      });
      expect(order).toEqual(['others', 'loop']);
      await untilGone(host.progressed[0] as number);
    });

    it('one that ignores its signal, with its process', async () => {
      const executor = start();
      const host = new RecordingHost();
      expect(failureOf(await call(executor, 'deaf.ts', { host, timeoutMs: 50 }))).toMatchObject({ code: 'TIMEOUT' });
      await untilGone(host.progressed[0] as number);
      expect((await call(executor, 'echo.ts')).ok).toBe(true);
    });

    it('one that heeds its signal, whose process stays', async () => {
      const executor = start({ killGraceMs: 10_000 });
      const host = new RecordingHost();
      expect(failureOf(await call(executor, 'polite.ts', { host, timeoutMs: 50 }))).toMatchObject({ code: 'TIMEOUT' });
      expect(resultOf(await call(executor, 'pid.ts'))).toBe(host.progressed[0]);
    });

    it('one that started processes, with them', async () => {
      const host = new RecordingHost();
      expect(failureOf(await call(start(), 'family.ts', { host, timeoutMs: 50 }))).toMatchObject({ code: 'TIMEOUT' });
      await untilGone(host.progressed[0] as number);
    });
  });

  describe('cancels a call:', () => {
    it('that runs', async () => {
      const executor = start();
      const controller = new AbortController();
      const host = new RecordingHost();
      const running = call(executor, 'loop.ts', { host, signal: controller.signal });
      await host.untilProgress(1);
      controller.abort();
      expect(failureOf(await running)).toEqual({ ok: false, code: 'CANCELLED', message: 'It was cancelled.' });
      await untilGone(host.progressed[0] as number);
    });

    it('that waits for a process, before anything begins', async () => {
      const executor = start({ maxChildren: 1 });
      const host = new RecordingHost();
      const stop = new AbortController();
      const running = call(executor, 'polite.ts', { host, signal: stop.signal });
      await host.untilProgress(1);
      const controller = new AbortController();
      const waiting = call(executor, 'echo.ts', { signal: controller.signal });
      const later = call(executor, 'echo.ts', { input: { later: true } });
      controller.abort();
      expect(failureOf(await waiting)).toMatchObject({ code: 'CANCELLED', effect: 'none' });
      stop.abort();
      expect(failureOf(await running)).toMatchObject({ code: 'CANCELLED' });
      expect(resultOf(await later)).toEqual({ later: true });
    });

    it('that was cancelled before it came', async () => {
      const end = await call(start(), 'echo.ts', { signal: AbortSignal.abort() });
      expect(failureOf(end)).toMatchObject({ code: 'CANCELLED', effect: 'none' });
    });
  });

  it('lets calls wait in order when all processes are busy, off their time limits', async () => {
    const executor = start({ maxChildren: 1 });
    const order: number[] = [];
    const host = new RecordingHost();
    const looping = call(executor, 'loop.ts', { host, timeoutMs: 1_500 });
    await host.untilProgress(1);
    // Each would be over long before its turn if the waiting counted.
    const waiting = [1, 2, 3].map(async (n) => {
      const end = await call(executor, 'echo.ts', { input: { n }, timeoutMs: 1_000 });
      order.push(n);
      return end.ok;
    });
    expect(await Promise.all(waiting)).toEqual([true, true, true]);
    expect(order).toEqual([1, 2, 3]);
    expect(failureOf(await looping).code).toBe('TIMEOUT');
  });
});
