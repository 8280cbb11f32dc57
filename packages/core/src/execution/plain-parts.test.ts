import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentParts } from '../authoring/content-parts.ts';
import { isContentParts, plainParts } from './plain-parts.ts';

const file = (data: Uint8Array | ArrayBuffer | string) =>
  contentParts([{ type: 'file', mediaType: 'Text/Plain; charset=utf-8', data }]);

describe('plainParts', () => {
  it('gives the bytes back, whatever view they come in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(8), (bytes, offset) => {
        const wider = new Uint8Array(bytes.length + offset + 3);
        wider.set(bytes, offset);
        const forms = [bytes, wider.subarray(offset, offset + bytes.length), bytes.slice().buffer, Buffer.from(bytes)];
        for (const form of forms) {
          expect(plainParts(file(form))).toEqual({
            ok: true,
            parts: [{ type: 'file', mediaType: 'text/plain', data: Buffer.from(bytes).toString('base64') }],
          });
        }
      }),
    );
  });

  it('refuses bytes that are too many before it converts them', () => {
    // Its base64 would be longer than any string can be.
    expect(plainParts(file(new ArrayBuffer(600 * 1024 * 1024)))).toMatchObject({
      ok: false,
      reason: { key: 'execution.parts-too-large' },
    });
  });

  it('knows what contentParts made, and survives what is not', () => {
    expect(isContentParts(contentParts([]))).toBe(true);
    for (const value of [undefined, null, [], { parts: [] }, () => 1]) expect(isContentParts(value)).toBe(false);
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('never');
        },
      },
    );
    expect(plainParts(contentParts([hostile as never]))).toMatchObject({ ok: false });
    expect(plainParts(contentParts('x' as never))).toMatchObject({ ok: false });
  });
});
