import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProject, type TemporaryProject } from '@baigong/testing';
import { describe, expect, it } from 'vitest';
import { BaigongError } from './contracts/baigong-error.ts';
import { createRuntime } from './runtime.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const docs = join(repository, 'docs');

/** Documents whose code is tested here; every block of theirs in these languages names its file. */
const RUN = ['tools.md', 'plugins.md', 'reload.md', 'cli.md', 'embedding.md', 'approvals.md'];
/** `config-docs.test.ts` loads the examples of the first; the others show programs that need what a reader brings. */
const RUN_ELSEWHERE = ['configuration.md', 'models.md', 'testing.md'];
/** Fragments about a program of the reader's own. */
const WITH_FRAGMENTS = new Set(['embedding.md']);

/** Files that declare a capability, wherever they stand in the project itself. */
const DECLARES =
  /^(?:plugins\/[^/]+\/|skills\/[^/]+\/)*(?:(?:tools|hooks|prompt-sections)\/[^/]+\/index\.ts|skills\/[^/]+\/SKILL\.md|agents\/[^/]+\/agent\.json)$/;

interface Block {
  readonly language: string;
  readonly content: string;
  /** What its first line names, and the rest of it. */
  readonly file?: { readonly path: string; readonly content: string };
}

interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

const NAMED = /^(?:\/\/|#|<!--) (\S+\.[a-z]+)(?: -->)?\n/;
/** Every command is a process of its own, and others may be busy too. */
const PATIENCE_MS = 240_000;

/** Formats without comments, or in which the first line has a meaning. */
const NAME_IS_NO_PART = /\.(?:json|md)$/;

/** The blocks of each part of a document that begins with `#` or `##`. */
function sectionsOf(markdown: string): readonly Section[] {
  const sections: { title: string; blocks: Block[] }[] = [];
  const parts = /^(#{1,2}) (.+)$|^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;
  for (const [, heading, title, indent = '', language = '', raw = ''] of markdown.matchAll(parts)) {
    if (heading !== undefined) {
      sections.push({ title: title ?? '', blocks: [] });
      continue;
    }
    const content = raw.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const [line, path] = NAMED.exec(content) ?? [];
    const named =
      line === undefined || path === undefined ? {} : { file: { path, content: fileContent(path, line, content) } };
    sections.at(-1)?.blocks.push({ language, content, ...named });
  }
  return sections.filter(({ blocks }) => blocks.length > 0);
}

function fileContent(path: string, firstLine: string, content: string): string {
  return NAME_IS_NO_PART.test(path) ? content.slice(firstLine.length) : content;
}

const documents = RUN.flatMap((name) =>
  (['en', 'zh'] as const).map((locale) => {
    const path = locale === 'en' ? name : `zh/${name}`;
    return { name, path, locale, sections: sectionsOf(readFileSync(join(docs, path), 'utf8')) };
  }),
);

/** Loads what stands in the project now: its fatal problems, each in one line, and the files of its capabilities. */
async function load({ root }: TemporaryProject): Promise<{ readonly faults: string[]; readonly files: string[] }> {
  try {
    const options = { project: root, home: root, store: 'memory', model: 'offline', environment: {} } as const;
    const runtime = await createRuntime(options);
    await runtime.close();
    return { faults: [], files: runtime.table.capabilities.flatMap(({ source }) => source.file ?? []) };
  } catch (error) {
    if (!BaigongError.isInstance(error)) throw error;
    const fatal = error.problems.filter((problem) => problem.fatal);
    return { faults: fatal.map(({ code, file, field }) => `${code} ${file} ${field ?? ''}`), files: [] };
  }
}

/** What a reader of these lines of a shell would see: answers, or messages where there is no answer. */
async function runShell(script: string, project: TemporaryProject, locale: 'en' | 'zh'): Promise<string> {
  let seen = '';
  for (const line of script.trim().split('\n')) {
    const [program, ...rest] = wordsOf(line);
    const words =
      program === 'baigong'
        ? [join(repository, 'packages/cli/src/main.ts'), '--lang', locale, '--project', '.', ...rest]
        : rest;
    expect(['baigong', 'node']).toContain(program);
    seen += await runNode(words, project.root);
  }
  return seen;
}

function runNode(words: readonly string[], folder: string): Promise<string> {
  const flags = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning'];
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, HOME: folder, NODE_COMPILE_CACHE, LANG: 'C.UTF-8', NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, ...words], { cwd: folder, env }, (_error, stdout, stderr) => {
      resolve(stdout === '' ? stderr : stdout);
    }).stdin?.end();
  });
}

/** Words as a shell reads them, without anything but single quotes. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** Goes through a section as a reader would: writes what it shows, runs what it runs. */
async function follow({ blocks }: Section, locale: 'en' | 'zh'): Promise<void> {
  await using project = await createProject();
  const modules = join(project.root, 'node_modules');
  await mkdir(modules);
  await symlink(join(repository, 'packages/core'), join(modules, 'baigong'));
  const written = new Set<string>();
  for (const [index, { language, content, file }] of blocks.entries()) {
    if (file !== undefined) {
      // What a later block replaces must have been right too.
      if (written.has(file.path)) expect((await load(project)).faults).toEqual([]);
      written.add(file.path);
      await project.write({ [file.path]: file.content });
    }
    const next = blocks[index + 1];
    if (language === 'sh' && next?.language === 'text') {
      const shown = await runShell(content, project, locale);
      expect(shown.trimEnd()).toBe(next.content.trimEnd());
    }
  }
  const { faults, files } = await load(project);
  expect(faults).toEqual([]);
  expect(files).toEqual(expect.arrayContaining([...written].filter((path) => DECLARES.test(path))));
}

describe('the documents', () => {
  it('are all known here', () => {
    const known = [...RUN, ...RUN_ELSEWHERE].sort();
    expect(
      readdirSync(docs)
        .filter((name) => name.endsWith('.md'))
        .sort(),
    ).toEqual(known);
  });

  it.each(documents)('$path shows files, and names every one', ({ name, sections }) => {
    const blocks = sections.flatMap((section) => section.blocks);
    expect(blocks.filter(({ file }) => file !== undefined)).not.toEqual([]);
    const unnamed = blocks.filter(({ file, language }) => file === undefined && /^(?:ts|yaml|json|md)$/.test(language));
    if (!WITH_FRAGMENTS.has(name)) expect(unnamed.map(({ content }) => content)).toEqual([]);
  });

  it.each(RUN)('%s shows the same in both languages', (name) => {
    const [en, zh] = documents.filter((document) => document.name === name);
    const outline = (sections: readonly Section[] = []) =>
      sections.map(({ blocks }) => blocks.map(({ language, file }) => file?.path ?? language));
    expect(outline(zh?.sections)).toEqual(outline(en?.sections));
  });

  it.each(documents)('$path links to places that exist', ({ path }) => {
    const folder = join(docs, path, '..');
    const text = readFileSync(join(docs, path), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
    const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#([^)]+))?\)/g)].filter(([, to = '']) => !/^https?:/.test(to));
    expect(targets).not.toEqual([]);
    for (const [, to = '', anchor] of targets) {
      expect([to, existsSync(join(folder, to))]).toEqual([to, true]);
      if (anchor !== undefined) expect(anchorsOf(join(folder, to))).toContain(anchor);
    }
  });

  const sections = documents.flatMap(({ path, locale, sections: all }) =>
    all
      .filter(({ blocks }) => blocks.some(({ file, language }) => file !== undefined || language === 'text'))
      .map((section) => ({ place: `${path} › ${section.title}`, section, locale })),
  );
  it.concurrent.each(sections)('$place', ({ section, locale }) => follow(section, locale), PATIENCE_MS);
});

/** Anchors of the headings of a document, as GitHub makes them. */
function anchorsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
