import { describe, expect, it } from 'vitest';
import { digest } from './digest.ts';

describe('digest', () => {
  it('is SHA-256 of the UTF-8 text', () => {
    expect(digest('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(digest('北京')).toBe(digest(new TextEncoder().encode('北京')));
    expect(digest('a\n')).not.toBe(digest('a'));
  });
});
