import { type Token, tokenMark } from './token.ts';

/**
 * Names a service. The name is compared, not the object, so that every file may define it anew; by custom it begins
 * with the plugin's name.
 *
 * @example
 * export const databaseToken = defineToken<{ sync(): Promise<number> }>('lottery.db');
 */
export function defineToken<Service>(name: string): Token<Service> {
  return Object.freeze({ name, [tokenMark]: true as const });
}
