import { describe, expect, it } from 'vitest';
import { defineAgentTool } from '../authoring/index.ts';
import type { Provenance } from '../contracts/capability.ts';
import type { Executor } from '../contracts/executor.ts';
import type { Effect } from '../contracts/outcome.ts';
import { ValidatorFailure } from '../execution/index.ts';
import { createWorld } from './fixtures/call-world.ts';

const definition = defineAgentTool({ description: 'x', execute: () => 1 });

/** An executor whose validators all end so. */
function failing(effect?: Effect): Executor {
  const end = { ok: false, code: 'EXECUTION_ERROR', message: 'It ended.', ...(effect && { effect }) } as const;
  return {
    kind: 'process',
    validate: () => Promise.reject(new ValidatorFailure(end)),
    run: () => Promise.resolve({ ok: true, value: 1 }),
    close: () => Promise.resolve(),
  };
}

describe('a validator that fails by itself', () => {
  it.each<[Provenance, 'begun' | 'not begun', Effect]>([
    ['framework', 'begun', 'none'],
    ['project', 'begun', 'none'],
    ['plugin', 'begun', 'unknown'],
    ['skill', 'begun', 'unknown'],
    ['agent-made', 'begun', 'unknown'],
    ['plugin', 'not begun', 'none'],
    ['skill', 'not begun', 'none'],
  ])('of code by %s that had %s leaves the effect %s', async (provenance, began, effect) => {
    const executor = failing(began === 'begun' ? undefined : 'none');
    const source = { id: 'test', provenance, via: 'folder' } as const;
    const { call } = createWorld({
      executors: { inline: executor, process: executor },
      tools: { one: { definition, ownValidator: true, source } },
    });
    expect(await call('one')).toMatchObject({ status: 'error', code: 'EXECUTION_ERROR', effect });
  });
});

describe('a process that a validator and its call need', () => {
  it.each([
    ['inline', false],
    ['process', true],
  ] as const)('may be waited for unless the caller holds one: %s', async (isolation, nested) => {
    const told: unknown[] = [];
    const executor: Executor = {
      kind: 'process',
      validate: async (...[, , , , isNested]) => {
        told.push(isNested);
        return [];
      },
      async run(tool, request, host, signal) {
        if (tool.key === 'child') told.push(request.nested);
        else await host.ask('invoke', ['child', {}], signal);
        return { ok: true, value: 1 };
      },
      close: async () => {},
    };
    const { call } = createWorld({
      executors: { inline: executor, process: executor },
      tools: {
        parent: { definition, isolation },
        child: { definition, isolation: 'process', ownValidator: true },
      },
    });
    expect(await call('parent')).toMatchObject({ status: 'success' });
    expect(told).toEqual([nested, nested]);
  });
});
