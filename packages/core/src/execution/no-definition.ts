import type { EntryKind } from '../contracts/code-host.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import type { ReadDefinition } from './read-definition.ts';

const DEFINE: Readonly<Record<EntryKind, string>> = {
  tool: 'defineAgentTool',
  'prompt-section': 'defineAgentPromptSection',
  hook: 'defineHook',
  plugin: 'definePlugin',
};

const PLACE: Readonly<Record<EntryKind, string>> = {
  tool: 'tools/<name>/index.ts',
  'prompt-section': 'prompt-sections/<name>/index.ts',
  hook: 'hooks/<name>/index.ts',
  plugin: 'plugin.ts',
};

const NOT_A: Readonly<Record<EntryKind, string>> = {
  tool: 'NOT_A_TOOL',
  'prompt-section': 'NOT_A_PROMPT_SECTION',
  hook: 'NOT_A_HOOK',
  plugin: 'NOT_A_PLUGIN',
};

/** What is wrong with a file, or an added object, that does not declare what its place asks for. */
export function noDefinition(read: Exclude<ReadDefinition, { kind: 'found' }>, kind: EntryKind, file: string): Problem {
  const define = DEFINE[kind];
  const base = {
    file,
    expected: `export default ${define}({ … })`,
    hint: text('execution.export-a-definition', { define }),
    fatal: true,
  } as const;
  switch (read.kind) {
    case 'no-default':
      return { ...base, code: 'NO_DEFAULT_EXPORT', message: text('execution.no-default-export', { file }) };
    case 'none': {
      const message = text('execution.not-a-definition', { file, define, found: read.found });
      return { ...base, code: NOT_A[kind], found: read.found, message };
    }
    case 'other': {
      const made = DEFINE[read.found];
      const place = PLACE[read.found];
      return {
        ...base,
        code: NOT_A[kind],
        found: made,
        message: text('execution.other-definition', { file, made, define }),
        hint: text('execution.other-definition-hint', { define, made, place }),
      };
    }
  }
}
