// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { describe, expect, it } from 'vitest';
import { loadProject } from './fixtures/load-project.ts';
import { showConfig } from './show-config.ts';

const SECRET = 'sk-0123456789';

describe('showConfig', () => {
  it('shows every value, defaults included, in the order of the schema, with its origin', async () => {
    const loaded = await loadProject(
      { 'root/baigong.config.yml': 'plugins: { maps: true }\nlocale: zh\nturn:\n  maxSteps: 3\n' },
      { flags: new Map([['turn.timeoutMs', '9']]) },
    );
    const rows = showConfig(loaded);
    expect(rows.map(({ key }) => key)).toEqual([
      'locale',
      'ai.providers',
      'ai.mcpServers',
      'ai.agents',
      'ai.agent.systemPromptMaxChars',
      'ai.agent.deferredTools.maxLoadedPerSession',
      'ai.agent.deferredTools.discoverTopK',
      'ai.agent.deferredTools.alwaysLoadedTools',
      'ai.agent.deferredTools.alwaysLoadedMode',
      'ai.agent.deferredTools.mcpServers',
      'turn.maxSteps',
      'turn.timeoutMs',
      'turn.historyTurns',
      'turn.historyChars',
      'turn.parkAfterMs',
      'approval.mode',
      'approval.unattended',
      'approval.approvers',
      'approval.ownerSkips',
      'approval.timeoutMs',
      'approval.answerByMs',
      'approval.useByMs',
      'approval.dangerousUseByMs',
      'record.enabled',
      'execution.timeoutMs',
      'execution.maxOutputChars',
      'execution.maxChildren',
      'execution.environment',
      'session.idleMs',
      'session.overlap',
      'state.folder',
      'state.durability',
      'state.retentionMs',
      'reload.watch',
      'reload.quietMs',
      'network.allowHosts',
      'network.allowFakeIp',
      'plugins.maps',
      'trusted',
      'config',
    ]);
    expect(rows).toContainEqual({ key: 'turn.maxSteps', value: 3, origin: 'project', place: 'baigong.config.yml:4' });
    expect(rows).toContainEqual({ key: 'turn.timeoutMs', value: 9, origin: 'flag', place: '--set turn.timeoutMs' });
    expect(rows).toContainEqual({ key: 'turn.historyTurns', value: 50, origin: 'default' });
  });

  it.each([
    ['a key written out', `ai: { providers: { openai: { apiKey: ${SECRET} } } }`, 'ai.providers.openai.apiKey'],
    ['a variable', 'config: { a: "${KEY}" }', 'config.a'],
    ['a variable in a longer text', 'config: { a: "Bearer ${KEY}" }', 'config.a'],
    ['a file', 'config: { a: { file: key.txt } }', 'config.a'],
    ['a variable in a list', 'trusted: [a, "${KEY}"]', 'trusted'],
    ['a variable in an object in a list', 'config: { a: [{ b: { c: "${KEY}" } }] }', 'config.a'],
    ['a variable in a number', 'turn: { maxSteps: "${STEPS}" }', 'turn.maxSteps'],
  ])('masks %s', async (_what, content, key) => {
    const loaded = await loadProject(
      { 'root/baigong.config.yml': content, 'root/key.txt': SECRET },
      { environment: { KEY: SECRET, STEPS: '12345678' } },
    );
    expect(loaded.problems).toEqual([]);
    const rows = showConfig(loaded);
    expect(rows.find((row) => row.key === key)?.value).toBe('••••');
    expect(JSON.stringify(rows)).not.toMatch(/0123456789|12345678/);
  });

  it('masks a secret that stands inside other values and names', async () => {
    const loaded = await loadProject(
      {
        'root/baigong.config.yml': `ai: { providers: { openai: { apiKey: "\${KEY}" } } }\nconfig: { a: "x ${SECRET} y", b: [{ "${SECRET}": 1 }], "${SECRET}": 1 }`,
      },
      { environment: { KEY: SECRET } },
    );
    const rows = showConfig(loaded);
    expect(rows).toContainEqual({
      key: 'config.a',
      value: 'x •••• y',
      origin: 'project',
      place: 'baigong.config.yml:2',
    });
    expect(rows.find(({ key }) => key === 'config.b')?.value).toEqual([{ '••••': 1 }]);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('masks the key of a provider from a flag, too', async () => {
    const loaded = await loadProject({}, { flags: new Map([['ai.providers.openai.apiKey', SECRET]]) });
    expect(loaded.settings.ai.providers.openai?.apiKey).toBe(SECRET);
    expect(JSON.stringify(showConfig(loaded))).not.toContain(SECRET);
  });
});
