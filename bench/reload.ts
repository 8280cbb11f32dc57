// Start and hot reload of a project with many tools. Prints one JSON object. Run: npm run bench:reload
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRuntime, type Runtime } from 'baigong';

const TOOLS = Number(process.env.TOOLS ?? 500);
const RELOADS = Number(process.env.RELOADS ?? 1000);

function toolFile(index: number, text: string): string {
  return `import { defineAgentTool } from 'baigong';
import { z } from 'zod';
import { shared } from '../../shared/text-${index % 10}.ts';
export default defineAgentTool({
  description: 'Tool number ${index}: looks something up. Use when the user asks for number ${index}. ${text}',
  inputSchema: z.object({ query: z.string().min(1), limit: z.number().int().min(1).max(20).default(5) }),
  requiresApproval: 'never',
  annotations: { readOnlyHint: true },
  execute: ({ query, limit }) => ({ number: ${index}, query, limit, shared, text: '${text}' }),
});
`;
}

async function writeTools(root: string): Promise<void> {
  await mkdir(join(root, 'shared'), { recursive: true });
  for (let index = 0; index < 10; index++) {
    await writeFile(join(root, `shared/text-${index}.ts`), `export const shared = 'shared ${index}';\n`);
  }
  for (let index = 0; index < TOOLS; index++) {
    const folder = join(root, `tools/tool_${index}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'index.ts'), toolFile(index, 'first'));
  }
}

interface Taken {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function measure<Result>(work: () => Promise<Result>): Promise<Taken & { readonly result: Result }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000, result };
}

function heapMb(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}

const round = (value: number) => Math.round(value * 10) / 10;
const open = (root: string): Promise<Runtime> => createRuntime({ project: root, model: 'offline' });

const root = await mkdtemp(join(tmpdir(), 'baigong-bench-'));
try {
  await writeTools(root);
  // Modules of this program are loaded once, outside of what is measured.
  await (await createRuntime({ store: 'memory', model: 'offline' })).close();

  const cold: Taken[] = [];
  const warm: Taken[] = [];
  for (let round_ = 0; round_ < 5; round_++) {
    await rm(join(root, '.baigong'), { recursive: true, force: true });
    for (const list of [cold, warm]) {
      const { result, ...taken } = await measure(() => open(root));
      list.push(taken);
      await result.close();
    }
  }

  const runtime = await open(root);
  const file = join(root, 'tools/tool_7/index.ts');
  const times: number[] = [];
  const cpus: number[] = [];
  let before = 0;
  for (let index = 0; index < RELOADS; index++) {
    if (index === 100) before = heapMb();
    await writeFile(file, toolFile(7, `version ${index}`));
    const { wallMs, cpuMs, result } = await measure(() => runtime.reload());
    if (result.status !== 'changed') throw new Error(`reload ${index}: ${JSON.stringify(result)}`);
    times.push(wallMs);
    cpus.push(cpuMs);
  }
  const outcome = await runtime.call('tool_7', { query: 'x' });
  if (outcome.status !== 'success') throw new Error(JSON.stringify(outcome));
  await sleep(100);
  const after = heapMb();
  const living = runtime.livingGenerations;
  await runtime.close();

  console.log(
    JSON.stringify(
      {
        tools: TOOLS,
        start: {
          withoutCacheMs: round(median(cold.map(({ wallMs }) => wallMs))),
          withCacheMs: round(median(warm.map(({ wallMs }) => wallMs))),
          withoutCacheCpuMs: round(median(cold.map(({ cpuMs }) => cpuMs))),
          withCacheCpuMs: round(median(warm.map(({ cpuMs }) => cpuMs))),
          budgetMs: { withoutCache: 1600, withCache: 700 },
        },
        reload: {
          reloads: RELOADS,
          p50Ms: round(median(times)),
          p99Ms: round(quantile(times, 0.99)),
          cpuP50Ms: round(median(cpus)),
          budgetMs: 100,
          heapGrowthMb: round(after - before),
          livingGenerations: living,
        },
      },
      undefined,
      2,
    ),
  );
} finally {
  await rm(root, { recursive: true, force: true });
}
