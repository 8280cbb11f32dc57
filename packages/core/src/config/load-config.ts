import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ConfigInput } from '../contracts/config-input.ts';
import { deepFreeze } from '../contracts/deep-freeze.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import type { Settings } from '../contracts/settings.ts';
import { checkLayer } from './check-layer.ts';
import { createConfigValidator } from './create-config-validator.ts';
import { defaultLayer } from './default-layer.ts';
import { environmentLayers } from './environment-layers.ts';
import { findSchemaNode } from './find-schema-node.ts';
import { flagLayers } from './flag-layers.ts';
import type { Layer, RawLayer } from './layer.ts';
import { type ConfigOrigin, mergeLayers } from './merge-layers.ts';
import { parseKeyPath } from './parse-key-path.ts';
import type { EvaluateConfig } from './read-config-code.ts';
import { type ConfigPlace, readConfigFile } from './read-config-file.ts';
import { readEnvironment } from './read-environment.ts';

/** What {@link loadConfig} takes. */
export interface LoadConfigOptions {
  /** Folder of the project; without it there are no project file and no `.env`. */
  readonly root?: string;
  /** The user's home folder; `false`: what the user configured for all projects does not count. Default: the machine's. */
  readonly home?: string | false | undefined;
  /** The environment of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Key → value as text, from `--set key=value`; later ones count more. */
  readonly flags?: ReadonlyMap<string, string>;
  /** What the program that embeds us says. */
  readonly code?: ConfigInput;
  readonly signal: AbortSignal;
  /**
   * Evaluates configuration files in TypeScript or JavaScript. Default: in this process, after a process of its own has
   * survived that.
   */
  readonly evaluate?: EvaluateConfig;
  /**
   * Digests of configuration code that needs no process of its own any more, filled by each load: hand the same set to
   * all loads of a program, and only what changed costs a process.
   */
  readonly passed?: Set<string>;
}

/** The configuration as it counts, where each value came from, and what is wrong. */
export interface LoadedConfig {
  /** Complete and frozen. Keys with faults have the value of the next lower level. */
  readonly settings: Settings;
  /** By key (`turn.maxSteps`); lists and empty objects count as one value. */
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
  /** Keys whose values must not be shown: keys of providers, and what came by reference. */
  readonly secrets: ReadonlySet<string>;
  /** Texts that must not be shown wherever they occur. */
  readonly secretTexts: ReadonlySet<string>;
  /** The environment of the process laid over the project's `.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute, sorted: what was read, and what would count if it appeared. A watcher watches these. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** Where the project's configuration may stand, the file that counts first if there are several. */
const PROJECT_NAMES = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'yml', 'yaml'].map((end) => `baigong.config.${end}`);
const HOME_NAMES = ['yml', 'yaml', 'json'].map((end) => `config.${end}`);

/**
 * Reads the configuration of a project: flag before environment before code before project before home before default,
 * key by key. Rejects when the signal aborts or `root` cannot be read; faults of authors are problems, all of them at
 * once, and none of them shows a secret.
 *
 * @example
 * const { settings, problems } = await loadConfig({ root: '.', environment: process.env, signal });
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { signal, evaluate, flags = new Map<string, string>() } = options;
  signal.throwIfAborted();
  const root = options.root === undefined ? undefined : resolve(options.root);
  const environment = await readEnvironment(root, options.environment);
  const places: ConfigPlace[] = [
    ...(options.home === false
      ? []
      : [
          {
            level: 'home',
            folder: join(resolve(options.home ?? homedir()), '.baigong'),
            shownFolder: '~/.baigong/',
            names: HOME_NAMES,
          } as const satisfies ConfigPlace,
        ]),
    ...(root === undefined
      ? []
      : [{ level: 'project', folder: root, shownFolder: '', names: PROJECT_NAMES } as const satisfies ConfigPlace]),
  ];
  const trial = { environment: environment.environment, passed: options.passed ?? new Set<string>() };
  const read = await Promise.all(places.map((place) => readConfigFile(place, signal, evaluate ?? trial)));
  signal.throwIfAborted();
  const fromEnvironment = environmentLayers(environment, root);
  const fromFlags = flagLayers(flags, root);
  const fromCode: readonly RawLayer[] =
    options.code === undefined
      ? []
      : [{ level: 'code', name: 'code', value: options.code, folder: root, hasReferences: false }];
  const raw = [...read.flatMap((one) => one.raw ?? []), ...fromCode, ...fromEnvironment.raw, ...fromFlags.raw];

  const variables = new Map(Object.entries(environment.environment));
  const variable = (name: string) => variables.get(name) || undefined;
  const validate = createConfigValidator();
  const checked = await Promise.all(raw.map((one) => checkLayer(one, { validate, variable })));
  const layers: readonly Layer[] = [defaultLayer(root), ...checked.map(({ layer }) => layer)];
  const merged = mergeLayers(layers);
  const secrets = new Set([...merged.secrets, ...[...merged.origins.keys()].filter(isSecretKey)]);
  return {
    settings: deepFreeze(merged.value) as Settings & JsonObject,
    origins: merged.origins,
    secrets,
    secretTexts: new Set([...checked.flatMap(({ secretTexts }) => secretTexts), ...textsOf(merged.value, secrets)]),
    environment: environment.environment,
    files: [
      ...new Set([
        ...environment.files,
        ...read.flatMap(({ files }) => files),
        ...checked.flatMap(({ files }) => files),
      ]),
    ].sort(),
    problems: [
      ...environment.problems,
      ...read.flatMap(({ problems }) => problems),
      ...checked.flatMap(({ problems }) => problems),
      ...fromEnvironment.problems,
      ...fromFlags.problems,
    ],
  };
}

function isSecretKey(key: string): boolean {
  const path = parseKeyPath(key);
  return path !== undefined && findSchemaNode(path)?.node['x-secret'] === true;
}

/** The secrets themselves. */
function textsOf(value: JsonObject, secrets: ReadonlySet<string>): readonly string[] {
  return [...secrets].flatMap((key) => {
    let current: unknown = value;
    for (const name of parseKeyPath(key) ?? []) {
      current =
        typeof current === 'object' && current !== null && Object.hasOwn(current, name)
          ? Reflect.get(current, name)
          : undefined;
    }
    return leavesOf(current);
  });
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
