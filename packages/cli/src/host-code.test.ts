import { createProject, startScriptedModel, type TemporaryProject } from '@baigong/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli, startCli } from './fixtures/run-cli.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const plugin = (setup: string, top = '') => `import { defineAgentTool, definePlugin } from 'baigong';
const tool = defineAgentTool({ description: 'Says it.', requiresApproval: 'never', execute: () => 'late' });
${top}
export default definePlugin({
  setup(context) {
${setup}
  },
});
`;
const say = (value: string) => `    context.addTool('say', defineAgentTool({
      description: 'Says it.', requiresApproval: 'never', execute: () => '${value}',
    }));`;

const config = (top: string) => `${top}\nexport default { reload: { quietMs: 100 } };\n`;

async function makeProject(files: Readonly<Record<string, string>>): Promise<TemporaryProject> {
  const project = await createProject({ 'package.json': '{ "name": "chat", "type": "module" }', ...files });
  undo.push(() => project.remove());
  return project;
}

/** The real program, answering what is written to it line by line. */
async function startChat() {
  const project = await makeProject({ 'baigong.config.ts': config(''), 'plugin.ts': plugin(say('one')) });
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
  child.stdin?.on('error', () => {});
  /** What the model was told that the tool said, to the newest message. */
  const ask = async (): Promise<string | undefined> => {
    const before = server.requests.length;
    child.stdin?.write('go\n');
    await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBe(before + 2);
    return server.requests.at(-1)?.messages.at(-1)?.results[0]?.text;
  };
  const told = (part: string) => expect.poll(() => errors, { timeout: 40_000 }).toContain(part);
  return { project, child, ended, ask, told, said: () => errors };
}

const EXIT = 'process.exit(0);';
const LOOP = 'while (true) {}';

describe('a chat whose project is saved with code that would end it', () => {
  it.each([
    ['plugin.ts that exits at top level', 'plugin.ts', plugin(say('two'), EXIT), 'exit code 0'],
    ['plugin.ts that never ends', 'plugin.ts', plugin(say('two'), LOOP), 'plugin.ts was not loaded within'],
    ['plugin.ts that exits in setup', 'plugin.ts', plugin(`${say('two')}\n${EXIT}`), 'plugin.ts:9:9'],
    ['a configuration that exits', 'baigong.config.ts', config(EXIT), 'exit code 0'],
    ['a configuration that never ends', 'baigong.config.ts', config(LOOP), 'baigong.config.ts was not loaded within'],
  ])('%s: the old generation goes on serving', async (_, file, content, expected) => {
    const { project, child, ended, ask, told } = await startChat();
    expect(await ask()).toBe('one');
    await project.write({ [file]: content });
    await told('generation 1 goes on serving');
    await told(expected);
    expect(await ask()).toBe('one');
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it.each([
    ['exits', EXIT, 'plugin.ts called process.exit', '(plugin.ts:9:32)'],
    ['throws', "throw new Error('too late');", 'The plugin plugin.ts failed later: too late', '(plugin.ts:9:30)'],
    [
      'rejects',
      "void Promise.reject(new Error('too late'));",
      'The plugin plugin.ts failed later: too late',
      '(plugin.ts:9',
    ],
    [
      'adds a tool',
      "context.addTool('late', tool);",
      'addTool was called after the setup of the plugin',
      'plugin.ts:9',
    ],
  ])('a timer of setup that %s: it is said in a line, and the chat goes on', async (_, late, expected, place) => {
    const { project, child, ended, ask, told, said } = await startChat();
    expect(await ask()).toBe('one');
    await project.write({ 'plugin.ts': plugin(`${say('two')}\n    setTimeout(() => { ${late} }, 1);`) });
    await told('generation 2');
    await told(expected);
    await told(place);
    expect(await ask()).toBe('two');
    expect(said()).not.toMatch(/^\s+at /m);
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it('says what a timer of the configuration does, and goes on', async () => {
    const { project, child, ended, ask, told } = await startChat();
    expect(await ask()).toBe('one');
    await project.write({ 'baigong.config.ts': config('setTimeout(() => process.exit(0), 1);') });
    await told('The configuration baigong.config.ts failed later');
    expect(await ask()).toBe('one');
    child.stdin?.end();
    expect(await ended).toBe(0);
  });
});

describe('a command on a project whose code would end it', () => {
  it.each([
    ['plugin.ts', plugin(say('one'), EXIT)],
    ['plugin.ts', plugin(EXIT)],
    ['baigong.config.ts', config(EXIT)],
    ['lib/stop.ts', 'process.exit(0);\nexport const stop = 1;\n'],
  ])('names %s and ends with exit code 3', async (file, content) => {
    const files = { 'plugin.ts': plugin(say('one')), [file]: content };
    if (file.startsWith('lib/'))
      files['plugin.ts'] = plugin(say(''), "import { stop } from './lib/stop.ts'; void stop;");
    const project = await makeProject(files);
    const result = await runCli(['--project', project.root, '--model', 'offline', 'tools', 'list']);
    expect(result.stderr).toContain(file.startsWith('lib/') ? 'plugin.ts' : file);
    expect(result.code).toBe(3);
  });

  it('ends with exit code 1 and one line when a timer of setup throws before it is done', async () => {
    const late = "    setTimeout(() => { throw new Error('too late'); }, 1);\n    return new Promise(() => {});";
    const project = await makeProject({ 'plugin.ts': plugin(late) });
    const result = await runCli(['--project', project.root, '--model', 'offline', 'tools', 'list']);
    expect(result.stderr).toContain('The plugin plugin.ts failed later: too late (plugin.ts:6:30)');
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result.code).toBe(1);
  });

  it('lets a configuration read the environment and .env in its first process too', async () => {
    const project = await makeProject({
      '.env': 'FROM_FILE=zh\n',
      'baigong.config.ts': `if (process.env.FROM_HOST !== 'yes') process.exit(7);
export default { turn: { maxSteps: 7 } };
`,
    });
    const options = { environment: { FROM_HOST: 'yes' } };
    const result = await runCli(['--project', project.root, 'config', 'show', 'turn.maxSteps'], options);
    expect(result.stdout).toContain('7');
    expect(result.code).toBe(0);
  });
});
