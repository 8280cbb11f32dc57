import { isAbsolute, join } from 'node:path';
import type { ErrorObject } from 'ajv';
import type { ConfigSchemaNode } from '../contracts/config-schema-node.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import type { ConfigValidator } from './create-config-validator.ts';
import { findSchemaNode } from './find-schema-node.ts';
import { formatKeyPath } from './format-key-path.ts';
import { isJsonObject } from './is-json-object.ts';
import type { KeyPath } from './key-path.ts';
import type { CheckedLayer, RawLayer } from './layer.ts';
import { leafPath } from './leaf-path.ts';
import { nearestKeys } from './nearest-keys.ts';
import { removePaths } from './remove-paths.ts';
import { resolveReferences } from './resolve-references.ts';
import { schemaKeys } from './schema-keys.ts';
import { showExpected } from './show-expected.ts';
import { MAX_CONFIG_VALUES, toPlainConfig } from './to-plain-config.ts';

interface CheckOptions {
  readonly validate: ConfigValidator;
  readonly variable: (name: string) => string | undefined;
}

/**
 * Judges what one place says: every fault becomes a problem that names place and key, and its key is left out, so that
 * the next lower level counts for it. Values that must not be shown are named by their type.
 */
export async function checkLayer(raw: RawLayer, { validate, variable }: CheckOptions): Promise<CheckedLayer> {
  const problems: Problem[] = [];
  const placeOf = (path: KeyPath): string => {
    const position = raw.lineOf?.(path);
    return position === undefined ? raw.name : `${raw.name}:${position.line}:${position.column}`;
  };
  const plain = toPlainConfig(raw.value);
  for (const { path, found, kind } of plain.faults) {
    const at = { file: placeOf(path), field: formatKeyPath(path), fatal: true } as const;
    problems.push(
      kind === 'too-large'
        ? {
            ...at,
            code: 'TOO_LARGE',
            expected: `≤ ${MAX_CONFIG_VALUES}`,
            message: text('config.too-large', { file: at.file, limit: MAX_CONFIG_VALUES }),
            hint: text('config.too-large-hint'),
          }
        : {
            ...at,
            code: 'NOT_JSON',
            found,
            message: text('config.not-json', { file: at.file, key: at.field, found }),
            hint: text('config.not-json-hint'),
          },
    );
  }
  if (!isJsonObject(plain.value)) {
    if (plain.faults.length === 0)
      problems.push(invalidValue(placeOf([]), [], typeName(plain.value), '{ key: value }'));
    return empty(raw, problems);
  }
  const { $schema: _, ...keys } = plain.value;
  const resolved =
    raw.hasReferences && raw.folder !== undefined
      ? await resolveReferences(keys, { folder: raw.folder, variable, placeOf })
      : { value: keys, secrets: new Set<string>(), secretTexts: [], files: [], problems: [] };
  problems.push(...resolved.problems);

  const faults = faultsOf(await validate(resolved.value), resolved.value);
  const zone = valueAt(resolved.value, ['timeZone']);
  if (typeof zone === 'string' && !isTimeZone(zone)) faults.push({ kind: 'value', path: ['timeZone'] });
  const sensitive = (path: KeyPath) => isSensitive(path, resolved.secrets);
  for (const fault of faults) problems.push(faultProblem(fault, placeOf(fault.path), resolved.value, sensitive));

  const sound = removePaths(resolved.value, new Set(faults.map(({ path }) => formatKeyPath(leafPath(path)))));
  problems.push(...withoutEffect(sound, placeOf));
  return {
    layer: {
      level: raw.level,
      value: settle(sound, raw.folder),
      placeOf: (path) => {
        if (raw.level === 'code') return undefined;
        const line = raw.lineOf?.(path)?.line;
        return line === undefined ? raw.name : `${raw.name}:${line}`;
      },
      secrets: resolved.secrets,
    },
    problems,
    secretTexts: resolved.secretTexts,
    files: resolved.files,
  };
}

function empty(raw: RawLayer, problems: readonly Problem[]): CheckedLayer {
  const layer = { level: raw.level, value: {}, placeOf: () => undefined, secrets: new Set<string>() };
  return { layer, problems, secretTexts: [], files: [] };
}

type Fault =
  | { readonly kind: 'unknown'; readonly path: KeyPath }
  | { readonly kind: 'name'; readonly path: KeyPath; readonly pattern: string }
  | { readonly kind: 'value'; readonly path: KeyPath };

/** One fault per place. Of alternatives that failed together, the deepest place says most. */
function faultsOf(errors: readonly ErrorObject[], value: JsonObject): Fault[] {
  const byPlace = new Map<string, Fault>();
  for (const error of errors) {
    const path = pathOf(error.instancePath, value);
    const { params } = error;
    let fault: Fault = { kind: 'value', path };
    if (error.keyword === 'additionalProperties') {
      fault = { kind: 'unknown', path: [...path, String(params.additionalProperty)] };
    } else if (error.propertyName !== undefined) {
      fault = { kind: 'name', path: [...path, error.propertyName], pattern: String(params.pattern) };
    } else if (error.keyword === 'propertyNames') continue;
    const place = JSON.stringify(fault.path);
    if (!byPlace.has(place)) byPlace.set(place, fault);
  }
  const faults = [...byPlace.values()];
  const holders = new Set(faults.flatMap(({ path }) => path.map((_, length) => JSON.stringify(path.slice(0, length)))));
  return faults.filter((fault) => fault.kind !== 'value' || !holders.has(JSON.stringify(fault.path)));
}

/** A JSON pointer as a key. */
function pathOf(pointer: string, value: JsonObject): KeyPath {
  let current: Json | undefined = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(current) ? Number(name) : name;
      current = current === undefined ? undefined : valueAt(current, [key]);
      return key;
    });
}

function valueAt(value: Json, path: KeyPath): Json | undefined {
  let current: Json | undefined = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Reflect.get(current, part) as Json | undefined;
  }
  return current;
}

function faultProblem(fault: Fault, file: string, value: JsonObject, sensitive: (path: KeyPath) => boolean): Problem {
  const key = formatKeyPath(fault.path);
  const last = String(fault.path.at(-1) ?? '');
  switch (fault.kind) {
    case 'unknown': {
      const nearest = nearestKeys(fault.path);
      return {
        code: 'UNKNOWN_KEY',
        file,
        field: key,
        ...(nearest.length === 0 ? {} : { expected: nearest.join(' | ') }),
        message: text('config.unknown-key', { file, key }),
        hint:
          nearest.length === 0
            ? text('config.unknown-key-hint')
            : text('config.did-you-mean', { names: nearest.join(' | ') }),
        fatal: true,
      };
    }
    case 'name':
      return {
        code: 'INVALID_NAME',
        file,
        field: key,
        expected: fault.pattern,
        message: text('config.unknown-key', { file, key }),
        hint: text('config.invalid-name-hint', { name: last, pattern: fault.pattern }),
        fatal: true,
      };
    case 'value': {
      const node = findSchemaNode(fault.path)?.node ?? {};
      const found = valueAt(value, fault.path);
      const shown = sensitive(fault.path) ? typeName(found) : showValue(found);
      return invalidValue(file, fault.path, shown, showExpected(node), nearestValue(found, fault.path, node));
    }
  }
}

function invalidValue(file: string, path: KeyPath, found: string, expected: string, nearest?: string): Problem {
  const key = formatKeyPath(path);
  return {
    code: 'INVALID_VALUE',
    file,
    field: key,
    found,
    expected,
    message: text('config.invalid-value', { file, key, found, expected }),
    hint: nearest === undefined ? text('config.invalid-value-hint') : text('config.did-you-mean', { names: nearest }),
    fatal: true,
  };
}

function nearestValue(found: Json | undefined, path: KeyPath, node: ConfigSchemaNode): string | undefined {
  if (typeof found !== 'string') return undefined;
  const isZone = path.length === 1 && path[0] === 'timeZone';
  const candidates = isZone ? Intl.supportedValuesOf('timeZone') : (node.enum ?? []);
  return nearestNames(found, candidates, 1)[0];
}

function isTimeZone(name: string): boolean {
  try {
    // Offsets such as +08:00 are known to it too, but are no zones: they know no summer time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Whatever is, or may hold, something that must not be shown. */
function isSensitive(path: KeyPath, secrets: ReadonlySet<string>): boolean {
  const found = findSchemaNode(path);
  if (found === undefined || found.open || holdsSecrets(found.node)) return true;
  if (path[0] === 'plugins' || path[0] === 'config' || path[1] === 'environment') return true;
  return secrets.has(formatKeyPath(leafPath(path)));
}

function holdsSecrets(node: ConfigSchemaNode): boolean {
  if (node['x-secret'] === true || node.additionalProperties === true) return true;
  const members = Object.values(node.properties ?? {});
  if (typeof node.additionalProperties === 'object') members.push(node.additionalProperties);
  return members.some(holdsSecrets);
}

function typeName(value: Json | undefined): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Keys that are set although nothing reads them yet. */
function withoutEffect(value: JsonObject, placeOf: (path: KeyPath) => string): readonly Problem[] {
  return schemaKeys().flatMap(({ path, noEffectYet }): readonly Problem[] => {
    if (!noEffectYet || valueAt(value, path) === undefined) return [];
    const file = placeOf(path);
    const key = formatKeyPath(path);
    return [
      {
        code: 'NO_EFFECT_YET',
        file,
        field: key,
        message: text('config.no-effect-yet', { file, key }),
        hint: text('config.no-effect-yet-hint'),
        fatal: false,
      },
    ];
  });
}

/** One form for what may be said in several: plugins by name, the folder of the state absolute. */
function settle(value: JsonObject, folder: string | undefined): JsonObject {
  const { plugins, state } = value;
  return {
    ...value,
    ...(Array.isArray(plugins) ? { plugins: Object.fromEntries(plugins.map((name) => [String(name), true])) } : {}),
    ...(isJsonObject(state) && typeof state.folder === 'string' && folder !== undefined
      ? { state: { ...state, folder: isAbsolute(state.folder) ? state.folder : join(folder, state.folder) } }
      : {}),
  };
}
