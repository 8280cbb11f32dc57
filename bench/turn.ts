/**
 * Own CPU time of one turn with one `inline` tool call, by number of registered tools and by what is kept: nothing but
 * what the turn needs (record off), the record in memory, the record in SQLite without waiting for the disk (lazy), and
 * with the rules of durable state (the end of each turn, and the start of a call that may change the world, on disk).
 *
 *   npm run bench                 all figures
 *   npm run bench -- --quick      fewer turns, for a look
 *
 * The model is in-process and answers at once: what is measured is ours. Each figure is the median of seven batches
 * after a warm-up; absolute times depend on the machine, so the ratios of one run are what counts. The run fails when
 * something that is said to be on did no work.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { type AgentTool, createRuntime, defineAgentTool, type Runtime } from 'baigong';

const BATCHES = 7;
const quick = process.argv.includes('--quick');
const turnsPerBatch = quick ? 50 : 300;

interface Work {
  executed: number;
  events: number;
  sentTools: number;
  modelRequests: number;
}

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  },
} as const;

/** Calls the first tool, then answers. */
function createModel(work: Work): MockLanguageModelV4 {
  const model: MockLanguageModelV4 = new MockLanguageModelV4({
    doStream: async ({ prompt, tools = [] }) => {
      // The mock keeps every request; a turn's cost must not include the memory of all turns before it.
      model.doStreamCalls.length = 0;
      work.modelRequests++;
      work.sentTools = tools.length;
      const answered = prompt.at(-1)?.role === 'tool';
      return {
        stream: convertArrayToReadableStream<LanguageModelV4StreamPart>(
          answered
            ? [
                { type: 'text-start', id: '1' },
                { type: 'text-delta', id: '1', delta: 'It is sunny in Beijing.' },
                { type: 'text-end', id: '1' },
                finish,
              ]
            : [
                { type: 'tool-call', toolCallId: 'call_1', toolName: 'tool_0', input: '{"city":"北京","days":2}' },
                { ...finish, finishReason: { unified: 'tool-calls', raw: 'tool_calls' } },
              ],
        ),
      };
    },
  });
  return model;
}

function createTools(count: number, work: Work, reads: boolean): Record<string, AgentTool> {
  const tools: Record<string, AgentTool> = {};
  for (let index = 0; index < count; index++) {
    tools[`tool_${index}`] = defineAgentTool<{ city: string; days: number }>({
      description: `Forecast number ${index} of a city. Use when the user asks about the weather.`,
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', minLength: 1, description: 'name of the city' },
          days: { type: 'integer', minimum: 1, maximum: 7, default: 3 },
        },
        required: ['city'],
        additionalProperties: false,
      },
      requiresApproval: 'never',
      permissions: ['role(trusted)'],
      annotations: { readOnlyHint: reads, openWorldHint: false },
      execute: ({ city, days }) => {
        work.executed++;
        return { city, days, text: 'sunny, 21 °C' };
      },
    });
  }
  return tools;
}

async function turn(runtime: Runtime, work: Work): Promise<string> {
  // A session of its own each: what is measured is a turn, not a growing history.
  const running = runtime.run({ text: 'What is the weather in Beijing?' });
  for await (const event of running) if (event.seq >= 0) work.events++;
  const { status, turnId } = await running.result;
  if (status !== 'done') throw new Error(`a turn ended as ${status}`);
  return turnId;
}

/** What is kept, by name. */
const keeps = {
  'record off': { store: 'memory', record: false, durability: 'full' },
  memory: { store: 'memory', record: true, durability: 'full' },
  'SQLite lazy': { store: 'sqlite', record: true, durability: 'lazy' },
  'SQLite durable': { store: 'sqlite', record: true, durability: 'full' },
} as const;

type Keep = keyof typeof keeps;

async function measure(count: number, keep: Keep, reads = true): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'baigong-bench-'));
  const work: Work = { executed: 0, events: 0, sentTools: 0, modelRequests: 0 };
  const { store, record, durability } = keeps[keep];
  const runtime = await createRuntime({
    tools: createTools(count, work, reads),
    model: createModel(work),
    settings: { record: { enabled: record }, state: { durability } },
    store: store === 'memory' ? 'memory' : { file: join(folder, 'bench.db') },
  });
  try {
    for (let index = 0; index < turnsPerBatch; index++) await turn(runtime, work);
    await verify(runtime, work, count, record);
    const batches: number[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      globalThis.gc?.();
      const before = process.cpuUsage();
      for (let index = 0; index < turnsPerBatch; index++) await turn(runtime, work);
      const { user, system } = process.cpuUsage(before);
      batches.push((user + system) / turnsPerBatch);
    }
    return median(batches);
  } finally {
    await runtime.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is said to be on must have done its work. */
async function verify(runtime: Runtime, work: Work, count: number, keepsRecord: boolean): Promise<void> {
  const done = { ...work };
  const id = await turn(runtime, work);
  const record = await runtime.record(id);
  const kinds = new Set(record.map((entry) => entry.kind));
  const messages = await runtime.messages(id);
  const refused = await runtime.call('tool_0', { city: '', days: 99 });
  const checks: readonly (readonly [string, boolean])[] = [
    ['the tool ran', work.executed === done.executed + 1],
    ['two model requests', work.modelRequests === done.modelRequests + 2],
    ['all admitted tools were sent', work.sentTools === count],
    ['admission by role', runtime.table.admissionClasses.some((rule) => rule.permissions.length > 0)],
    ['one listener got the events', work.events > done.events + 5],
    ['messages were stored', messages.length === 4],
    [
      keepsRecord ? 'the record was written' : 'the record is off',
      ['turn-start', 'call-start', 'call-end', 'turn-end'].every((kind) => kinds.has(kind) === keepsRecord),
    ],
    [
      'the call has its row',
      (await runtime.calls(id)).some(({ state, status }) => state === 'ended' && status === 'success'),
    ],
    ['arguments were validated', refused.status === 'error' && refused.code === 'INVALID_ARGUMENTS'],
  ];
  const idle = checks.filter(([, worked]) => !worked).map(([name]) => name);
  if (idle.length > 0) throw new Error(`did no work: ${idle.join(', ')}`);
}

/** The same two model requests without us. */
async function measureModelAlone(): Promise<number> {
  const work: Work = { executed: 0, events: 0, sentTools: 0, modelRequests: 0 };
  const model = createModel(work);
  const ask = async (role: 'user' | 'tool') => {
    const prompt =
      role === 'user'
        ? [{ role, content: [{ type: 'text' as const, text: 'x' }] }]
        : [
            {
              role,
              content: [
                {
                  type: 'tool-result' as const,
                  toolCallId: '1',
                  toolName: 'tool_0',
                  output: { type: 'text' as const, value: '' },
                },
              ],
            },
          ];
    const { stream } = await model.doStream({ prompt: prompt as never });
    const reader = stream.getReader();
    while (!(await reader.read()).done);
  };
  const batches: number[] = [];
  for (let batch = 0; batch <= BATCHES; batch++) {
    const before = process.cpuUsage();
    for (let index = 0; index < turnsPerBatch; index++) {
      await ask('user');
      await ask('tool');
    }
    const { user, system } = process.cpuUsage(before);
    if (batch > 0) batches.push((user + system) / turnsPerBatch);
  }
  return median(batches);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

console.log(
  `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; ${BATCHES} batches of ${turnsPerBatch} turns`,
);
console.log(
  'on: admission by role, all admitted tools sent, exact JSON, JSON Schema validation, repeat check, requirement, caps, events with one listener, messages and record stored',
);
const alone = await measureModelAlone();
console.log(`the mock model alone: ${alone.toFixed(0)} µs a turn (included in the figures below)`);
let first: number | undefined;
const print = (name: string, count: number, microseconds: number) => {
  first ??= microseconds;
  const ratio = (microseconds / first).toFixed(2);
  const tools = `${String(count).padStart(6)} tools`;
  console.log(`${name.padEnd(26)} ${tools}  ${microseconds.toFixed(0).padStart(6)} µs CPU a turn  ×${ratio}`);
};
print('memory', 1, await measure(1, 'memory'));
for (const count of [200, 10_000]) print('memory', count, await measure(count, 'memory'));
print('record off', 1, await measure(1, 'record off'));
for (const keep of ['SQLite lazy', 'SQLite durable'] as const) {
  for (const count of [1, 10_000]) print(keep, count, await measure(count, keep));
  print(`${keep}, call writes`, 1, await measure(1, keep, false));
}
