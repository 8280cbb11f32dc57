import type { ErrorObject } from 'ajv';
import type { Json, JsonObject } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { dialectOf } from './create-schema-checker.ts';

export interface PluginConfigCheck {
  /** Name of the plugin in the configuration. */
  readonly plugin: string;
  /** File that holds the schema. */
  readonly file: string;
  /** File that holds the configuration, if any does. */
  readonly configFile?: string;
  /** A schema that was judged to be one. */
  readonly schema: JsonObject;
  readonly config: JsonObject;
}

/**
 * Holds a plugin's configuration against its JSON Schema; defaults of the schema are filled in. Values are not shown in
 * problems: they may be secrets.
 */
export async function checkPluginConfig(
  check: PluginConfigCheck,
): Promise<{ readonly config: JsonObject; readonly problems: readonly Problem[] }> {
  const [{ Ajv }, { Ajv2020 }, formats] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const options = { allErrors: true, strict: false, logger: false, useDefaults: true, validateSchema: false } as const;
  const isOld = dialectOf(check.schema.$schema) === 'draft-07';
  const library = isOld ? new Ajv(options) : new Ajv2020(options);
  formats.default.default(library);
  const { $schema: _, ...schema } = check.schema;
  const validate = library.compile(schema);
  const config = structuredClone(check.config) as JsonObject;
  if (validate(config)) return { config, problems: [] };
  return { config: check.config, problems: (validate.errors ?? []).map((error) => problemOf(error, check)) };
}

function problemOf(error: ErrorObject, check: PluginConfigCheck): Problem {
  const { keyword, params, instancePath } = error;
  const missing: unknown = keyword === 'required' ? params.missingProperty : undefined;
  const extra: unknown = keyword === 'additionalProperties' ? params.additionalProperty : undefined;
  const member = typeof missing === 'string' ? missing : typeof extra === 'string' ? extra : undefined;
  const path = instancePath.slice(1).replaceAll('/', '.');
  const inside = [path, member].filter((part) => part !== undefined && part !== '').join('.');
  const root = check.plugin === '' ? 'config' : `plugins.${check.plugin}`;
  const field = showText(inside === '' ? root : `${root}.${inside}`);
  const found =
    missing !== undefined ? 'undefined' : extra !== undefined ? 'unknown' : typeAt(check.config, instancePath);
  const expected = showText(expectation(keyword, params));
  const known = Object.keys((check.schema.properties as JsonObject | undefined) ?? {});
  const [nearest] = typeof extra === 'string' && path === '' ? nearestNames(extra, known, 1) : [];
  return {
    code: 'INVALID_CONFIG',
    file: showText(check.configFile ?? check.file),
    field,
    found,
    expected: nearest ?? expected,
    message: text('registry.invalid-plugin-config', { plugin: showText(check.plugin || '.'), field, found, expected }),
    hint:
      nearest === undefined
        ? text('registry.plugin-config-hint', { file: showText(check.file) })
        : text('registry.did-you-mean', { name: showText(nearest) }),
    fatal: true,
  };
}

/** What a keyword of a schema asks for: `integer`, `minimum >= 1`, `enum "a" | "b"`. */
function expectation(keyword: string, params: Readonly<Record<string, unknown>>): string {
  if (keyword === 'type') return [params.type].flat().join(' | ');
  if (keyword === 'required' || keyword === 'additionalProperties') return keyword;
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    return params.allowedValues.map((value) => JSON.stringify(value)).join(' | ');
  }
  const { comparison, limit } = params;
  if (typeof comparison === 'string') return `${keyword} ${comparison} ${String(limit)}`;
  if (limit !== undefined) return `${keyword} ${String(limit)}`;
  return `${keyword} ${JSON.stringify(params)}`;
}

/** Of a value in a configuration people are told the type only. */
function typeAt(config: Json, pointer: string): string {
  let value: Json | undefined = config;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (value === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return '…';
    value = (value as JsonObject)[name];
  }
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
