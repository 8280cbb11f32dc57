import type { PluginSettings } from '../contracts/capability-source.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import type { ProjectScan } from './project-scan.ts';
import { scanProject } from './scan-project.ts';

export interface ConfiguredScanOptions {
  readonly root: string;
  readonly settings: PluginSettings | undefined;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly previous: ProjectScan | undefined;
}

/** Looks at the project's folders and at the packages that its configuration names. */
export async function scanConfigured(
  options: ConfiguredScanOptions,
): Promise<{ readonly scan: ProjectScan; readonly problems: readonly Problem[] }> {
  const { root, settings, version, signal, previous } = options;
  const scan = await scanProject({
    root,
    configured: settings?.byName ?? new Map(),
    version,
    signal,
    ...(settings?.optional === undefined ? {} : { optional: settings.optional }),
    ...(settings?.file === undefined ? {} : { configFile: settings.file }),
    ...(previous === undefined ? {} : { previous }),
  });
  const packages = new Set(scan.plugins.flatMap((plugin) => plugin.package ?? []));
  const problems = (settings?.trusted ?? [])
    .filter((name) => !packages.has(name))
    .map((name) => unknownTrusted(name, [...packages], settings?.file));
  return { scan, problems: [...scan.problems, ...problems] };
}

function unknownTrusted(name: string, packages: readonly string[], file: string | undefined): Problem {
  const [nearest] = nearestNames(name, packages, 1);
  return {
    code: 'UNKNOWN_TRUSTED',
    ...(file === undefined ? {} : { file: showText(file) }),
    field: 'trusted',
    found: showValue(name),
    ...(nearest === undefined ? {} : { expected: showValue(nearest) }),
    message: text('registry.unknown-trusted', { name: showText(name) }),
    hint:
      nearest === undefined
        ? text('registry.unknown-trusted-hint')
        : text('registry.did-you-mean', { name: showText(nearest) }),
    fatal: false,
  };
}
