import { canonicalJson } from '../contracts/canonical-json.ts';
import type { PluginConfig, PluginSettings } from '../contracts/capability-source.ts';
import type { CodeHost, DescribedEntry, PluginInstance, ProvidedService } from '../contracts/code-host.ts';
import { type Digest, digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { checkPluginConfig } from './check-plugin-config.ts';
import { duplicateService } from './check-services.ts';
import { type CompiledEntry, type CompiledProject, type CompiledRoot, placed } from './compile-project.ts';
import type { DescribedProject } from './describe-project.ts';
import { fieldTexts } from './field-texts.ts';
import { orderPlugins } from './order-plugins.ts';
import type { PluginInstances } from './plugin-instances.ts';
import type { PluginFolder } from './project-scan.ts';

/** A plugin whose `setup` ran. */
export interface SetUpEntry {
  readonly root: CompiledRoot;
  readonly entry: CompiledEntry;
  readonly instance: PluginInstance;
  readonly isTrusted: boolean;
}

export interface SetUpProject {
  readonly entries: readonly SetUpEntry[];
  readonly services: ReadonlyMap<string, ProvidedService>;
  readonly localServices: ReadonlyMap<string, ReadonlySet<string>>;
  readonly configs: ReadonlyMap<string, PluginConfig>;
  readonly problems: readonly Problem[];
  /** Names of the plugins whose own faults kept them from being set up. */
  readonly pending: ReadonlySet<string>;
  /** Over the instances. */
  readonly digest: Digest;
}

export interface SetUpProjectOptions {
  readonly compiled: CompiledProject;
  readonly described: DescribedProject;
  readonly plugins: readonly PluginFolder[];
  readonly trusted: ReadonlySet<string>;
  readonly hosts: { readonly inline: CodeHost; readonly process: CodeHost };
  readonly instances: PluginInstances;
  /** Takes every share at once when it is given out, so that it is given back whatever happens next. */
  readonly shares: { release(): Promise<void> }[];
  readonly signal: AbortSignal;
  readonly settings: PluginSettings | undefined;
}

interface Planned {
  readonly plugin: string;
  readonly file: string;
  readonly provides: readonly string[];
  readonly uses: readonly string[];
  readonly displayName: string;
  readonly root: CompiledRoot;
  readonly entry: CompiledEntry;
  readonly declaration: NonNullable<DescribedEntry['declaration']>;
  /** Its own description has faults: it is not set up. */
  readonly isFaulty: boolean;
}

/** Runs the `setup` of every plugin, those that provide services first, or takes over the instance of the load before. */
export async function setUpProject(options: SetUpProjectOptions): Promise<SetUpProject> {
  const { compiled, described, trusted, hosts, instances, shares, signal, settings } = options;
  const problems: Problem[] = [];
  const configs = new Map<string, PluginConfig>();
  for (const plugin of options.plugins) {
    const { config, problem } = writtenConfig(plugin, settings);
    if (problem !== undefined) problems.push(problem);
    configs.set(plugin.name, { plain: config, live: config });
  }
  const found = compiled.graphs.flatMap((root) => plan(root, compiled, described));
  const planned = found.filter((one) => !one.isFaulty);
  problems.push(...findDuplicateNames(planned));
  const { order, problems: circles } = orderPlugins(planned);
  problems.push(...circles);

  const services = new Map<string, ProvidedService>();
  const localServices = new Map<string, ReadonlySet<string>>();
  /** Who provides a service, and which instance of it. */
  const providers = new Map<string, { readonly file: string; readonly key: string }>();
  const entries: SetUpEntry[] = [];
  const keys: string[] = [];
  /** Those that are not set up: their own faults are told, and what they would have provided is not missed as well. */
  const pending = new Set(found);
  const missing = (one: Planned): readonly string[] => one.uses.filter((token) => !services.has(token));
  const waiting = [...order];
  for (;;) {
    // Who provides what it did not declare is found by trying: those that wait for it get another turn.
    const next = waiting.findIndex((one) => missing(one).length === 0);
    const [one] = next === -1 ? [] : waiting.splice(next, 1);
    if (one === undefined) break;
    const isTrusted = isTrustedRoot(one.root, trusted);
    const configured = await checkConfig(one, configs.get(one.plugin)?.plain ?? {}, settings);
    problems.push(...configured.problems);
    if (configured.problems.length > 0) continue;
    const providersUsed = one.uses.map((token) => providers.get(token)?.key ?? '');
    const parts = [
      one.plugin,
      one.root.root,
      one.entry.module,
      one.entry.codeDigest,
      configured.config,
      isTrusted,
      providersUsed,
    ];
    const key = digest(canonicalJson(parts));
    keys.push(key);
    const used = new Set(one.uses);
    const share = await instances.share(key, () =>
      (isTrusted ? hosts.inline : hosts.process).setUp(
        {
          graph: one.root.graph,
          entry: one.entry.module,
          plugin: one.plugin,
          config: configured.config,
          // Only what is declared is part of the key, so nothing else may be held on to.
          service: (token) => (used.has(token) ? services.get(token) : undefined),
        },
        signal,
      ),
    );
    shares.push(share);
    const { instance } = share;
    problems.push(...instance.setUp.problems.map((problem) => placed(problem, one.root.root, compiled.show)));
    if (instance.setUp.problems.some((problem) => problem.fatal)) continue;
    configs.set(one.plugin, {
      // Code of an untrusted plugin parses its configuration where it runs.
      plain: isTrusted ? instance.setUp.config : configured.config,
      live: isTrusted ? instance.config : configured.config,
    });
    for (const { token } of instance.setUp.provided) {
      const first = providers.get(token);
      if (first !== undefined) problems.push(duplicateService(token, [first.file, one.file], one.file));
      else providers.set(token, { file: one.file, key });
    }
    if (isTrusted) for (const [token, service] of instance.services) services.set(token, service);
    else localServices.set(one.plugin, new Set(instance.setUp.provided.map(({ token }) => token)));
    entries.push({ root: one.root, entry: one.entry, instance, isTrusted });
    pending.delete(one);
  }
  for (const one of waiting) {
    for (const token of missing(one)) {
      if ([...pending].some(({ provides }) => provides.includes(token))) continue;
      problems.push(unknownService(one, token, [...services.keys()]));
    }
    problems.push(...(await checkConfig(one, configs.get(one.plugin)?.plain ?? {}, settings)).problems);
  }
  for (const { plugin, root, provides } of pending) {
    if (!isTrustedRoot(root, trusted)) localServices.set(plugin, new Set(provides));
    // With a fatal problem nobody gets as far as to use it.
    else
      for (const token of provides)
        if (!services.has(token)) services.set(token, { token, value: undefined, remote: [] });
  }
  const made = digest(canonicalJson([...keys].sort()));
  const names = new Set([...pending].map(({ plugin }) => plugin));
  return { entries, services, localServices, configs, problems, pending: names, digest: made };
}

function isTrustedRoot(root: CompiledRoot, trusted: ReadonlySet<string>): boolean {
  return root.package === undefined || trusted.has(root.package);
}

function plan(root: CompiledRoot, compiled: CompiledProject, described: DescribedProject): readonly Planned[] {
  return root.entries.flatMap((entry): Planned[] => {
    if (entry.kind !== 'plugin') return [];
    const one = described.of(root.root, entry.module, 'plugin');
    const declaration = one?.declaration;
    if (declaration === undefined) return [];
    return [
      {
        plugin: entry.plugin.name,
        file: compiled.show(root.root, entry.entry),
        displayName: String(declaration.fields.name ?? ''),
        provides: fieldTexts(declaration.fields.provides),
        uses: fieldTexts(declaration.fields.uses),
        root,
        entry,
        declaration,
        isFaulty: one?.problems.some((problem) => problem.fatal) === true,
      },
    ];
  });
}

/** What the configuration says of a plugin: nothing and `true` are an empty object. */
function writtenConfig(
  plugin: PluginFolder,
  settings: PluginSettings | undefined,
): { readonly config: JsonObject; readonly problem?: Problem } {
  const isRoot = plugin.name === '';
  const written: Json | undefined = isRoot
    ? settings?.root
    : (settings?.byName.get(plugin.name) ?? settings?.byName.get(plugin.package ?? ''));
  if (written === undefined || written === true) return { config: {} };
  if (written !== null && typeof written === 'object' && !Array.isArray(written))
    return { config: written as JsonObject };
  const field = isRoot ? 'config' : `plugins.${plugin.name}`;
  const found = Array.isArray(written) ? 'array' : written === null ? 'null' : typeof written;
  return {
    config: {},
    problem: {
      code: 'INVALID_CONFIG',
      ...(settings?.file === undefined ? {} : { file: showText(settings.file) }),
      field: showText(field),
      found,
      expected: '{ … }',
      message: text('registry.invalid-plugin-config', {
        plugin: showText(plugin.name || '.'),
        field: showText(field),
        found,
        expected: '{ … }',
      }),
      fatal: true,
    },
  };
}

/** A Zod schema has its say where the code runs; a JSON Schema here. */
async function checkConfig(planned: Planned, written: Json, settings: PluginSettings | undefined) {
  const config = written as JsonObject;
  const { fields, ownValidator } = planned.declaration;
  const schema = fields.config;
  if (ownValidator || schema === undefined || schema === null || typeof schema !== 'object' || Array.isArray(schema)) {
    return { config, problems: [] };
  }
  const { plugin, file } = planned;
  return checkPluginConfig({
    plugin,
    file,
    schema: schema as JsonObject,
    config,
    ...(settings?.file === undefined ? {} : { configFile: settings.file }),
  });
}

function findDuplicateNames(planned: readonly Planned[]): readonly Problem[] {
  const byName = new Map<string, string[]>();
  for (const { displayName, file } of planned) byName.set(displayName, [...(byName.get(displayName) ?? []), file]);
  return [...byName].flatMap(([name, files]): Problem[] => {
    if (files.length < 2) return [];
    const places = files.map(showText).join(', ');
    return [
      {
        code: 'DUPLICATE_PLUGIN',
        file: showText(files[1] ?? ''),
        field: 'name',
        found: showValue(name),
        message: text('registry.duplicate-plugin-name', { name: showValue(name), places }),
        hint: text('registry.duplicate-plugin-name-hint'),
        fatal: true,
      },
    ];
  });
}

function unknownService({ file, plugin, uses }: Planned, token: string, known: readonly string[]): Problem {
  const [nearest] = nearestNames(token, known, 1);
  return {
    code: 'UNKNOWN_SERVICE',
    file: showText(file),
    field: `uses/${uses.indexOf(token)}`,
    found: showValue(token),
    ...(nearest === undefined ? {} : { expected: showValue(nearest) }),
    message: text('registry.unknown-service', { tool: showText(plugin || file), token: showValue(token) }),
    hint:
      nearest === undefined
        ? text('registry.unknown-service-hint', { token: showValue(token) })
        : text('registry.did-you-mean', { name: showText(nearest) }),
    fatal: true,
  };
}
