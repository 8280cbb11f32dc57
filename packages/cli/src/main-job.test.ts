import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProject } from '@baigong/testing';
import { describe, expect, it } from 'vitest';
import { runCli } from './fixtures/run-cli.ts';
import { Terminal } from './fixtures/terminal.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A copy of the example where its packages are found, so that its own state stays as it is. */
async function copyExample(): Promise<string> {
  const cache = join(repository, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const copy = await mkdtemp(join(cache, 'assistant-'));
  await cp(join(repository, 'examples', 'assistant', 'tools'), join(copy, 'tools'), { recursive: true });
  return copy;
}

describe('the main job', () => {
  it('runs the example’s tools with nothing configured', async () => {
    const input = [
      '/tool convert_units value=5 from=km to=mile',
      '/tool calculate expression="0.1+0.2"',
      '/tool text_stats text="你好 world"',
      '/tool calculate expression="1/0"',
      '你能做什么？',
    ].join('\n');
    const assistant = await copyExample();
    const { code, stdout, stderr } = await runCli(['chat', '--project', assistant], { input });
    await rm(assistant, { recursive: true });
    expect(code).toBe(0);
    expect(stdout).toContain('3.10685596118667');
    expect(stdout).toContain('"0.3"');
    expect(stdout).toMatch(/"hanCharacters":\s*2/);
    expect(stdout).toContain('离线');
    expect(stderr).toContain('INVALID_ARGUMENTS');
  });
});

describe('a chat in a terminal', () => {
  it('greets, answers, shows its commands, makes control characters visible and leaves', async () => {
    await using project = await createProject({
      'tools/clear/index.ts': `
        import { defineAgentTool } from 'baigong';
        export default defineAgentTool({
          description: 'Answers with control characters.', requiresApproval: 'never', execute: () => '\\u001b[2Jgone',
        });`,
    });
    const terminal = new Terminal(['--project', project.root]);
    await terminal.shows('/help');
    terminal.type('/tool clear\r');
    await terminal.shows('\\u{1b}[2Jgone');
    terminal.type('/nonsense\r');
    await terminal.shows('/nonsense');
    terminal.type('/help\r');
    await terminal.shows('Ctrl-C');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen).toContain('--session chat-');
    expect(terminal.screen).not.toContain('\u001b[2Jgone');
  });

  it('runs nothing that was typed ahead of an exit or of Ctrl-C', async () => {
    await using project = await createProject({
      'tools/append/index.ts': `
        import { appendFileSync } from 'node:fs';
        import { defineAgentTool } from 'baigong';
        export default defineAgentTool<{ line: string; ms?: number }>({
          description: 'Appends a line, then waits.',
          inputSchema: { type: 'object', properties: { line: { type: 'string' }, ms: { type: 'integer' } } },
          requiresApproval: 'never',
          async execute({ line, ms = 0 }) {
            appendFileSync('lines.txt', line + '\\n');
            await new Promise((resolve) => setTimeout(resolve, ms));
            return 'appended ' + line;
          },
        });`,
    });
    const lines = () => readFile(join(project.root, 'lines.txt'), 'utf8').catch(() => '');
    const terminal = new Terminal(['--project', project.root]);
    await terminal.shows('/help');
    terminal.type('/tool append line=ONE ms=60000\r');
    await expect.poll(lines, { timeout: 20_000 }).toBe('ONE\n');
    terminal.type('/tool append line=AHEAD\r');
    await terminal.shows('line=AHEAD');
    terminal.type('\u0003');
    await terminal.shows('CANCELLED');
    terminal.type('/tool append line=TWO\r/exit\r/tool append line=AFTER\r');
    expect(await terminal.ended).toBe(0);
    expect(await lines()).toBe('ONE\nTWO\n');
  });

  it('goes on after a message that could not be answered', async () => {
    await using project = await createProject();
    const terminal = new Terminal(['--project', project.root, '--session', '']);
    await terminal.shows('/help');
    terminal.type('hello\r');
    await terminal.shows('1 to 200 characters');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
  });

  it('is left by Ctrl-C twice, and by Ctrl-D', async () => {
    await using project = await createProject();
    const twice = new Terminal(['--project', project.root]);
    await twice.shows('/help');
    twice.type('\u0003');
    await twice.shows('Ctrl-C again');
    twice.type('\u0003');
    expect(await twice.ended).toBe(0);
    const end = new Terminal(['--project', project.root]);
    await end.shows('/help');
    end.type('\u0004');
    expect(await end.ended).toBe(0);
  });
});
