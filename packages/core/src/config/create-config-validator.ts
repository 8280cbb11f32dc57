import type { ErrorObject } from 'ajv';
import { configSchema } from '../contracts/config-schema.ts';
import type { JsonObject } from '../contracts/json.ts';

/** Holds a configuration against the schema; the answer is what the schema library found. */
export type ConfigValidator = (value: JsonObject) => Promise<readonly ErrorObject[]>;

/** Loads the schema library and compiles the schema when the first value is checked, once. */
export function createConfigValidator(): ConfigValidator {
  let loading: Promise<(value: JsonObject) => readonly ErrorObject[]> | undefined;
  const load = async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    // `ownProperties`: a key named like something that every object has must not count as set.
    const library = new Ajv2020({
      allErrors: true,
      strict: false,
      logger: false,
      validateSchema: false,
      ownProperties: true,
    });
    const validate = library.compile(configSchema);
    return (value: JsonObject) => (validate(value) ? [] : (validate.errors ?? []));
  };
  return async (value) => {
    loading ??= load();
    return (await loading)(value);
  };
}
