import { resolve } from 'node:path';
import type { TurnLimits } from './agent/index.ts';
import { type LoadedConfig, loadConfig, parseKeyPath } from './config/index.ts';
import type { ApprovalRules } from './contracts/approval.ts';
import type { CallLimits } from './contracts/capability.ts';
import type { PluginSettings } from './contracts/capability-source.ts';
import type { ConfigInput } from './contracts/config-input.ts';
import type { Json } from './contracts/json.ts';
import type { Problem } from './contracts/problem.ts';
import { showText } from './contracts/show-text.ts';
import { showValue } from './contracts/show-value.ts';
import { text } from './contracts/texts/text.ts';
import { parsePermission } from './policy/index.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** Reads the configuration that a runtime with these options has now. */
export function loadSettings(
  options: RuntimeOptions,
  root: string | undefined,
  signal: AbortSignal,
): Promise<LoadedConfig> {
  const { environment = process.env, flags, home } = options;
  return loadConfig({
    environment,
    code: codeLevel(options),
    signal,
    ...(root === undefined ? {} : { root }),
    ...(flags === undefined ? {} : { flags }),
    // A program that embeds us without a project is not to be surprised by what its user configured for others.
    home: home ?? (root === undefined ? false : undefined),
  });
}

/** The options that are configuration too, in its form. */
function codeLevel(options: RuntimeOptions): ConfigInput {
  const { settings = {}, model, config, toolEnvironment, locale, timeZone, limits, callLimits } = options;
  return {
    ...settings,
    ...(typeof model === 'string' ? { ai: { ...settings.ai, model } } : {}),
    ...(config === undefined ? {} : { config: config as { readonly [name: string]: Json } }),
    ...(locale === undefined ? {} : { locale }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(limits === undefined ? {} : { turn: { ...settings.turn, ...limits } }),
    ...(toolEnvironment === undefined && callLimits === undefined
      ? {}
      : {
          execution: {
            ...settings.execution,
            ...callLimits,
            ...(toolEnvironment === undefined ? {} : { environment: toolEnvironment }),
          },
        }),
  };
}

/** What the configuration says of plugins, as sources take it. */
export function pluginSettings({ settings, origins }: LoadedConfig): PluginSettings {
  const place = [...origins]
    .filter(([key]) => key.startsWith('plugins') || key.startsWith('trusted') || key.startsWith('config'))
    .map(([, origin]) => origin.place?.replace(/:\d+(:\d+)?$/, ''))
    .find((one) => one !== undefined);
  const byName = new Map(Object.entries(settings.plugins));
  // The user's home says what holds for all projects, some of which lack the plugin; and what is off is not missed.
  const optional = [...byName].filter(([name, value]) => value === false || isOnlyFromHome(name, origins));
  return {
    root: settings.config as Json,
    byName,
    optional: new Set(optional.map(([name]) => name)),
    trusted: settings.trusted,
    ...(place === undefined ? {} : { file: place }),
  };
}

function isOnlyFromHome(name: string, origins: LoadedConfig['origins']): boolean {
  const own = [...origins].filter(([key]) => {
    const path = parseKeyPath(key);
    return path?.[0] === 'plugins' && path[1] === name;
  });
  return own.length > 0 && own.every(([, { level }]) => level === 'home');
}

export function turnLimits({ settings: { turn } }: LoadedConfig): TurnLimits {
  const { maxSteps, timeoutMs, historyTurns, historyChars, parkAfterMs } = turn;
  return { maxSteps, timeoutMs, historyTurns, historyChars, parkAfterMs };
}

/** Rules of approvers that cannot be read admit nobody, which is said. */
export function approverProblems({ settings: { approval }, origins }: LoadedConfig): readonly Problem[] {
  return approval.approvers.flatMap((rule, index): readonly Problem[] => {
    const parsed = parsePermission(rule);
    if (parsed.kind !== 'never') return [];
    const place = origins.get('approval.approvers')?.place;
    const values = { rule: showText(rule) };
    return [
      {
        code: parsed.isKnown ? 'ADMITS_NOBODY' : 'UNKNOWN_PERMISSION',
        ...(place === undefined ? {} : { file: place }),
        field: `approval.approvers[${index}]`,
        found: showValue(rule),
        expected: 'role(user | trusted | master)',
        message: text(parsed.isKnown ? 'agent.approver-later' : 'agent.approver-unreadable', values),
        fatal: !parsed.isKnown,
      },
    ];
  });
}

export function approvalRules({ settings: { approval } }: LoadedConfig): ApprovalRules {
  const { mode, ownerSkips, approvers } = approval;
  return { mode, ownerSkips, approvers: approvers.map((rule) => parsePermission(rule)) };
}

export function callLimits({ settings: { execution } }: LoadedConfig): CallLimits {
  return { timeoutMs: execution.timeoutMs, maxOutputChars: execution.maxOutputChars };
}

/** Absolute. */
export function stateFolder({ settings: { state } }: LoadedConfig, root: string | undefined): string {
  return resolve(root ?? '', state.folder);
}
