import { createProject, startScriptedModel, type TemporaryProject } from '@baigong/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { startCli } from './fixtures/run-cli.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const tool = (value: string) => `import { defineAgentTool } from 'baigong';
export default defineAgentTool({ description: 'Says it.', requiresApproval: 'never', execute: () => ${value} });
`;

/** The real program, answering what is written to it line by line. */
async function startChat() {
  const project: TemporaryProject = await createProject({
    'package.json': '{ "name": "chat", "type": "module" }',
    'baigong.config.yml': 'reload:\n  quietMs: 100\n',
    'tools/say/index.ts': tool("'one'"),
  });
  undo.push(() => project.remove());
  const server = await startScriptedModel({
    answers: [
      { when: { lastRole: 'user' }, calls: [{ name: 'say' }], repeat: true },
      { when: { lastRole: 'tool' }, text: 'It was said.', repeat: true },
    ],
  });
  undo.push(() => server.close());
  const environment = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'scripted' };
  const child = startCli(['--project', project.root, 'chat'], environment);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  undo.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout?.resume();
  /** What the model was told that the tool said, to the newest message. */
  const ask = async (): Promise<string | undefined> => {
    const before = server.requests.length;
    child.stdin?.write('go\n');
    await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBe(before + 2);
    return server.requests.at(-1)?.messages.at(-1)?.results[0]?.text;
  };
  const told = (part: string) => expect.poll(() => errors, { timeout: 30_000 }).toContain(part);
  return { project, child, ended, ask, told };
}

describe('baigong chat', () => {
  it('takes up saves while it runs, tells faults and serves on, and takes up the repair', async () => {
    const { project, child, ended, ask, told } = await startChat();
    expect(await ask()).toBe('one');
    await project.write({ 'tools/say/index.ts': tool("'two'") });
    await told('generation 2');
    expect(await ask()).toBe('two');
    await project.write({ 'tools/say/index.ts': 'export default {,' });
    await told('tools/say/index.ts:1');
    await told('generation 2 goes on serving');
    expect(await ask()).toBe('two');
    await project.write({ 'tools/say/index.ts': tool("'three'") });
    await told('generation 3');
    expect(await ask()).toBe('three');
    await project.write({ 'package-lock.json': '{}' });
    await told('package-lock.json');
    child.stdin?.end();
    expect(await ended).toBe(0);
  });
});
