import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showValue } from '../contracts/show-value.ts';
import { scanProblem } from './scan-problem.ts';

/** Versions of the programming interfaces that we stand in for, beside our own. */
const PROVIDED: readonly (readonly [name: string, version: string])[] = [
  ['@zhin.js/tool', '1.0.0'],
  ['@zhin.js/prompt-section', '1.0.0'],
  ['@zhin.js/hook', '1.0.0'],
  ['@zhin.js/skill', '1.0.0'],
  ['@zhin.js/agent-feature', '1.0.0'],
  ['zhin.js', '1.0.0'],
];
const EXPECTED = '[{ "package": "@zhin.js/tool", "api": "^1.0.0" }]';

/**
 * Judges what a `package.json` asks of its host under `zhin.features` and `baigong.features`: lists of
 * `{ package, api }`, `api` being a range of versions. A range that we do not meet or cannot read, and an entry of
 * another form, are fatal; a package that we do not know is a warning. `version` is that of `baigong` itself. A file
 * that is no JSON object has no features: whoever looks for packages reports it.
 *
 * @example
 * await readFeatures('{"baigong":{"features":[{"package":"baigong","api":"^9"}]}}', 'package.json', '0.1.0') // one problem
 */
export async function readFeatures(source: string, file: string, version: string): Promise<readonly Problem[]> {
  const content = parse(source);
  const problems: Problem[] = [];
  for (const host of ['zhin', 'baigong']) {
    const features = memberOf(memberOf(content, host), 'features');
    if (features === undefined) continue;
    if (Array.isArray(features)) {
      for (const [index, feature] of features.entries()) {
        problems.push(...(await judge(feature, file, `${host}/features/${index}`, version)));
      }
    } else problems.push(malformed(file, `${host}/features`, features, EXPECTED));
  }
  return problems;
}

async function judge(feature: unknown, file: string, field: string, version: string): Promise<readonly Problem[]> {
  const name = memberOf(feature, 'package');
  const api = memberOf(feature, 'api');
  if (feature === null || typeof feature !== 'object' || Array.isArray(feature)) {
    return [malformed(file, field, feature, '{ "package": string, "api": string }')];
  }
  const faults: Problem[] = [];
  if (typeof name !== 'string' || name === '') faults.push(malformed(file, `${field}/package`, name, 'string'));
  if (typeof api !== 'string') faults.push(malformed(file, `${field}/api`, api, '"^1.0.0"'));
  if (typeof name !== 'string' || name === '' || typeof api !== 'string') return faults;

  // Nothing below is quick for texts of any length, and no range of versions is long.
  const { satisfies, validRange } = await import('semver');
  if (api.length > 256 || validRange(api) === null) return [malformed(file, `${field}/api`, api, '"^1.0.0"')];
  const provided = new Map([...PROVIDED, ['baigong', version] as const]);
  const ours = provided.get(name);
  if (ours === undefined) {
    const [near] = nearestNames(name, [...provided.keys()], 1);
    return [
      scanProblem({
        code: 'UNKNOWN_FEATURE',
        file,
        field: `${field}/package`,
        found: showValue(name),
        expected: near === undefined ? [...provided.keys()].join(' | ') : showValue(near),
        message: 'scan.unknown-feature',
        hint: near === undefined ? 'scan.unknown-feature-hint' : 'scan.did-you-mean',
        values: { name, near: near ?? '' },
        fatal: false,
      }),
    ];
  }
  if (satisfies(ours, api, { includePrerelease: true })) return [];
  return [
    scanProblem({
      code: 'UNMET_FEATURE',
      file,
      field: `${field}/api`,
      found: showValue(api),
      expected: ours,
      message: 'scan.unmet-feature',
      hint: 'scan.unmet-feature-hint',
      values: { name, api, version: ours },
    }),
  ];
}

function malformed(file: string, field: string, found: unknown, expected: string): Problem {
  return scanProblem({
    code: 'INVALID_FEATURE',
    file,
    field,
    found: showValue(found),
    expected,
    message: 'scan.invalid-feature',
    hint: 'scan.invalid-feature-hint',
    values: { field, found: showValue(found), expected },
  });
}

function memberOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
