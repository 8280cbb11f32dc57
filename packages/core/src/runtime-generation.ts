import type { TurnLimits } from './agent/index.ts';
import { createMask, type LoadedConfig, maskProblem, providerEnvironment } from './config/index.ts';
import type { ApprovalRules } from './contracts/approval.ts';
import { canonicalJson } from './contracts/canonical-json.ts';
import type { ToolCapability } from './contracts/capability.ts';
import type { CapabilitySource, PluginConfig, SourceSnapshot } from './contracts/capability-source.ts';
import type { CapabilityTable } from './contracts/capability-table.ts';
import type { ProvidedService } from './contracts/code-host.ts';
import { digest } from './contracts/digest.ts';
import type { JsonObject } from './contracts/json.ts';
import type { Locale } from './contracts/locale.ts';
import type { Problem } from './contracts/problem.ts';
import { providerProfiles, type ResolvedModel, resolveModel } from './models/index.ts';
import type { TableBuilder } from './registry/index.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { approvalRules, approverProblems, callLimits, pluginSettings, turnLimits } from './runtime-settings.ts';

/** Everything that a turn holds on to for its whole length. */
export interface RuntimeGeneration {
  readonly table: CapabilityTable;
  /** Warnings. */
  readonly problems: readonly Problem[];
  readonly model: ResolvedModel;
  readonly config: LoadedConfig;
  readonly limits: TurnLimits;
  readonly approval: ApprovalRules;
  /** Judges calls; absent unless the mode is `reviewer`. */
  readonly reviewer?: ResolvedModel;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly services: ReadonlyMap<string, ProvidedService>;
  configOf(tool: ToolCapability): PluginConfig;
  /** Hides what came by reference. */
  readonly mask: (text: string) => string;
  /** Equal ones differ in nothing that anybody could notice. */
  readonly fingerprint: string;
}

export interface LoadedGeneration {
  /** Absent when a problem is fatal. */
  readonly generation?: RuntimeGeneration;
  readonly problems: readonly Problem[];
  /** Snapshots by source, for the next load. */
  readonly snapshots: ReadonlyMap<CapabilitySource, SourceSnapshot>;
  dispose(): Promise<void>;
}

export interface GenerationRequest {
  readonly number: number;
  readonly options: RuntimeOptions;
  readonly config: LoadedConfig;
  readonly sources: readonly CapabilitySource[];
  readonly buildTable: TableBuilder;
  readonly previous?: LoadedGeneration;
  readonly signal: AbortSignal;
}

const NO_CONFIG: PluginConfig = Object.freeze({ plain: Object.freeze({}), live: Object.freeze({}) });

/**
 * Loads everything that the sources declare and finds the model. All problems come back at once; the model is looked
 * for only when nothing else is wrong. Rejects with a `ModelError`, or when this machine fails; then nothing is left.
 */
export async function loadGeneration(request: GenerationRequest): Promise<LoadedGeneration> {
  const { number, options, config, sources, buildTable, previous, signal } = request;
  const plugins = pluginSettings(config);
  const snapshots = new Map<CapabilitySource, SourceSnapshot>();
  const dispose = disposalOf(snapshots);
  try {
    const loads = sources.map(async (source) => {
      const before = previous?.snapshots.get(source);
      const snapshot = await source.load({ signal, plugins, ...(before === undefined ? {} : { previous: before }) });
      snapshots.set(source, snapshot);
      return { source, snapshot };
    });
    // All are waited for, so that what one of them opened is closed again when another one fails.
    await Promise.allSettled(loads);
    const loaded = await Promise.all(loads);
    const built = await buildTable({ generation: number, snapshots: loaded }, callLimits(config));
    const providers = providerEnvironment(config, providerProfiles);
    // What a plugin throws, or a name that came by reference, may hold what must not be shown.
    const mask = createMask(config.secretTexts);
    const problems = [...config.problems, ...providers.problems, ...approverProblems(config), ...built.problems].map(
      (one) => maskProblem(one, mask),
    );
    if (built.table === undefined || problems.some((problem) => problem.fatal)) {
      return { problems, snapshots, dispose };
    }
    const locale = config.settings.locale ?? options.defaultLocale ?? 'en';
    const model = await findModel(options, config, providers.environment, locale);
    const reviewer = await findReviewer(config, providers.environment, locale, model);
    const generation: RuntimeGeneration = {
      table: built.table,
      problems,
      model,
      config,
      limits: turnLimits(config),
      approval: approvalRules(config),
      ...(reviewer === undefined ? {} : { reviewer }),
      locale,
      timeZone: config.settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      services: new Map(loaded.flatMap(({ snapshot }) => [...(snapshot.services ?? [])])),
      configOf: configLookup(loaded, config),
      mask,
      fingerprint: digest(
        canonicalJson([
          built.table.digest,
          loaded.map(({ snapshot }) => snapshot.digest ?? ''),
          config.settings as unknown as JsonObject,
          problems.map(({ code, file, field, found }) => [code, file ?? '', field ?? '', found ?? '']),
          model.name,
        ]),
      ),
    };
    return { generation, problems, snapshots, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Made out of sight of `previous`, which a closure in its scope would keep alive, and with it all before it. */
function disposalOf(snapshots: ReadonlyMap<CapabilitySource, SourceSnapshot>): () => Promise<void> {
  return async () => {
    await Promise.all([...snapshots.values()].map((snapshot) => snapshot.dispose?.()));
  };
}

/** Tools of a project get what their plugin is configured with, tools from code what the root plugin is. */
function configLookup(
  loaded: readonly { readonly source: CapabilitySource; readonly snapshot: SourceSnapshot }[],
  { settings }: LoadedConfig,
): (tool: ToolCapability) => PluginConfig {
  const bySource = new Map(loaded.map(({ source, snapshot }) => [source.id, snapshot.configs]));
  const root: PluginConfig = { plain: settings.config as JsonObject, live: settings.config };
  return ({ source, owner }) => {
    const configs = bySource.get(source.id);
    if (configs === undefined) return owner.plugin.length === 0 ? root : NO_CONFIG;
    return configs.get(owner.plugin.join('__')) ?? NO_CONFIG;
  };
}

async function findModel(
  { model }: RuntimeOptions,
  { settings }: LoadedConfig,
  environment: Readonly<Record<string, string | undefined>>,
  locale: Locale,
): Promise<ResolvedModel> {
  if (model !== undefined && typeof model !== 'string') {
    return { model, name: `${model.provider}/${model.modelId}`, provider: model.provider, offline: false };
  }
  const wanted = settings.ai.model;
  return resolveModel({ ...(wanted === undefined ? {} : { model: wanted }), environment, locale });
}

/** The model that judges calls in mode `reviewer`: the one that is configured for it, else the agent's own. */
async function findReviewer(
  { settings: { approval } }: LoadedConfig,
  environment: Readonly<Record<string, string | undefined>>,
  locale: Locale,
  own: ResolvedModel,
): Promise<ResolvedModel | undefined> {
  if (approval.mode !== 'reviewer') return undefined;
  const { reviewerModel: model } = approval;
  return model === undefined ? own : resolveModel({ model, environment, locale });
}
