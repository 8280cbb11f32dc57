import { formatKeyPath } from './format-key-path.ts';
import { schemaKeys } from './schema-keys.ts';

/**
 * Every key that can be set, as it is written; free names are `<name>`. Without `$schema`, which only editors read.
 *
 * @example
 * configKeys().find(({ path }) => path === 'turn.maxSteps') // { path: 'turn.maxSteps', noEffectYet: false }
 */
export function configKeys(): readonly { readonly path: string; readonly noEffectYet: boolean }[] {
  return schemaKeys()
    .filter(({ path }) => path[0] !== '$schema')
    .map(({ path, noEffectYet }) => ({ path: formatKeyPath(path), noEffectYet }));
}
