import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { contentPartLimits, readContentParts } from './read-content-parts.ts';
import { renderText } from './texts/render-text.ts';

const file = (data: string): Json => ({ type: 'file', mediaType: 'application/pdf', data });

describe('readContentParts', () => {
  it('takes what it gave once more, and leaves unknown members out', () => {
    const anyPart = fc.oneof(
      fc.record({ type: fc.constant('text'), text: fc.string() }),
      fc.record({
        type: fc.constant('image'),
        mediaType: fc.constantFrom('image/png', 'image/svg+xml'),
        data: fc.base64String({ minLength: 4 }),
      }),
      fc.record({ type: fc.constant('file'), mediaType: fc.constant('a/b'), data: fc.base64String({ minLength: 4 }) }),
    );
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 5 }), (parts) => {
        const read = readContentParts(parts.map((part) => ({ ...part, extra: 1, __proto__x: {} })));
        expect(read).toEqual({ ok: true, parts });
      }),
    );
  });

  it('says of anything else in both languages what is wrong', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readContentParts(value as Json);
        if (read.ok) return;
        for (const locale of ['en', 'zh'] as const) expect(renderText(read.reason, locale)).toMatch(/\S/);
      }),
    );
  });

  it('counts the data of all parts together', () => {
    const half = 'A'.repeat(contentPartLimits.dataChars / 2);
    expect(readContentParts([file(half), file(half)]).ok).toBe(true);
    expect(readContentParts([file(half), file(half), file('AAAA')])).toMatchObject({
      ok: false,
      reason: { key: 'execution.parts-too-large' },
    });
  });
});
