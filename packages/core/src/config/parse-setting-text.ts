import type { ConfigSchemaNode } from '../contracts/config-schema-node.ts';
import type { Json } from '../contracts/json.ts';

/**
 * The value that a text from outside a file (a variable, a flag, a reference) means for a key. A text that does not fit
 * the key's type is returned as it is, for the check to name.
 *
 * @example
 * parseSettingText('5', { type: 'integer' }) // 5
 * parseSettingText('a, b', { type: 'array', items: { type: 'string' } }) // ['a', 'b']
 */
export function parseSettingText(text: string, node: ConfigSchemaNode): Json {
  const bare = text.trim();
  if (node.anyOf?.some(({ type }) => type === 'array')) return /^[[{]/.test(bare) ? parseJson(text) : splitList(bare);
  switch (node.type) {
    case 'integer':
      return /^[+-]?\d{1,17}$/.test(bare) ? Number(bare) : text;
    case 'boolean':
      return (
        new Map<string, boolean>([
          ['true', true],
          ['1', true],
          ['false', false],
          ['0', false],
        ]).get(bare.toLowerCase()) ?? text
      );
    case 'array':
      return bare.startsWith('[') ? parseJson(text) : splitList(bare);
    case 'string':
      return text;
    default:
      return node.enum === undefined ? parseJson(text) : bare;
  }
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
