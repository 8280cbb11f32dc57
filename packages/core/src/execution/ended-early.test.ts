import { describe, expect, it } from 'vitest';
import { type Beginning, endedEarly, LOAD_LIMIT_MS, type StopReason } from './ended-early.ts';

describe('endedEarly', () => {
  it.each<[StopReason, Beginning, object, string]>([
    ['timeout', 'begun', { code: 'TIMEOUT' }, '500 ms'],
    ['timeout', 'not-begun', { code: 'EXECUTION_ERROR', effect: 'none' }, `loaded within ${LOAD_LIMIT_MS} ms`],
    ['timeout', 'unclear', { code: 'EXECUTION_ERROR' }, 'earlier call'],
    ['cancel', 'begun', { code: 'CANCELLED' }, 'cancelled'],
    ['cancel', 'not-begun', { code: 'CANCELLED', effect: 'none' }, 'cancelled'],
    ['cancel', 'unclear', { code: 'CANCELLED' }, 'cancelled'],
  ])('%s, %s', (reason, beginning, end, message) => {
    const { message: said, ok: _ok, ...rest } = endedEarly(reason, beginning, 500, 'en');
    expect(rest).toEqual(end);
    expect(said).toContain(message);
  });
});
