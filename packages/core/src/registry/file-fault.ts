import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { type FoundFile, LARGEST_FILE } from './project-files.ts';

/** The system's names for what stands where a file should, which need no translation. */
const KINDS = { folder: 'EISDIR', other: 'EINVAL', missing: 'ENOENT', outside: '../…' } as const;

/** Why a file of the project cannot be compiled; `path` as it was asked for. Undefined when nothing is wrong so far. */
export function fileFault(path: string, found: FoundFile): Problem | undefined {
  const file = showText(path);
  switch (found.kind) {
    case 'file':
      if (found.size <= LARGEST_FILE) return undefined;
      return {
        code: 'FILE_TOO_LARGE',
        file,
        found: `${found.size} B`,
        expected: `≤ ${LARGEST_FILE} B`,
        message: text('registry.file-too-large', { file, size: found.size, limit: LARGEST_FILE }),
        hint: text('registry.file-too-large-hint'),
        fatal: true,
      };
    case 'outside':
      return {
        code: 'IMPORT_LEAVES_ROOT',
        file,
        found: KINDS.outside,
        message: text('registry.entry-leaves-root', { file }),
        hint: text('registry.import-leaves-root-hint'),
        fatal: true,
      };
    default: {
      const reason = found.kind === 'unreadable' ? found.reason : KINDS[found.kind];
      const message = text('registry.unreadable-file', { file, reason });
      const hint = text('registry.unreadable-file-hint');
      return { code: 'UNREADABLE_FILE', file, found: reason, message, hint, fatal: true };
    }
  }
}
