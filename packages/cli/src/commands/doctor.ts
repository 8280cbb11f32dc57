import { access, constants, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BaigongError, createMask, createRuntime, type Problem, renderText } from 'baigong';
import pc from 'picocolors';
import { type CommandContext, loadConfiguration } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { printProblems, problemJson } from '../print-problems.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { cliText } from '../texts.ts';

interface Check {
  readonly name: 'node' | 'project' | 'model' | 'state' | 'locale';
  readonly ok: boolean;
  readonly detail: string;
}

/** `doctor`: looks at everything that a chat would need and says what is not in order. Changes nothing. */
export async function runDoctor(context: CommandContext): Promise<number> {
  const { options, output, locale } = context;
  const project = await checkProject(context);
  const model = await checkModel(context);
  // What came by reference is shown nowhere, not even as a folder's name.
  const mask = createMask((await loadConfiguration(context)).secretTexts);
  const found: readonly Check[] = [
    { name: 'node', ok: true, detail: process.version },
    project.check,
    model,
    await checkState(context),
    await checkLocale(context),
  ];
  const checks = found.map((check) => ({ ...check, detail: mask(check.detail) }));
  const names = {
    node: 'doctorNode',
    project: 'doctorProject',
    model: 'doctorModel',
    state: 'doctorState',
    locale: 'doctorLocale',
  } as const;
  if (options.output === 'text') {
    for (const { name, ok, detail } of checks) {
      const sign = ok ? pc.green('✓') : pc.red('✗');
      output.answer(`${sign} ${cliText(names[name], locale)}: ${escapeControls(detail)}\n`);
    }
    if (project.problems.length > 0) output.answer(`${printProblems(project.problems, locale)}\n`);
  } else {
    const problems = project.problems.map((problem) => problemJson(problem, locale));
    output.answer(`${JSON.stringify({ ok: checks.every((check) => check.ok), checks, problems }, undefined, 2)}\n`);
  }
  const failed = checks.find((check) => !check.ok)?.name;
  if (failed === undefined) return exitCode.ok;
  return {
    project: exitCode.project,
    model: exitCode.turn,
    state: exitCode.state,
    node: exitCode.fault,
    locale: exitCode.fault,
  }[failed];
}

async function checkProject({
  options,
  locale,
}: CommandContext): Promise<{ check: Check; problems: readonly Problem[] }> {
  try {
    const runtime = await createRuntime({
      project: options.project,
      store: 'memory',
      flags: new Map([...options.flags, ['ai.model', 'offline']]),
      defaultLocale: locale,
    });
    const { table, problems } = runtime;
    await runtime.close();
    const counts = new Map<string, number>();
    for (const { kind } of table.capabilities) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const tools = cliText('doctorTools', locale, { count: table.tools.length });
    const others = [...counts].filter(([kind]) => kind !== 'tool').map(([kind, count]) => `${kind}: ${count}`);
    const detail = [resolve(options.project), tools, ...others].join(', ');
    return { check: { name: 'project', ok: true, detail }, problems };
  } catch (error) {
    if (!BaigongError.isInstance(error)) throw error;
    const fatal = error.problems.filter((problem) => problem.fatal).length;
    const faults = cliText('doctorFaults', locale, { fatal, warnings: error.problems.length - fatal });
    const detail = error.problems.length === 0 ? renderText(error.reason, locale) : faults;
    return { check: { name: 'project', ok: false, detail }, problems: error.problems };
  }
}

async function checkModel(context: CommandContext): Promise<Check> {
  const { locale } = context;
  try {
    // The project's configuration and .env count, its code does not: a faulty tool is another matter.
    const { settings, environment } = await loadConfiguration(context);
    const runtime = await createRuntime({
      store: 'memory',
      defaultLocale: locale,
      settings: { ai: settings.ai },
      environment,
    });
    const { name, offline } = runtime.model;
    await runtime.close();
    return { name: 'model', ok: true, detail: offline ? cliText('doctorOffline', locale) : name };
  } catch (error) {
    if (!BaigongError.isInstance(error)) throw error;
    return { name: 'model', ok: false, detail: renderText(error.reason, locale) };
  }
}

/** As tools and the model are told them. */
async function checkLocale(context: CommandContext): Promise<Check> {
  const { settings } = await loadConfiguration(context);
  const { locale = context.locale, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = settings;
  return { name: 'locale', ok: true, detail: `${locale}, ${timeZone}` };
}

async function checkState(context: CommandContext): Promise<Check> {
  const { options, locale } = context;
  const { settings } = await loadConfiguration(context);
  const { folder } = settings.state;
  const file = join(folder, 'baigong.db');
  try {
    const exists = await stat(file).then(
      () => true,
      () => false,
    );
    if (!exists) {
      const own = await stat(folder).catch(() => undefined);
      if (own !== undefined && !own.isDirectory()) {
        return { name: 'state', ok: false, detail: cliText('doctorNoFolder', locale, { folder }) };
      }
      const parent = own === undefined ? resolve(options.project) : folder;
      const writable = await access(parent, constants.W_OK).then(
        () => true,
        () => false,
      );
      const key = writable ? 'doctorStateNew' : 'doctorNotWritable';
      return { name: 'state', ok: writable, detail: cliText(key, locale, { folder, parent }) };
    }
    const runtime = await createRuntime({ store: { file }, model: 'offline', locale });
    await runtime.close();
    return { name: 'state', ok: true, detail: file };
  } catch (error) {
    const reason = BaigongError.isInstance(error)
      ? renderText(error.reason, locale)
      : error instanceof Error
        ? error.message
        : String(error);
    return { name: 'state', ok: false, detail: reason };
  }
}
