import { type Hook, type HookDefinition, hookMark } from './hook-definition.ts';

/**
 * Declares a hook. The file `hooks/<name>/index.ts` exports it as default.
 *
 * @example
 * export default defineHook({ on: 'tool:after', handler: (event) => console.error(event) });
 */
export function defineHook(definition: HookDefinition): Hook {
  return Object.freeze({ ...definition, [hookMark]: true as const });
}
