// Start and hot reload of a project with many tools. Prints one JSON object. Run: npm run bench:reload
// Without `--conditions=baigong-source`, after `npm run build`, it measures what is published: its processes start faster.
// Figures to compare come from one run, or from CPU times: wall times hold only while nobody else uses the machine.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
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
  /** CPU of child processes, those that ended meanwhile too, in steps of 10 ms; 0 where there is no `/proc`. */
  readonly childCpuMs: number;
}

/** What Linux counts CPU times in. */
const TICK_MS = 10;

/** The numbers of a process behind its name, the state first: 1 parent, 11 and 12 own ticks, 13 and 14 its children's. */
function statOf(pid: string): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

function childCpuMs(): number {
  if (process.platform !== 'linux') return 0;
  const own = statOf('self');
  let ticks = (own[13] ?? 0) + (own[14] ?? 0);
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = statOf(pid);
    if (stat[1] === process.pid) ticks += (stat[11] ?? 0) + (stat[12] ?? 0);
  }
  return ticks * TICK_MS;
}

async function measure<Result>(work: () => Promise<Result>): Promise<Taken & { readonly result: Result }> {
  const children = childCpuMs();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - start;
  return { wallMs, cpuMs: (user + system) / 1000, childCpuMs: childCpuMs() - children, result };
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

const BUDGET_MS = { withoutCache: 1600, withCache: 700, reload: 100 };
/** Of a budget, as a part of it: more than 1 = exceeded. */
const ratio = (value: number, budget: number) => Math.round((value / budget) * 100) / 100;
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
  const reloads: Taken[] = [];
  let before = 0;
  for (let index = 0; index < RELOADS; index++) {
    if (index === 100) before = heapMb();
    await writeFile(file, toolFile(7, `version ${index}`));
    const { result, ...taken } = await measure(() => runtime.reload());
    if (result.status !== 'changed') throw new Error(`reload ${index}: ${JSON.stringify(result)}`);
    reloads.push(taken);
  }
  const outcome = await runtime.call('tool_7', { query: 'x' });
  if (outcome.status !== 'success') throw new Error(JSON.stringify(outcome));
  await sleep(100);
  const after = heapMb();
  const living = runtime.livingGenerations;
  await runtime.close();

  const wall = (list: readonly Taken[]) => median(list.map(({ wallMs }) => wallMs));
  const cpu = (list: readonly Taken[]) => round(median(list.map(({ cpuMs }) => cpuMs)));
  const childCpu = (list: readonly Taken[]) => list.reduce((sum, one) => sum + one.childCpuMs, 0) / list.length;
  console.log(
    JSON.stringify(
      {
        tools: TOOLS,
        load: loadavg().map(round),
        start: {
          withoutCacheMs: round(wall(cold)),
          withCacheMs: round(wall(warm)),
          withoutCacheCpuMs: cpu(cold),
          withCacheCpuMs: cpu(warm),
          withoutCacheChildCpuMs: round(childCpu(cold)),
          withCacheChildCpuMs: round(childCpu(warm)),
          ofBudget: {
            withoutCache: ratio(wall(cold), BUDGET_MS.withoutCache),
            withCache: ratio(wall(warm), BUDGET_MS.withCache),
          },
        },
        reload: {
          reloads: RELOADS,
          p50Ms: round(wall(reloads)),
          p99Ms: round(
            quantile(
              reloads.map(({ wallMs }) => wallMs),
              0.99,
            ),
          ),
          cpuP50Ms: cpu(reloads),
          childCpuMeanMs: round(childCpu(reloads)),
          ofBudget: ratio(wall(reloads), BUDGET_MS.reload),
          heapGrowthMb: round(after - before),
          livingGenerations: living,
        },
        budgetMs: BUDGET_MS,
      },
      undefined,
      2,
    ),
  );
} finally {
  await rm(root, { recursive: true, force: true });
}
