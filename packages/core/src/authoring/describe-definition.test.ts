import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineToken } from './define-token.ts';
import { describeDefinition } from './describe-definition.ts';

const run = () => 1;

describe('describeDefinition', () => {
  it.each([
    ['tool', { execute: run, uses: [defineToken('a.b'), 'c.d'] }, { uses: ['a.b', 'c.d'] }],
    ['prompt-section', { title: 't', content: 'c' }, { title: 't', content: 'c' }],
    ['prompt-section', { title: 't', content: run }, { title: 't', dynamic: true }],
    ['hook', { on: 'error', handler: run }, { on: 'error' }],
    ['plugin', { name: 'p', provides: [defineToken('a')] }, { name: 'p', provides: ['a'] }],
    ['skill', { description: 'd', tools: ['a'], body: '# Steps' }, { description: 'd', tools: ['a'] }],
  ] as const)('tells a %s as plain data', (kind, definition, fields) => {
    const described = describeDefinition(definition, kind);
    expect({ ...described.fields }).toEqual(fields);
    expect(described.faults).toEqual([]);
    expect(described.texts).toEqual(kind === 'skill' ? { body: '# Steps' } : undefined);
  });

  it('says that a plugin checks its configuration itself', () => {
    const described = describeDefinition({ name: 'p', config: z.object({ key: z.string() }) }, 'plugin');
    expect(described.ownValidator).toBe(true);
    expect(described.fields.config).toMatchObject({ type: 'object', required: ['key'] });
    expect(describeDefinition({ name: 'p', config: { type: 'object' } }, 'plugin').ownValidator).toBe(false);
  });

  it.each([
    ['hook', { on: 'error' }, 'not-a-function', 'handler'],
    ['hook', { on: 'error', handler: 'later' }, 'not-a-function', 'handler'],
    ['plugin', { name: 'p', setup: 1 }, 'not-a-function', 'setup'],
    ['plugin', { name: 'p', uses: 'a' }, 'not-tokens', 'uses'],
    ['plugin', { name: 'p', uses: [{ name: 'a' }] }, 'not-tokens', 'uses/0'],
    ['plugin', { name: 'p', config: run }, 'not-json', 'config'],
    ['skill', { description: 'd' }, 'no-body', 'body'],
    ['skill', { description: 'd', body: 1 }, 'no-body', 'body'],
    ['tool', new Proxy({}, { ownKeys: () => [1 as never] }), 'not-json', ''],
  ] as const)('names what a %s lacks', (kind, definition, fault, field) => {
    const { faults } = describeDefinition(definition, kind);
    expect(faults[0]).toMatchObject({ kind: fault, field });
  });
});
