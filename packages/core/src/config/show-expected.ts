import type { ConfigSchemaNode } from '../contracts/config-schema-node.ts';

/**
 * What a key may hold, in notation.
 *
 * @example
 * showExpected({ type: 'integer', minimum: 1, maximum: 64 }) // 'integer 1 … 64'
 */
export function showExpected(node: ConfigSchemaNode): string {
  if (node['x-notation'] !== undefined) return node['x-notation'];
  if (node.enum !== undefined) return node.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (node.anyOf !== undefined) return node.anyOf.map(showExpected).join(' | ');
  switch (node.type) {
    case 'boolean':
      return 'true | false';
    case 'integer':
      return node.maximum === undefined || node.maximum === Number.MAX_SAFE_INTEGER
        ? `integer ≥ ${node.minimum}`
        : `integer ${node.minimum} … ${node.maximum}`;
    case 'string':
      return node.minLength === undefined ? 'string' : 'string (length ≥ 1)';
    case 'array':
      return `(${showExpected(node.items ?? {})})[]${node.minItems === undefined ? '' : ' (length ≥ 1)'}`;
    case 'object':
      return node.properties === undefined ? '{ name: … }' : `{ ${Object.keys(node.properties).join(', ')} }`;
    default:
      return 'JSON';
  }
}
