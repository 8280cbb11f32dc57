import { createProject, type TemporaryProject } from '@baigong/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultCases, faultyProject } from './fixtures/faulty-project.ts';
import { type CliResult, runCli } from './fixtures/run-cli.ts';

interface ToldFault {
  readonly code: string;
  readonly file?: string;
  readonly field?: string;
  readonly found?: string;
  readonly expected?: string;
  readonly message: string;
  readonly hint?: string;
  readonly fatal: boolean;
}

let project: TemporaryProject;
let doctor: CliResult;
let told: readonly ToldFault[] = [];

const at = (...rest: string[]) => ['--project', project.root, ...rest];
const place = (file: string | undefined) => (file ?? '').replace(/(:\d+){1,2}$/, '');

function faultsIn(stdout: string): readonly ToldFault[] {
  return JSON.parse(stdout).problems.filter(({ fatal }: ToldFault) => fatal);
}

beforeAll(async () => {
  project = await createProject(faultyProject);
  doctor = await runCli(at('doctor', '--output', 'json'));
  told = faultsIn(doctor.stdout);
});
afterAll(() => project.remove());

describe('a project with a fault of every kind', () => {
  it('ends doctor with code 3, and every fault is told in that one run', () => {
    expect({ code: doctor.code, stderr: doctor.stderr }).toEqual({ code: 3, stderr: '' });
    const sorted = (faults: readonly { readonly code: string; readonly file?: string }[]) =>
      faults.map(({ code, file }) => `${code} ${place(file)}`).sort();
    // Neither is one missing, nor is one told twice, nor is one the mere consequence of another.
    expect(sorted(told)).toEqual(sorted(Object.values(faultCases)));
    expect(told.length).toBeGreaterThan(20);
  });

  it.each(Object.entries(faultCases))(
    'tells %s by file and field, what was found and what is expected',
    (_name, one) => {
      const found = told.filter(({ code, file }) => code === one.code && place(file) === one.file);
      expect(found).toHaveLength(1);
      const [fault] = found;
      if (one.field !== undefined) expect(fault?.field).toBe(one.field);
      if (one.found !== undefined) expect(`${fault?.found}\n${fault?.message}`).toContain(one.found);
      if (one.expected !== undefined) expect(`${fault?.expected}\n${fault?.hint}`).toContain(one.expected);
      expect(fault?.message).not.toBe('');
    },
  );

  it('names the package to trust by the name under which it is trusted', () => {
    const fault = told.find(({ code }) => code === 'UNTRUSTED_INLINE');
    expect(fault?.hint).toContain('list @acme/baigong-plugin-odd under trusted:');
  });

  it('tells the same at every other command that needs the project, and runs nothing', async () => {
    const { code, stdout, stderr } = await runCli(at('tools', 'list', '--output', 'json'));
    expect(code).toBe(3);
    const said = `${stdout}${stderr}`;
    for (const { file, code: fault } of Object.values(faultCases))
      expect({ fault, said: said.includes(file) }).toEqual({ fault, said: true });
  });

  it('says it in Chinese with every gap filled, and shows people every fault as a block', async () => {
    const data = await runCli(at('doctor', '--output', 'json', '--lang', 'zh'));
    const chinese = faultsIn(data.stdout);
    expect(chinese.map(({ code, file, field }) => ({ code, file, field }))).toEqual(
      told.map(({ code, file, field }) => ({ code, file, field })),
    );
    for (const { message, hint } of chinese) {
      expect(message).toMatch(/[一-鿿]/);
      if (hint !== undefined) expect(hint).toMatch(/[一-鿿]/);
    }
    for (const { code, message, hint = '' } of [...told, ...chinese]) {
      // `${NAME}` and `{ … }` are what authors are to write; a name in single braces would be a gap.
      expect({ code, gaps: `${message} ${hint}`.match(/(?<!\$)\{[a-z][A-Za-z]*\}/g) }).toEqual({ code, gaps: null });
      expect(`${message} ${hint}`).not.toMatch(/\bundefined\b|\[object /);
      expect(`${message} ${hint}`).not.toContain(project.root);
    }
    const text = await runCli(at('doctor', '--lang', 'zh'));
    expect(text.code).toBe(3);
    for (const { message } of chinese) expect(text.stdout).toContain(message.replaceAll(/\s*\n\s*/g, ' '));
  });
});
