import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { findSchemaNode } from './find-schema-node.ts';
import type { RawLayer } from './layer.ts';
import { nest } from './nest.ts';
import { parseKeyPath } from './parse-key-path.ts';
import { parseSettingText } from './parse-setting-text.ts';

/** What `--set key=value` says, one layer each, in the order in which they were given. */
export function flagLayers(
  flags: ReadonlyMap<string, string>,
  folder: string | undefined,
): { readonly raw: readonly RawLayer[]; readonly problems: readonly Problem[] } {
  const raw: RawLayer[] = [];
  const problems: Problem[] = [];
  for (const [key, said] of flags) {
    const name = `--set ${showText(key)}`;
    const path = parseKeyPath(key);
    if (path === undefined) {
      const shown = showText(key);
      problems.push({
        code: 'UNKNOWN_KEY',
        file: name,
        field: shown,
        expected: 'key.path=value',
        message: text('config.unknown-key', { file: '--set', key: shown }),
        hint: text('config.unknown-key-hint'),
        fatal: true,
      });
      continue;
    }
    const value = parseSettingText(said, findSchemaNode(path)?.node ?? {});
    raw.push({ level: 'flag', name, value: nest(path, value), folder, hasReferences: false });
  }
  return { raw, problems };
}
