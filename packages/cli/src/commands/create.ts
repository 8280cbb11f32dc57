import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import pc from 'picocolors';
import { CliError } from '../cli-error.ts';
import type { CommandContext } from '../command-context.ts';
import { pluginFiles } from '../create/plugin-files.ts';
import { toolFiles } from '../create/tool-files.ts';
import { exitCode } from '../exit-code.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { cliText } from '../texts.ts';

/** What models accept; a plugin's name is only the first part of a tool's. */
const NAME = { tool: /^[a-zA-Z0-9_-]{1,64}$/, plugin: /^[a-zA-Z0-9_-]{1,40}$/ } as const;

/** `create tool|plugin <name>`: writes a working start into a new folder of the project. Never overwrites anything. */
export async function runCreate(context: CommandContext, kind: 'tool' | 'plugin', name: string): Promise<number> {
  const { options, output, locale } = context;
  if (!NAME[kind].test(name)) {
    const shown = escapeControls(name).slice(0, 80);
    throw new CliError(cliText('createBadName', locale, { name: shown, pattern: NAME[kind].source }), exitCode.usage);
  }
  if (!existsSync(options.project)) {
    const project = escapeControls(options.project);
    throw new CliError(cliText('createNoProject', locale, { project }), exitCode.usage);
  }
  const folder = join(options.project, kind === 'tool' ? 'tools' : 'plugins', name);
  if (existsSync(folder)) {
    throw new CliError(cliText('createExists', locale, { folder: escapeControls(folder) }), exitCode.usage);
  }
  const files = kind === 'tool' ? toolFiles({ name, locale, toProject: '../..' }) : pluginFiles(name, locale);
  const written: string[] = [];
  for (const [path, content] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // Only ever new files: somebody may have been quicker.
    await writeFile(file, content, { flag: 'wx' });
    written.push(relative(options.project, file));
  }
  if (options.output === 'text') {
    for (const file of written) output.answer(`${pc.green('+')} ${escapeControls(file)}\n`);
    const tests = written.filter((file) => file.endsWith('.test.ts')).join(' ');
    output.notice(`${cliText('createNext', locale, { tests: escapeControls(tests) })}\n`);
  } else output.answer(`${JSON.stringify({ created: written }, undefined, 2)}\n`);
  return exitCode.ok;
}
