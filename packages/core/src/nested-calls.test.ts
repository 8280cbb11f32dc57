import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProject } from '@baigong/testing';
import { expect, it, onTestFinished } from 'vitest';
import { defineAgentTool, InvokeError } from './authoring/index.ts';
import { createRuntime } from './runtime.ts';

const files = {
  'tools/echo/index.ts': `
    import { defineAgentTool } from 'baigong';
    export default defineAgentTool({
      description: 'Gives the process back.', requiresApproval: 'never', execute: () => process.pid,
    });`,
  'tools/gap/index.ts': `
    import { appendFileSync } from 'node:fs';
    import { join } from 'node:path';
    import { setTimeout } from 'node:timers/promises';
    import { defineAgentTool } from 'baigong';
    const log = join(import.meta.dirname, '../../gap.log');
    export default defineAgentTool<{ times: number; pauseMs: number }>({
      description: 'Calls others, with pauses.', requiresApproval: 'never', timeoutMs: 40_000,
      inputSchema: { type: 'object', properties: { times: { type: 'integer' }, pauseMs: { type: 'integer' } } },
      async execute({ times, pauseMs }, { invoke }) {
        appendFileSync(log, '+');
        const pids = [];
        for (let count = 0; count < times; count++) {
          pids.push(await invoke('echo', {}));
          await setTimeout(pauseMs);
        }
        appendFileSync(log, '-');
        return pids;
      },
    });`,
};

async function start(maxChildren: number) {
  const project = await createProject(files);
  onTestFinished(() => project.remove());
  const settings = { execution: { maxChildren } };
  const runtime = await createRuntime({ project: project.root, store: 'memory', model: 'offline', settings });
  onTestFinished(() => runtime.close());
  return { runtime, log: () => readFile(join(project.root, 'gap.log'), 'utf8') };
}

it.each([1, 2])('runs %d calls at a time, and those below them never wait for others', async (maxChildren) => {
  const { runtime, log } = await start(maxChildren);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => runtime.call('gap', { times: 3, pauseMs: 200 })));
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'success'));
  let open = 0;
  const atOnce = [...(await log())].map((sign) => {
    open += sign === '+' ? 1 : -1;
    return open;
  });
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(maxChildren);
});

it('refuses more calls than one may make, as an error like any other', async () => {
  const many = defineAgentTool({
    description: 'Calls too often.',
    requiresApproval: 'never',
    timeoutMs: 30_000,
    async execute(_input, { invoke }) {
      const ends = await Promise.allSettled(Array.from({ length: 1_002 }, () => invoke('one', {})));
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      return [ends.length - refused.length, ...refused.map((error) => [InvokeError.isInstance(error), error.code])];
    },
  });
  const one = defineAgentTool({ description: 'One.', requiresApproval: 'never', execute: () => 1 });
  const runtime = await createRuntime({ tools: { many, one }, store: 'memory', model: 'offline' });
  onTestFinished(() => runtime.close());
  expect(await runtime.call('many', {})).toMatchObject({
    status: 'success',
    result: { value: [1_000, [true, 'NOT_PERMITTED'], [true, 'NOT_PERMITTED']] },
  });
});

it('keeps the process that the calls of a call run in', async () => {
  const { runtime } = await start(1);
  const outcome = await runtime.call('gap', { times: 20, pauseMs: 1 });
  if (outcome.status !== 'success') throw new Error(JSON.stringify(outcome));
  expect(new Set(outcome.result.value as number[]).size).toBe(1);
});
