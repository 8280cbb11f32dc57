import { fileURLToPath } from 'node:url';
import { createRuntime, type Outcome, outcomeJson, type Runtime, type RuntimeOptions } from 'baigong';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('.', import.meta.url));

function open(options: RuntimeOptions = {}): Promise<Runtime> {
  return createRuntime({ project, store: 'memory', model: 'offline', environment: {}, ...options });
}

function resultOf(outcome: Outcome): unknown {
  return outcome.status === 'success' ? outcome.result.value : outcomeJson(outcome, 'en');
}

describe('the example of plugins', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await open();
  });
  afterAll(() => runtime?.close());

  it('loads every kind of capability, by its folder and from code', () => {
    const { table } = runtime;
    expect(table.tools.map(({ name, isolation }) => `${name} ${isolation}`)).toEqual([
      'ask_user inline',
      'digest inline',
      'editor__check-length process',
      'jot process',
      'notes__find process',
      'weekly-review__count-words process',
    ]);
    expect(table.get('editor__check-length')?.owner).toEqual({ plugin: [], agent: 'editor' });
    expect(table.get('weekly-review__count-words')?.owner).toEqual({ plugin: [], skill: 'weekly-review' });
  });

  it('warns only of the kinds that have no effect yet', () => {
    expect(runtime.problems.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'NO_EFFECT_YET skill',
      'NO_EFFECT_YET prompt-section',
      'NO_EFFECT_YET agent',
      'NO_EFFECT_YET hook',
    ]);
  });

  it('hands notes from a process through the service of one plugin to the tools of two', async () => {
    const jotted = await runtime.call('jot', { text: 'buy green tea' });
    expect(resultOf(jotted)).toEqual({ number: 1, signature: 'written by hand' });
    expect(resultOf(await runtime.call('notes__find', { word: 'tea' }))).toEqual({ found: ['buy green tea'] });
    expect(resultOf(await runtime.call('digest', {}))).toBe('1 notes, written by hand');
  });

  it('runs the private tools of the skill and of the agent by their qualified names', async () => {
    const counted = await runtime.call('weekly-review__count-words', { text: 'one two  three' });
    expect(resultOf(counted)).toEqual({ words: 3 });
    const long = await runtime.call('editor__check-length', { text: 'x'.repeat(121) });
    expect(resultOf(long)).toEqual({ short: false });
  });

  it('offers a model the public tools only', async () => {
    const answer = async (text: string) => (await runtime.run({ text }).result).text;
    expect(await answer('/tool notes__find word=tea')).toContain('"found"');
    expect(await answer('/tool editor__check-length text=x')).not.toContain('"short"');
  });
});

describe('the configuration of the example', () => {
  it('takes a tool away, and refuses what its schemas do not allow', async () => {
    const runtime = await open({ settings: { config: { digest: false } } });
    const found = runtime.table.get('digest');
    await runtime.close();
    expect(found).toBeUndefined();
    const refused = open({ settings: { plugins: { notes: { maxNotes: 0 } } } });
    await expect(refused).rejects.toMatchObject({
      code: 'PROJECT_FAULTY',
      problems: expect.arrayContaining([expect.objectContaining({ code: 'INVALID_CONFIG' })]),
    });
  });

  it('is what the service goes by', async () => {
    const runtime = await open({ settings: { plugins: { notes: { maxNotes: 1 } } } });
    await runtime.call('jot', { text: 'first' });
    const full = await runtime.call('jot', { text: 'second' });
    await runtime.close();
    expect(resultOf(full)).toMatchObject({ message: expect.stringContaining('the notebook is full (1 notes)') });
  });
});
