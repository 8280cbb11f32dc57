import type { CapabilityDeclaration } from '../contracts/capability.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { qualifiedName } from './qualified-name.ts';

/** What providers of models accept as a tool's name. */
const PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;
const LONGEST = 64;

const RESERVED: ReadonlySet<string> = new Set([
  'discover',
  'load_tool',
  'load_skill',
  'ask_user',
  'spawn_task',
  'read_artifact',
]);

type Named = Pick<CapabilityDeclaration, 'kind' | 'name' | 'owner' | 'file' | 'via'>;

/** Can a capability bear this name? The framework itself may use its own names; folders were judged when found. */
export function checkName(declaration: Named, byFramework = false): readonly Problem[] {
  const { kind, name, owner, file, via } = declaration;
  const tool = showText(name.slice(0, 100));
  const base = {
    ...(file === undefined ? {} : { file: showText(file) }),
    field: 'name',
    found: showValue(name),
    fatal: true,
  };
  if (!PATTERN.test(name)) {
    if (via === 'folder') return [];
    return [
      {
        ...base,
        code: 'INVALID_NAME',
        expected: PATTERN.source,
        message: text('registry.invalid-name', { tool }),
        hint: text('registry.invalid-name-hint'),
      },
    ];
  }
  const qualified = qualifiedName(kind, owner, name);
  if (qualified.length > LONGEST) {
    if (via === 'folder') return [];
    return [
      {
        ...base,
        code: 'INVALID_NAME',
        found: showText(qualified),
        expected: `≤ ${LONGEST}`,
        message: text('registry.name-too-long', {
          name: showText(qualified),
          length: qualified.length,
          limit: LONGEST,
          tool,
        }),
        hint: text('registry.name-too-long-hint'),
      },
    ];
  }
  if (kind === 'tool' && !byFramework && RESERVED.has(qualified)) {
    return [
      {
        ...base,
        code: 'RESERVED_NAME',
        expected: `≠ ${[...RESERVED].join(', ')}`,
        message: text('registry.reserved-name', { tool }),
        hint: text('registry.reserved-name-hint'),
      },
    ];
  }
  return [];
}
