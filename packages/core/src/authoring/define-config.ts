import type { ConfigInput } from '../contracts/config-input.ts';

/**
 * Gives the configuration in `baigong.config.ts` its types and returns it as it is. Nothing is checked here: faults are
 * reported together, with file and key, when the project is loaded.
 *
 * @example
 * export default defineConfig({
 *   ai: { model: 'deepseek/deepseek-v4-flash' },
 *   plugins: { weather: { unit: 'celsius' } },
 * });
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
