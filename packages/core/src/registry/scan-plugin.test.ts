import { describe, expect, it } from 'vitest';
import { agentFiles, expectReadable, scanFolder, skillText } from './fixtures/scan-folder.ts';
import { writeProject } from './fixtures/write-project.ts';

describe('scanPlugin', () => {
  it.each<[string, Record<string, string>, object]>([
    ['no index', { 'tools/a/main.ts': '' }, { code: 'MISSING_INDEX', file: 'tools/a', found: '"main.ts"' }],
    ['two', { 'hooks/a/index.ts': '', 'hooks/a/index.js': '' }, { code: 'AMBIGUOUS_INDEX', file: 'hooks/a' }],
    ['a file for a tool', { 'tools/a.ts': '' }, { code: 'MISPLACED_FILE', expected: 'tools/a/index.ts' }],
    ['a file for a plugin', { 'plugins/a.ts': '' }, { code: 'MISPLACED_FILE', expected: 'plugins/a/plugin.ts' }],
    ['a file for a folder', { tools: '' }, { code: 'UNREADABLE_FILE', file: 'tools', found: 'ENOTDIR' }],
    ['a bad name', { 'tools/天气/index.ts': '' }, { code: 'INVALID_NAME', file: 'tools/天气/index.ts', field: 'name' }],
    ['a bad plugin', { 'plugins/天气/plugin.ts': '' }, { code: 'INVALID_NAME', file: 'plugins/天气' }],
    ['a bad skill', { 'skills/a b/SKILL.md': skillText('a b') }, { code: 'INVALID_NAME', file: 'skills/a b/SKILL.md' }],
    ['tool/', { 'tool/a/index.ts': '' }, { code: 'MISNAMED_FOLDER', file: 'tool', expected: 'tools' }],
    ['promptsections/', { 'promptsections/a/index.ts': '' }, { code: 'MISNAMED_FOLDER', expected: 'prompt-sections' }],
    ['Skill/', { 'Skill/a/SKILL.md': skillText('a') }, { code: 'MISNAMED_FOLDER', expected: 'skills' }],
    ['plugin/', { 'plugin/a/plugin.ts': '' }, { code: 'MISNAMED_FOLDER', expected: 'plugins' }],
    ['agnets/', { 'agnets/a/agent.json': '{}' }, { code: 'MISNAMED_FOLDER', expected: 'agents', fatal: false }],
    ['tool/ below', { 'plugins/m/tool/a/index.ts': '' }, { code: 'MISNAMED_FOLDER', file: 'plugins/m/tool' }],
    [
      'hook/ of a skill',
      { 'skills/a/SKILL.md': skillText('a'), 'skills/a/hook/b/index.ts': '' },
      { code: 'MISNAMED_FOLDER', file: 'skills/a/hook', hint: { values: { folder: 'skills/a/hooks' } } },
    ],
    [
      'no plugin',
      { 'plugins/m/index.ts': '' },
      { code: 'NO_PLUGIN', file: 'plugins/m', expected: 'plugins/m/plugin.ts' },
    ],
    ['two entries', { 'plugin.ts': '', 'plugin.mjs': '' }, { code: 'AMBIGUOUS_ENTRY', found: 'plugin.ts, plugin.mjs' }],
    ['no SKILL.md', { 'skills/a/readme.md': '' }, { code: 'MISSING_FILE', expected: 'skills/a/SKILL.md' }],
    ['Skill.md', { 'skills/a/Skill.md': skillText('a') }, { code: 'WRONG_CASE', expected: 'SKILL.md', fatal: false }],
    ['agents.md', { 'agents.md': 'x' }, { code: 'WRONG_CASE', expected: 'AGENTS.md', fatal: false }],
    ['a huge SKILL.md', { 'skills/a/SKILL.md': 'x'.repeat(2 ** 20 + 1) }, { code: 'FILE_TOO_LARGE' }],
    ['blank', { ...agentFiles('x'), 'agents/x/system.md': ' \n' }, { code: 'EMPTY_FILE', file: 'agents/x/system.md' }],
    ['blank', { ...agentFiles('x'), 'agents/x/agent.json': '' }, { code: 'EMPTY_FILE', file: 'agents/x/agent.json' }],
    [
      'no JSON',
      { ...agentFiles('x'), 'agents/x/agent.json': '{\n  "name": "x",\n}' },
      { code: 'INVALID_AGENT_FILE', file: expect.stringMatching(/^agents\/x\/agent\.json:[23]:\d+$/) },
    ],
    ['no object', { ...agentFiles('x'), 'agents/x/agent.json': '[]' }, { code: 'INVALID_AGENT_FILE', found: '[]' }],
    [
      'too deep',
      { ...agentFiles('x'), 'agents/x/agent.json': `${'['.repeat(100_000)}` },
      { code: 'INVALID_AGENT_FILE', file: 'agents/x/agent.json' },
    ],
    [
      'too long a name',
      { [`plugins/${'p'.repeat(40)}/tools/${'t'.repeat(40)}/index.ts`]: '' },
      { code: 'NAME_TOO_LONG', field: 'name', expected: '≤ 64, 82' },
    ],
    [
      'namesakes',
      { 'plugins/one/a/plugin.ts': '', 'plugins/two/a/plugin.ts': '' },
      { code: 'DUPLICATE_PLUGIN', found: 'plugins/one/a, plugins/two/a' },
    ],
    [
      'features',
      { 'plugins/a/package.json': '{"zhin":{"features":[{"package":"zhin.js","api":"^2"}]}}' },
      { code: 'UNMET_FEATURE', file: 'plugins/a/package.json', field: 'zhin/features/0/api' },
    ],
    [
      'deep groups',
      { 'plugins/1/2/3/4/5/6/7/8/9/plugin.ts': '' },
      { code: 'TOO_DEEP', file: 'plugins/1/2/3/4/5/6/7/8/9', fatal: false },
    ],
  ])('says what is wrong: %s', async (_what, files, problem) => {
    const result = await scanFolder(await writeProject(files));
    expect(result.problems).toMatchObject([{ fatal: true, ...problem }]);
    expectReadable(result);
  });
});
