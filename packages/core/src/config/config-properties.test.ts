// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../contracts/config-schema.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { checkLayer } from './check-layer.ts';
import { createConfigValidator } from './create-config-validator.ts';
import { createMask } from './create-mask.ts';
import { loadProject } from './fixtures/load-project.ts';
import { formatKeyPath } from './format-key-path.ts';
import { isJsonObject } from './is-json-object.ts';
import type { Layer } from './layer.ts';
import { mergeLayers } from './merge-layers.ts';
import { parseKeyPath } from './parse-key-path.ts';
import { schemaKeys } from './schema-keys.ts';
import { splitReferences } from './split-references.ts';

/** JSON that looks like configuration: names of keys everywhere, possible and impossible values. */
const names = [
  ...new Set(schemaKeys().flatMap(({ path }) => path)),
  '__proto__',
  'constructor',
  'file',
  'weather',
  '',
  'a.b',
];
const { tree: someJson } = fc.letrec<{ tree: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<Json>('en', 'extend', '${HOME}', '${MISSING}', '${', '$${', 'Asia/Shanghai', '', 'a'),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: 'binary' }),
  ) as fc.Arbitrary<Json>,
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), tie('tree')), { maxLength: 5 })
      .map((members) => Object.fromEntries(members) as Json),
  ) as fc.Arbitrary<Json>,
}));
const rooted = fc.oneof(
  someJson,
  fc.record(
    Object.fromEntries(Object.keys(configSchema.properties).map((name) => [name, someJson])) as Record<
      string,
      fc.Arbitrary<Json>
    >,
    { requiredKeys: [] },
  ) as fc.Arbitrary<Json>,
);

describe('any JSON', () => {
  it('is judged without throwing; every problem names a key; what is left is valid', async () => {
    const validate = createConfigValidator();
    await fc.assert(
      fc.asyncProperty(rooted, async (value) => {
        const raw = { level: 'project', name: 'x.json', value, folder: '/', hasReferences: true } as const;
        const { layer, problems } = await checkLayer(raw, { validate, variable: () => undefined });
        for (const problem of problems) expect(problem.field).toMatch(/./);
        expect(await validate(layer.value)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('in the file of the project never makes loading fail', async () => {
    for (const value of fc.sample(rooted, 25)) {
      const { settings, problems } = await loadProject({ 'root/baigong.config.json': JSON.stringify(value) });
      for (const problem of problems) expect(problem.field).toMatch(/./);
      expect(settings.turn.maxSteps).toBeGreaterThan(0);
    }
  });
});

/** Trees of one shape, so that no key is an object in one and something else in another. */
const shaped = fc.record(
  {
    a: fc.integer(),
    list: fc.array(fc.integer(), { maxLength: 2 }),
    b: fc.record({ c: fc.integer(), d: fc.record({ e: fc.string() }, { requiredKeys: [] }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

function layerOf(value: JsonObject, name: string): Layer {
  return { level: 'project', value, placeOf: () => name, secrets: new Set() };
}

function leaf(value: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

describe('merging', () => {
  it('is associative', () => {
    fc.assert(
      fc.property(shaped, shaped, shaped, (low, middle, high) => {
        const merge = (...values: JsonObject[]) => mergeLayers(values.map((one) => layerOf(one, ''))).value;
        expect(merge(merge(low, middle), high)).toEqual(merge(low, merge(middle, high)));
        expect(merge(low, middle, high)).toEqual(merge(merge(low, middle), high));
      }),
    );
  });

  it('takes each value, and its origin, from the highest layer that has it', () => {
    fc.assert(
      fc.property(fc.array(shaped, { minLength: 1, maxLength: 4 }), (values) => {
        const merged = mergeLayers(values.map((one, index) => layerOf(one, String(index))));
        for (const path of [['a'], ['list'], ['b', 'c'], ['b', 'd', 'e']]) {
          const index = values.findLastIndex((one) => leaf(one, path) !== undefined);
          expect(leaf(merged.value, path)).toEqual(index === -1 ? undefined : leaf(values[index] ?? {}, path));
          expect(merged.origins.get(formatKeyPath(path))?.place).toBe(index === -1 ? undefined : String(index));
        }
      }),
    );
  });
});

describe('masking', () => {
  const secret = fc.string({ minLength: 8, maxLength: 20 });

  it('leaves nothing of a secret, wherever it stands and whatever it overlaps', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.string(), { maxLength: 4 }),
        (secrets, parts) => {
          const mask = createMask(new Set(secrets));
          const text = parts.flatMap((part, index) => [part, secrets[index % secrets.length] ?? '']).join('');
          for (const one of secrets) expect(mask(text)).not.toContain(one);
        },
      ),
    );
  });

  it('changes no text without a secret', () => {
    fc.assert(
      fc.property(secret, fc.string(), (one, text) => {
        fc.pre(!text.includes(one));
        expect(createMask(new Set([one]))(text)).toBe(text);
      }),
    );
  });
});

describe('written keys', () => {
  it('are read as what they were', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...names)), { minLength: 1 }),
        (path) => {
          fc.pre(path.every((name) => name.isWellFormed()));
          expect(parseKeyPath(formatKeyPath(path))).toEqual(path);
        },
      ),
    );
  });

  it.each(['', '.', 'a.', '.a', 'a..b', '"a', '"a"b', 'a"b"', '"\\x"'])('%j is none', (text) => {
    expect(parseKeyPath(text)).toBeUndefined();
  });
});

describe('references in texts', () => {
  it('are put together again as they were written', () => {
    const piece = fc.oneof(
      fc.string().map((text) => text.replaceAll('$', '')),
      fc.record({
        variable: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,5}$/),
        fallback: fc.option(
          fc.string().map((text) => text.replaceAll('}', '')),
          { nil: undefined },
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const written = pieces
          .map((one) => {
            if (typeof one === 'string') return `${one}$\${$`;
            return `\${${one.variable}${one.fallback === undefined ? '' : `:-${one.fallback}`}}`;
          })
          // A dollar sign in front of a reference would make it literal.
          .join(' ');
        const expected = pieces.map((one) => (typeof one === 'string' ? `${one}\${$` : one));
        const read = splitReferences(written) ?? [];
        const flat = expected.flatMap((one, index) => (index === 0 ? [one] : [' ', one]));
        const joined: unknown[] = [];
        for (const one of flat) {
          const last = joined.at(-1);
          if (typeof one === 'string' && typeof last === 'string') joined[joined.length - 1] = last + one;
          else joined.push(one);
        }
        expect(read).toEqual(joined);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', ':', '-', 'A', '1', ' ') }), (text) => {
        const pieces = splitReferences(text);
        if (!text.includes('${')) expect(pieces).toEqual(text === '' ? [] : [text]);
      }),
    );
  });
});
