import { hookPoints } from '../authoring/hook-definition.ts';
import type { CapabilityKind } from '../contracts/capability.ts';
import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import { showValue } from '../contracts/show-value.ts';

/** One value that does not fit, before it is known to which tool it belongs. */
export interface FieldFault {
  /** Pointer from the field on; empty = the field itself. */
  readonly pointer: string;
  readonly kind: 'value' | 'unknown-member';
  readonly found: string;
  readonly expected: string;
  /** The right name or value that was probably meant. */
  readonly nearest?: string;
}

/** Checks the value of one field; empty = right. */
export type FieldRule = (value: Json) => readonly FieldFault[];

/** `access` without details names kinds only. */
const accessKinds = ['network', 'filesystem', 'database'] as const;

/** Longest text of one field, in characters: more would fill a model's window by itself. */
const LONGEST_TEXT = 100_000;

/** The fields of one kind of capability. */
export interface KindRules {
  /** What each field may hold, schemas aside. Expected values are written as in TypeScript, to read the same anywhere. */
  readonly rules: ReadonlyMap<string, FieldRule>;
  /** Fields that hold a JSON Schema. */
  readonly schemas: ReadonlySet<string>;
  readonly required: readonly string[];
  /** Functions, which no description holds. */
  readonly functions: readonly string[];
  /** Fields whose shape is checked while this version does not act on them. */
  readonly withoutEffect: ReadonlySet<string>;
  /** Other fields are kept: the Agent Skills standard lets everybody add some. */
  readonly isOpen?: boolean;
}

const admissionRules: readonly (readonly [string, FieldRule])[] = [
  ['platforms', listOf(filledText, 'string[]')],
  ['scopes', listOf(oneOf('private', 'group', 'channel'), '("private" | "group" | "channel")[]')],
  ['permissions', listOf(filledText, 'string[]')],
];

const toolRules: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['description', filledText],
  ['returns', anyText],
  ['requiresApproval', oneOf('never', 'on-risk', 'once', 'always', 'human')],
  ['risk', oneOf('dangerous', 'safe')],
  ['riskCategory', oneOf('member', 'publish', 'funds', 'identity')],
  [
    'annotations',
    members(
      new Map<string, FieldRule>([
        ['title', anyText],
        ['readOnlyHint', yesOrNo],
        ['destructiveHint', yesOrNo],
        ['idempotentHint', yesOrNo],
        ['openWorldHint', yesOrNo],
      ]),
    ),
  ],
  ...admissionRules,
  ['hidden', yesOrNo],
  ['alwaysLoaded', yesOrNo],
  ['isolation', oneOf('inline', 'process', 'sandbox')],
  ['access', access],
  ['timeoutMs', wholeNumber(1, 3_600_000)],
  ['maxOutputChars', wholeNumber(1, 10_000_000)],
  ['memoryMb', wholeNumber(1, 1_048_576)],
  ['maxConcurrency', wholeNumber(1, 10_000)],
  [
    'rateLimit',
    members(
      new Map([
        ['limit', wholeNumber(1, 1_000_000)],
        ['perMs', wholeNumber(1, 86_400_000)],
      ]),
      ['limit', 'perMs'],
    ),
  ],
  ['retry', members(new Map([['attempts', wholeNumber(1, 100)]]), ['attempts'])],
  ['category', anyText],
  ['tags', listOf(filledText, 'string[]')],
  ['summary', anyText],
  ['examples', listOf(filledText, 'string[]')],
  ['version', filledText],
  ['dependsOn', listOf(filledText, 'string[]')],
  ['uses', listOf(filledText, 'Token[]')],
]);

const skillRules: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['name', anyText],
  ['description', filledText],
  ['tools', listOf(filledText, 'string[]')],
  ...admissionRules,
  ['dependsOn', listOf(filledText, 'string[]')],
  ['version', filledText],
  ['category', anyText],
  ['examples', listOf(filledText, 'string[]')],
  ['enabled', yesOrNo],
]);

const sectionRules: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['title', filledText],
  ['content', anyText],
  ['dynamic', yesOrNo],
  ['layer', oneOf('safety', 'role', 'task', 'context', 'tools', 'examples', 'memory')],
  ['order', wholeNumber(-1_000_000, 1_000_000)],
  ['retention', oneOf('required', 'preferred', 'opportunistic')],
  ['maxChars', wholeNumber(1, 10_000_000)],
  ['profiles', filledList(oneOf('interactive', 'schedule'), '("interactive" | "schedule")[], ≥ 1')],
  ['platforms', filledList(filledText, 'string[], ≥ 1')],
  ['scopes', filledList(oneOf('private', 'group', 'channel'), '("private" | "group" | "channel")[], ≥ 1')],
]);

const agentRules: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['name', filledText],
  ['description', anyText],
  ['model', filledText],
  ['tools', listOf(filledText, 'string[]')],
  ...admissionRules,
  ['maxTurns', wholeNumber(1, 1_000)],
  ['maxSteps', wholeNumber(1, 1_000)],
  ['access', access],
]);

const hookRules: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['on', oneOf(...hookPoints)],
  ['order', wholeNumber(-1_000_000, 1_000_000)],
]);

const none: ReadonlySet<string> = new Set();

/** What may stand in each kind of capability. */
export const fieldRules: Readonly<Record<CapabilityKind, KindRules>> = {
  tool: {
    rules: toolRules,
    schemas: new Set(['inputSchema', 'outputSchema']),
    required: ['description'],
    functions: ['execute'],
    withoutEffect: new Set(['access', 'memoryMb', 'maxConcurrency', 'rateLimit', 'retry']),
  },
  skill: {
    rules: skillRules,
    schemas: none,
    required: ['description'],
    functions: [],
    withoutEffect: none,
    isOpen: true,
  },
  'prompt-section': {
    rules: sectionRules,
    schemas: none,
    required: ['title', 'content'],
    functions: [],
    withoutEffect: none,
  },
  agent: { rules: agentRules, schemas: none, required: ['name'], functions: [], withoutEffect: none },
  hook: { rules: hookRules, schemas: none, required: ['on'], functions: ['handler'], withoutEffect: none },
};

function wrong(value: Json, expected: string, nearest?: string): readonly FieldFault[] {
  const fault = { pointer: '', kind: 'value', found: showValue(value), expected } as const;
  return [nearest === undefined ? fault : { ...fault, nearest }];
}

function anyText(value: Json): readonly FieldFault[] {
  if (typeof value !== 'string') return wrong(value, 'string');
  return value.length > LONGEST_TEXT ? [tooLong(value.length)] : [];
}

function filledText(value: Json): readonly FieldFault[] {
  if (typeof value !== 'string' || value.trim() === '') return wrong(value, 'string.trim().length ≥ 1');
  return value.length > LONGEST_TEXT ? [tooLong(value.length)] : [];
}

function tooLong(length: number): FieldFault {
  return {
    pointer: '',
    kind: 'value',
    found: `string.length = ${length}`,
    expected: `string.length ≤ ${LONGEST_TEXT}`,
  };
}

function yesOrNo(value: Json): readonly FieldFault[] {
  return typeof value === 'boolean' ? [] : wrong(value, 'true | false');
}

function oneOf(...allowed: readonly string[]): FieldRule {
  const expected = allowed.map((one) => JSON.stringify(one)).join(' | ');
  return (value) => {
    if (typeof value !== 'string') return wrong(value, expected);
    return allowed.includes(value) ? [] : wrong(value, expected, nearestNames(value, allowed, 1)[0]);
  };
}

function wholeNumber(least: number, most: number): FieldRule {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? []
      : wrong(value, `Number.isInteger, ${least} … ${most}`);
}

function listOf(rule: FieldRule, expected: string): FieldRule {
  return (value) =>
    Array.isArray(value)
      ? value.flatMap((item: Json, index) => below(String(index), rule(item)))
      : wrong(value, expected);
}

function filledList(rule: FieldRule, expected: string): FieldRule {
  const list = listOf(rule, expected);
  return (value) => (Array.isArray(value) && value.length === 0 ? wrong(value, expected) : list(value));
}

function members(rules: ReadonlyMap<string, FieldRule>, required: readonly string[] = []): FieldRule {
  const names = [...rules.keys()];
  const expected = `{ ${names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')} }`;
  return (value) => {
    if (!isObject(value)) return wrong(value, expected);
    const faults: FieldFault[] = [];
    for (const [name, member] of Object.entries(value)) {
      const rule = rules.get(name);
      if (rule !== undefined) faults.push(...below(name, rule(member)));
      else {
        const nearest = nearestNames(name, names, 1)[0];
        const fault = {
          pointer: `/${escapePointer(name)}`,
          kind: 'unknown-member',
          found: showValue(name),
          expected,
        } as const;
        faults.push(nearest === undefined ? fault : { ...fault, nearest });
      }
    }
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue;
      faults.push({ pointer: `/${name}`, kind: 'value', found: 'undefined', expected });
    }
    return faults;
  };
}

function access(value: Json): readonly FieldFault[] {
  const kinds = `(${accessKinds.map((kind) => JSON.stringify(kind)).join(' | ')})[]`;
  if (Array.isArray(value)) return listOf(oneOf(...accessKinds), kinds)(value);
  if (!isObject(value)) return wrong(value, `${kinds} | { network?, filesystem? }`);
  const texts = listOf(filledText, 'string[]');
  const filesystem = members(
    new Map([
      ['read', texts],
      ['write', texts],
    ]),
  );
  return members(
    new Map([
      ['network', texts],
      ['filesystem', filesystem],
    ]),
  )(value);
}

function below(name: string, faults: readonly FieldFault[]): readonly FieldFault[] {
  return faults.map((fault) => ({ ...fault, pointer: `/${escapePointer(name)}${fault.pointer}` }));
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
