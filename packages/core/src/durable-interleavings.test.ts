import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApprovalModel } from './fixtures/approval-model.ts';
import { createPlanModel, type Plan, refusalOf } from './fixtures/plan-model.ts';
import {
  type AgentTool,
  type AssistantMessage,
  createRuntime,
  defineAgentTool,
  type Principal,
  type Runtime,
  type Store,
  type StoredAsk,
  type ToolMessage,
} from './index.ts';
import { createSqliteStore } from './store/index.ts';

const person: Principal = {
  id: 'terminal:local:ann',
  userId: 'ann',
  role: 'master',
  platformRoles: [],
  authentication: 'terminal',
};
const program: Principal = { ...person, authentication: 'token' };
const stranger: Principal = { ...person, id: 'chat:bot:eve', userId: 'eve', role: 'user', authentication: 'platform' };
const answerers = { person, program, stranger };

const levels = {
  look: 'never',
  note: 'never',
  stamp: 'never',
  form: 'never',
  first: 'once',
  send: 'always',
  pay: 'human',
} as const;
type ToolName = keyof typeof levels;
const again: ReadonlySet<ToolName> = new Set(['look', 'stamp', 'form']);

/** What makes one process differ from another one. */
interface Kind {
  readonly mode: 'approve' | 'auto';
  /** Of the definition of `send`. */
  readonly version: 1 | 2;
  readonly lacks?: ToolName;
  readonly isPatient: boolean;
}

type Command =
  | { readonly do: 'message'; readonly plan: Plan; readonly supersedes: boolean }
  | {
      readonly do: 'answer';
      readonly which: number;
      readonly how: 'approve' | 'deny';
      readonly by: keyof typeof answerers;
    }
  | { readonly do: 'crash' | 'close'; readonly next: Kind }
  | { readonly do: 'cancel' | 'cancel turn' | 'reset' }
  | { readonly do: 'wait'; readonly ms: number };

const call = fc.record({
  name: fc.constantFrom<string>(...Object.keys(levels), 'nothing'),
  input: fc.constantFrom('{}', '{"n":1}', '{"n":2}', '{"n":"wrong"}', '{'),
});
const kind: fc.Arbitrary<Kind> = fc.record(
  {
    mode: fc.constantFrom('approve', 'approve', 'auto'),
    version: fc.constantFrom(1, 1, 2),
    lacks: fc.constantFrom('send', 'note', 'form'),
    isPatient: fc.boolean(),
  },
  { requiredKeys: ['mode', 'version', 'isPatient'] },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('message' as const),
      plan: fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      supersedes: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(5),
      how: fc.constantFrom('approve', 'approve', 'deny'),
      by: fc.constantFrom('person', 'person', 'program', 'stranger'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('crash', 'close'), next: kind }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'cancel turn', 'reset') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(40) }) },
);

/** All processes on one store, one at a time, and the world that their tools change. */
class World {
  readonly model = new ApprovalModel();
  readonly refused: string[] = [];
  readonly #file: string;
  /** Holders whose process has ended. */
  readonly #gone = new Set<string>();
  #life: { readonly runtime: Runtime; readonly holder: string; isGone: boolean } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  get runtime(): Runtime {
    if (this.#life === undefined) throw new Error('no process lives');
    return this.#life.runtime;
  }

  async start(next: Kind): Promise<void> {
    const store = await createSqliteStore({ file: this.#file, isAlive: (holder) => !this.#gone.has(holder) });
    const state = { isGone: false };
    // A process that has ended writes nothing, and hears nothing.
    const mortal = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...values: unknown[]) => {
          if (state.isGone && name !== 'close') return name === 'subscribe' ? () => {} : new Promise(() => {});
          return Reflect.apply(member, target, values) as unknown;
        };
      },
    }) as Store;
    const runtime = await createRuntime({
      model: createPlanModel((prompt) => {
        const reason = refusalOf(prompt);
        if (reason !== undefined) this.refused.push(reason);
      }),
      store: mortal,
      tools: this.#tools(next, state),
      settings: { approval: { mode: next.mode }, turn: { parkAfterMs: next.isPatient ? 60_000 : 2 } },
    });
    this.#life = Object.assign(state, { runtime, holder: store.holder });
  }

  /** Ends the process without a word. */
  crash(): void {
    if (this.#life === undefined) return;
    this.#life.isGone = true;
    this.#gone.add(this.#life.holder);
    this.#life = undefined;
  }

  async close(): Promise<void> {
    const life = this.#life;
    await life?.runtime.close({ graceMs: 0 });
    if (life !== undefined) this.#gone.add(life.holder);
    this.#life = undefined;
  }

  async answer(ask: StoredAsk, how: 'approve' | 'deny', by: keyof typeof answerers): Promise<void> {
    const { kind: what, callId } = ask;
    const input = how === 'deny' ? { approve: false } : what === 'approval' ? { approve: true } : { value: 'x' };
    // What counts must be known before anything can come of it.
    const mayCount = what === 'approval' && by !== 'stranger' && !(ask.needsPerson && by === 'program');
    if (mayCount && how === 'approve') this.model.approve(callId, by === 'person' ? 'person' : 'program');
    const { status } = await this.runtime.answer(ask.id, input as { readonly approve: true }, {
      principal: answerers[by],
    });
    if (what === 'approval' && how === 'deny' && status === 'counted') this.model.deny(callId);
    if (by === 'stranger') expect(status).toMatch(/refused/);
    if (what === 'approval' && ask.needsPerson && by === 'program') expect(status).toBe('refused');
  }

  #tools(next: Kind, state: { readonly isGone: boolean }): Record<string, AgentTool> {
    const names = (Object.keys(levels) as ToolName[]).filter((name) => name !== next.lacks);
    return Object.fromEntries(
      names.map((name) => [
        name,
        defineAgentTool<{ n?: number }>({
          description: name === 'send' ? `Sends, version ${next.version}.` : `Does ${name}.`,
          inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
          requiresApproval: levels[name],
          annotations: {
            ...(name === 'look' || name === 'form' ? { readOnlyHint: true, openWorldHint: false } : {}),
            ...(name === 'stamp' ? { idempotentHint: true } : {}),
          },
          execute: async (_input, { call: { callId, idempotencyKey: key }, question }) => {
            await sleep(1);
            if (name === 'form') await question?.({ text: 'What?' });
            if (state.isGone) return new Promise(() => {});
            const { mode, version } = next;
            this.model.ran({ callId, level: levels[name], mode, version, key, mayRunAgain: again.has(name) });
            await sleep(1);
            return 'done';
          },
        }) as AgentTool,
      ]),
    );
  }
}

async function play(world: World, commands: readonly Command[]): Promise<void> {
  for (const step of commands) {
    const { runtime } = world;
    switch (step.do) {
      case 'message': {
        const overlap = step.supersedes ? 'supersede' : 'fifo';
        const text = JSON.stringify(step.plan);
        const turn = runtime.run({ text, session: 's', principal: person, attended: true, overlap });
        turn.result.catch(() => {});
        break;
      }
      case 'answer': {
        const asks = await runtime.asks({});
        const ask = asks[step.which % Math.max(1, asks.length)];
        if (ask !== undefined) await world.answer(ask, step.how, step.by);
        break;
      }
      case 'crash':
        world.crash();
        await world.start(step.next);
        break;
      case 'close':
        await world.close();
        await world.start(step.next);
        break;
      case 'cancel':
        await runtime.cancel({ session: 's' });
        break;
      case 'cancel turn': {
        const [turn] = await runtime.turns('s', 1);
        if (turn !== undefined) await runtime.cancel({ turn: turn.id });
        break;
      }
      case 'reset':
        await runtime.resetSession('s');
        world.model.reset();
        break;
      case 'wait':
        await sleep(step.ms);
    }
    await sleep(1);
  }
}

/** Everybody answers, until nothing is open any more. */
async function settle(world: World): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    for (const ask of await world.runtime.asks()) await world.answer(ask, 'approve', 'person');
    const open = (await world.runtime.turns('s', 100)).filter(({ endedAt }) => endedAt === undefined);
    if (open.length === 0) return;
    if (Date.now() > giveUpAt) throw new Error(`still open: ${JSON.stringify(open)}`);
    await sleep(5);
  }
}

async function judge(world: World): Promise<void> {
  const { runtime, model, refused } = world;
  expect(model.wrong).toEqual([]);
  expect(refused).toEqual([]);
  expect(await runtime.asks()).toEqual([]);
  for (const { id } of await runtime.turns('s', 100)) {
    const messages = await runtime.messages(id);
    const results = messages.filter((message): message is ToolMessage => message.role === 'tool');
    const calls = messages
      .filter((message): message is AssistantMessage => message.role === 'assistant')
      .flatMap((message) => message.calls);
    expect(results.map(({ callId }) => callId).sort()).toEqual(calls.map((one) => one.id).sort());
    for (const { callId, toolName, outcome } of results) {
      const ran = model.count(callId);
      if (outcome.status === 'success') expect(ran, `${callId} ${toolName}`).toBeGreaterThan(0);
      if (outcome.status === 'error' && outcome.effect === 'none' && !again.has(toolName as ToolName)) {
        expect(ran, `${callId} ${toolName} ${outcome.code}`).toBe(0);
      }
    }
  }
}

const runs = Number(process.env.BAIGONG_MODEL_RUNS ?? 60);

it('nothing twice, nothing without its approval, one outcome for each call, whatever happens in whatever order', {
  timeout: 60_000 + runs * 2_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(kind, fc.array(command, { minLength: 3, maxLength: 25 }), async (first, commands) => {
      const folder = await mkdtemp(join(tmpdir(), 'baigong-model-'));
      const world = new World(join(folder, 'store.db'));
      try {
        await world.start(first);
        await play(world, commands);
        await settle(world);
        await judge(world);
      } finally {
        await world.close();
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs },
  );
});
