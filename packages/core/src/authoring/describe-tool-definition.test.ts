import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeDefinition } from './describe-definition.ts';

const describeTool = (definition: object) => describeDefinition(definition, 'tool');

const execute = () => 1;

describe('describeTool', () => {
  it('turns a definition into plain data, schemas included', () => {
    const definition = {
      description: 'x',
      inputSchema: z.object({ city: z.string(), days: z.number().default(3) }),
      outputSchema: z.object({ at: z.string().transform((text) => text.length) }).pick({}),
      annotations: { readOnlyHint: true },
      summary: undefined,
      execute,
    };
    const { fields, ownValidator, faults } = describeTool(definition);
    expect(faults).toEqual([]);
    expect(ownValidator).toBe(true);
    expect(Object.keys(fields)).toEqual(['description', 'inputSchema', 'outputSchema', 'annotations']);
    expect(fields.inputSchema).toMatchObject({
      type: 'object',
      required: ['city'],
      properties: { days: { default: 3 } },
    });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const oldZod = { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } };
  it.each([
    ['a function', { tags: [execute] }, 'not-json', 'tags/0'],
    ['a map', { annotations: new Map() }, 'not-json', 'annotations'],
    ['a bigint', { timeoutMs: 1n }, 'not-json', 'timeoutMs'],
    ['NaN', { timeoutMs: Number.NaN }, 'not-json', 'timeoutMs'],
    ['a cycle', { inputSchema: cyclic }, 'not-json', 'inputSchema/self'],
    [
      'a throwing getter',
      Object.defineProperty({}, 'tags', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      }),
      'not-json',
      'tags',
    ],
    ['zod 3', { inputSchema: oldZod }, 'old-zod', 'inputSchema'],
    ['a date schema', { inputSchema: z.object({ at: z.date() }) }, 'not-representable', 'inputSchema'],
    ['a missing execute', { execute: undefined }, 'no-execute', 'execute'],
    ['an execute that is no function', { execute: 'later' }, 'no-execute', 'execute'],
    ['a function named __proto__', JSON.parse('{"__proto__":{"a":1}}'), undefined, undefined],
  ])('names %s', (_what, more, kind, field) => {
    const definition = Object.defineProperties({ description: 'x', execute }, Object.getOwnPropertyDescriptors(more));
    const { faults, fields } = describeTool(definition);
    expect(faults.map((fault) => [fault.kind, fault.field])).toEqual(kind === undefined ? [] : [[kind, field]]);
    // What an author wrote is neither lost nor does it change the object that holds it.
    if (kind === undefined) expect(Object.keys(fields)).toContain('__proto__');
  });
});
