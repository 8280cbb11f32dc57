import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';

/** What providers of models accept as a tool's name. */
const PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

const RESERVED: ReadonlySet<string> = new Set([
  'discover',
  'load_tool',
  'load_skill',
  'ask_user',
  'spawn_task',
  'read_artifact',
]);

/** Can a tool bear this name? `file` is where the name was given. The framework itself may use its own names. */
export function checkName(name: string, file: string | undefined, byFramework = false): readonly Problem[] {
  const place = file === undefined ? {} : { file: showText(file) };
  const tool = showText(name.slice(0, 100));
  if (!PATTERN.test(name)) {
    return [
      {
        ...place,
        code: 'INVALID_NAME',
        field: 'name',
        found: showValue(name),
        expected: PATTERN.source,
        message: text('registry.invalid-name', { tool }),
        hint: text('registry.invalid-name-hint'),
        fatal: true,
      },
    ];
  }
  if (!byFramework && RESERVED.has(name)) {
    return [
      {
        ...place,
        code: 'RESERVED_NAME',
        field: 'name',
        found: showValue(name),
        expected: `≠ ${[...RESERVED].join(', ')}`,
        message: text('registry.reserved-name', { tool }),
        hint: text('registry.reserved-name-hint'),
        fatal: true,
      },
    ];
  }
  return [];
}
