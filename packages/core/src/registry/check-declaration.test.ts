import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapabilityCode, CapabilityDeclaration, PermissionRule, Provenance } from '../contracts/capability.ts';
import { digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { checkDeclaration } from './check-declaration.ts';
import { createSchemaChecker } from './create-schema-checker.ts';

const schemas = await createSchemaChecker();
const codeDigest = digest('code');
const live: CapabilityCode = { kind: 'live', definition: { execute: () => 'ok' } };
const inFile: CapabilityCode = {
  kind: 'module',
  reference: { graph: codeDigest, entry: 'tools/t/index.ts' },
};

function parsePermission(rule: string): PermissionRule {
  return rule === 'role(master)'
    ? { kind: 'role', atLeast: 'master' }
    : { kind: 'never', text: rule, isKnown: rule.startsWith('group(') };
}

type Other = Partial<
  Pick<CapabilityDeclaration, 'name' | 'code' | 'codeDigest' | 'ownValidator' | 'trusted' | 'owner' | 'via'>
> & {
  provenance?: Provenance;
};

function check(fields: JsonObject, other: Other = {}) {
  const { provenance = 'project', code = inFile, ...rest } = other;
  const declaration: CapabilityDeclaration = {
    kind: 'tool',
    owner: { plugin: [] },
    via: 'code',
    name: 'weather',
    file: 'tools/weather/index.ts',
    fields,
    ownValidator: false,
    code,
    codeDigest,
    ...rest,
  };
  const defaults = { timeoutMs: 10_000, maxOutputChars: 50_000 };
  return checkDeclaration(declaration, { source: { id: 'project', provenance }, defaults, parsePermission, schemas });
}

function toolOf(fields: JsonObject, other: Parameters<typeof check>[1] = {}) {
  const { checked, problems } = check({ description: 'Weather.', ...fields }, other);
  expect(problems.filter((problem) => problem.fatal)).toEqual([]);
  if (checked === undefined) throw new Error('no tool');
  if (checked.capability.kind !== 'tool') throw new Error('no tool');
  return checked.capability;
}

function faultsOf(fields: JsonObject, other: Parameters<typeof check>[1] = {}): readonly string[] {
  return check({ description: 'Weather.', ...fields }, other).problems.map(({ code, field }) => `${code} ${field}`);
}

describe('checkDeclaration', () => {
  it('fills in what an author left out', () => {
    expect(toolOf({})).toMatchObject({
      kind: 'tool',
      name: 'weather',
      source: { id: 'project', file: 'tools/weather/index.ts', provenance: 'project' },
      inputSchema: { type: 'object' },
      version: '1.0.0',
      tags: [],
      examples: [],
      annotations: {},
      trustedHints: { readOnly: false, idempotent: false, closedWorld: false },
      approval: 'on-risk',
      dangerous: false,
      hidden: false,
      limits: { timeoutMs: 10_000, maxOutputChars: 50_000 },
      isolation: 'process',
      wire: { type: 'function', name: 'weather', description: 'Weather.', inputSchema: { type: 'object' } },
    });
    expect(toolOf({}, { code: live }).isolation).toBe('inline');
  });

  it('takes over what an author wrote', () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } } };
    const tool = toolOf({
      returns: 'one line',
      inputSchema,
      outputSchema: { type: 'string' },
      requiresApproval: 'human',
      risk: 'dangerous',
      riskCategory: 'funds',
      annotations: { title: 'Weather', readOnlyHint: true, openWorldHint: false },
      hidden: true,
      alwaysLoaded: false,
      isolation: 'inline',
      timeoutMs: 3_600_000,
      maxOutputChars: 1,
      category: 'daily',
      tags: ['sky'],
      summary: 'weather now',
      examples: ['北京天气'],
      version: '2.1.0',
    });
    expect(tool).toMatchObject({
      returns: 'one line',
      inputSchema,
      outputSchema: { type: 'string' },
      approval: 'human',
      dangerous: true,
      danger: 'funds',
      trustedHints: { readOnly: true, idempotent: true, closedWorld: true },
      hidden: true,
      isolation: 'inline',
      limits: { timeoutMs: 3_600_000, maxOutputChars: 1 },
      category: 'daily',
      tags: ['sky'],
      summary: 'weather now',
      examples: ['北京天气'],
      version: '2.1.0',
      wire: { description: 'Weather.\n\nReturns: one line\n\nExamples: "北京天气"' },
    });
  });

  it.each<[string, Json, string, string | undefined]>([
    ['description', '  ', 'description', undefined],
    ['description', 7, 'description', undefined],
    ['description', 'x'.repeat(100_001), 'description', undefined],
    ['description', '\ud800', 'description', undefined],
    ['returns', null, 'returns', undefined],
    ['requiresApproval', 'alway', 'requiresApproval', 'always'],
    ['requiresApproval', true, 'requiresApproval', undefined],
    ['risk', 'dangerus', 'risk', 'dangerous'],
    ['riskCategory', 'fund', 'riskCategory', 'funds'],
    ['annotations', [], 'annotations', undefined],
    ['annotations', { readOnlyHint: 'yes' }, 'annotations/readOnlyHint', undefined],
    ['platforms', 'qq', 'platforms', undefined],
    ['platforms', ['qq', ''], 'platforms/1', undefined],
    ['scopes', ['group', 'privat'], 'scopes/1', 'private'],
    ['scopes', { 0: 'group' }, 'scopes', undefined],
    ['permissions', 'role(master)', 'permissions', undefined],
    ['hidden', 'no', 'hidden', undefined],
    ['alwaysLoaded', 1, 'alwaysLoaded', undefined],
    ['isolation', 'proces', 'isolation', 'process'],
    ['timeoutMs', 0, 'timeoutMs', undefined],
    ['timeoutMs', 3_600_001, 'timeoutMs', undefined],
    ['timeoutMs', 1.5, 'timeoutMs', undefined],
    ['timeoutMs', '10', 'timeoutMs', undefined],
    ['maxOutputChars', 10_000_001, 'maxOutputChars', undefined],
    ['maxOutputChars', -1, 'maxOutputChars', undefined],
    ['category', 3, 'category', undefined],
    ['tags', [3], 'tags/0', undefined],
    ['summary', {}, 'summary', undefined],
    ['examples', [['a']], 'examples/0', undefined],
    ['version', 1, 'version', undefined],
    ['inputSchema', true, 'inputSchema', undefined],
    ['outputSchema', [], 'outputSchema', undefined],
  ])('refuses %s: %j', (field, value, pointer, nearest) => {
    const { problems, checked } = check({ description: 'Weather.', [field]: value });
    expect(checked).toBeUndefined();
    expect(problems).toHaveLength(1);
    const [problem] = problems;
    expect(problem).toMatchObject({
      code: 'INVALID_FIELD',
      file: 'tools/weather/index.ts',
      field: pointer,
      fatal: true,
    });
    expect(problem?.found).toBeTruthy();
    expect(problem?.expected).toBeTruthy();
    expect(problem?.hint?.values?.name).toBe(nearest);
  });

  it.each<[JsonObject, string, string | undefined]>([
    [{ descripton: 'x' }, 'descripton', 'description'],
    [{ timeout: 5 }, 'timeout', 'timeoutMs'],
    [{ completelyElse: 1 }, 'completelyElse', undefined],
    [{ constructor: 1 }, 'constructor', undefined],
    [JSON.parse('{"__proto__":{"description":"x"}}'), '__proto__', undefined],
    [{ annotations: { readonlyHint: true } }, 'annotations/readonlyHint', 'readOnlyHint'],
    [{ annotations: { 'a/b': true } }, 'annotations/a~1b', undefined],
  ])('does not know %j', (fields, pointer, nearest) => {
    const { problems } = check(Object.assign(Object.create(null), fields, { description: 'Weather.' }));
    expect(problems).toMatchObject([{ code: 'UNKNOWN_FIELD', field: pointer, fatal: true }]);
    expect(problems[0]?.hint?.values?.name).toBe(nearest);
  });

  it('wants a description', () => {
    expect(check({}).problems).toMatchObject([
      { code: 'MISSING_FIELD', file: 'tools/weather/index.ts', field: 'description', found: 'undefined', fatal: true },
    ]);
  });

  it('says everything at once', () => {
    const fields = { risk: 'high', timeoutMs: 0, tags: 'a', colour: 'red', inputSchema: { type: 'array' } };
    const codes = check(fields, { name: 'no good' }).problems.map(({ code, field }) => `${code} ${field}`);
    expect(codes).toEqual([
      'INVALID_NAME name',
      'MISSING_FIELD description',
      'INVALID_FIELD risk',
      'INVALID_FIELD timeoutMs',
      'INVALID_FIELD tags',
      'UNKNOWN_FIELD colour',
      'INVALID_SCHEMA inputSchema/type',
    ]);
  });

  it.each<[JsonObject, readonly string[]]>([
    [{ access: ['network', 'database'] }, ['NO_EFFECT_YET access']],
    [{ access: { network: ['wttr.in'], filesystem: { read: ['.'], write: [] } } }, ['NO_EFFECT_YET access']],
    [{ access: ['nework'] }, ['INVALID_FIELD access/0', 'NO_EFFECT_YET access']],
    [{ access: { filesystem: { reed: [] } } }, ['UNKNOWN_FIELD access/filesystem/reed', 'NO_EFFECT_YET access']],
    [{ access: 'network' }, ['INVALID_FIELD access', 'NO_EFFECT_YET access']],
    [{ memoryMb: 256, maxConcurrency: 2 }, ['NO_EFFECT_YET memoryMb', 'NO_EFFECT_YET maxConcurrency']],
    [{ rateLimit: { limit: 3, perMs: 1000 } }, ['NO_EFFECT_YET rateLimit']],
    [{ rateLimit: { limit: 3 } }, ['INVALID_FIELD rateLimit/perMs', 'NO_EFFECT_YET rateLimit']],
    [{ retry: { attempts: 2 }, dependsOn: ['clock'] }, ['NO_EFFECT_YET retry']],
    [{ retry: 2 }, ['INVALID_FIELD retry', 'NO_EFFECT_YET retry']],
  ])('is honest about %j', (fields, expected) => {
    expect(faultsOf(fields)).toEqual(expected);
    const noEffect = check({ description: 'Weather.', ...fields }).problems.filter(
      ({ code }) => code === 'NO_EFFECT_YET',
    );
    expect(noEffect.every((problem) => !problem.fatal)).toBe(true);
  });

  it('refuses a sandbox that it does not have, and a process for what only lives here', () => {
    expect(faultsOf({ isolation: 'sandbox' })).toEqual(['SANDBOX_UNAVAILABLE isolation']);
    expect(faultsOf({ isolation: 'process' }, { code: live })).toEqual(['ISOLATION_UNAVAILABLE isolation']);
    expect(faultsOf({ isolation: 'inline' }, { code: live })).toEqual([]);
  });

  it('refuses hints that contradict one another', () => {
    expect(faultsOf({ annotations: { readOnlyHint: true, destructiveHint: true } })).toEqual([
      'CONTRADICTION annotations',
    ]);
    expect(faultsOf({ annotations: { readOnlyHint: true, destructiveHint: false } })).toEqual([]);
  });

  it.each<[string, Provenance, readonly string[]]>([
    ['load_tool', 'project', ['RESERVED_NAME name']],
    ['load_tool', 'framework', []],
    ['a'.repeat(64), 'project', []],
    ['a'.repeat(65), 'project', ['INVALID_NAME name']],
    ['', 'project', ['INVALID_NAME name']],
    ['天气', 'project', ['INVALID_NAME name']],
    ['a\n', 'project', ['INVALID_NAME name']],
    ['__proto__', 'project', []],
    ['constructor', 'project', []],
  ])('judges the name %j of %s', (name, provenance, expected) => {
    expect(faultsOf({}, { name, provenance })).toEqual(expected);
  });

  it('believes hints and low approval only of those who are trusted', () => {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    const tool = toolOf({ annotations, requiresApproval: 'never' }, { provenance: 'mcp' });
    expect(tool.trustedHints).toEqual({ readOnly: false, idempotent: false, closedWorld: false });
    expect(tool.approval).toBe('on-risk');
    expect(toolOf({ requiresApproval: 'always' }, { provenance: 'mcp' }).approval).toBe('always');
    expect(toolOf({ annotations: { idempotentHint: true } }).trustedHints).toMatchObject({
      readOnly: false,
      idempotent: true,
    });
    expect(toolOf({ requiresApproval: 'never' }).approval).toBe('never');
  });

  it('warns of rules that it cannot decide yet, and keeps the tool, which admits nobody', () => {
    const { checked, problems } = check({
      description: 'W',
      permissions: ['role(master)', 'group(1)', 'role(master)'],
    });
    const place = { file: 'tools/weather/index.ts', field: 'permissions/1', found: '"group(1)"' };
    expect(problems).toMatchObject([{ code: 'ADMITS_NOBODY', ...place, fatal: false }]);
    expect(checked?.admission.permissions).toEqual([
      { kind: 'never', text: 'group(1)', isKnown: true },
      { kind: 'role', atLeast: 'master' },
    ]);
  });

  it('refuses rules that nobody knows', () => {
    const { checked, problems } = check({ description: 'W', permissions: ['role(master)', 'rol(master)'] });
    expect(problems).toMatchObject([{ code: 'UNKNOWN_PERMISSION', field: 'permissions/1', fatal: true }]);
    expect(checked).toBeUndefined();
  });

  it('lets only trusted code into the process of the host', () => {
    const inline = { isolation: 'inline' };
    expect(toolOf(inline, { provenance: 'plugin', trusted: true }).isolation).toBe('inline');
    const { checked, problems } = check(
      { description: 'W', ...inline },
      { provenance: 'plugin', trusted: false, owner: { plugin: ['maps'] } },
    );
    expect(problems).toMatchObject([{ code: 'UNTRUSTED_INLINE', field: 'isolation', fatal: true }]);
    expect(problems[0]?.hint?.values).toEqual({ plugin: 'maps' });
    expect(checked).toBeUndefined();
  });

  it('shows models at most two examples', () => {
    const { wire } = toolOf({ examples: ['one', 'two', 'three'] });
    expect(wire.description).toBe('Weather.\n\nExamples: "one", "two"');
  });

  it.each<[JsonObject, JsonObject]>([
    [{}, { type: 'object' }],
    [{ anyOf: [{}] }, { type: 'object', anyOf: [{}] }],
    [
      { $schema: 'https://json-schema.org/draft-07/schema', type: 'object' },
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    ],
  ])('gives %j the form that providers and validators want', (declared, inputSchema) => {
    expect(toolOf({ inputSchema: declared }).inputSchema).toEqual(inputSchema);
    expect(toolOf({ inputSchema: declared }).wire.inputSchema).toEqual(inputSchema);
  });

  it('bounds nesting, so that nothing that walks a schema overflows', () => {
    let schema: JsonObject = {};
    for (let level = 0; level < 50_000; level++) schema = { not: schema };
    expect(faultsOf({ inputSchema: schema })).toMatchObject([
      expect.stringMatching(/^INVALID_FIELD inputSchema\/not\/not/),
    ]);
    expect(faultsOf({ tags: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) })).toHaveLength(1);
  });

  it('shows hostile values short and harmless', () => {
    const [problem] = check({ description: 'x', risk: `\u001b[2J${'x'.repeat(1_000_000)}` }).problems;
    expect(problem?.found?.length).toBeLessThanOrEqual(80);
    expect(problem?.found).toContain('\\u001b[2J');
    expect(problem?.found).not.toContain('\u001b');
  });

  it('never throws, whatever a source sends', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    const known = fc.constantFrom(
      'description',
      'inputSchema',
      'outputSchema',
      'annotations',
      'access',
      'permissions',
      'tags',
      'risk',
    );
    const anything = fc.dictionary(fc.oneof(known, fc.string()), json, { maxKeys: 6 });
    fc.assert(
      fc.property(anything, fc.string({ unit: 'binary' }), (fields, name) => {
        const { checked, problems } = check(fields as JsonObject, { name });
        expect(checked === undefined).toBe(problems.some((problem) => problem.fatal));
      }),
    );
  });

  it('digests what a person relies on, and not the order of a schema', () => {
    const base = { description: 'W', inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: {} } } };
    const digestOf = (fields: JsonObject, other: Parameters<typeof check>[1] = {}) =>
      toolOf({ ...base, ...fields }, other).definitionDigest;
    const original = digestOf({});
    expect(digestOf({})).toBe(original);
    expect(digestOf({ inputSchema: { properties: { b: {}, a: { type: 'string' } }, type: 'object' } })).toBe(original);
    expect(digestOf({ tags: ['x'], timeoutMs: 5 })).toBe(original);
    const changes: JsonObject[] = [
      { description: 'W\n' },
      { returns: 'r' },
      { inputSchema: { type: 'object' } },
      { outputSchema: {} },
      { annotations: { readOnlyHint: true } },
      { risk: 'safe' },
      { requiresApproval: 'once' },
      { riskCategory: 'funds' },
      { isolation: 'inline' },
      { platforms: ['qq'] },
      { scopes: ['group'] },
      { permissions: ['role(master)'] },
      { hidden: true },
    ];
    const digests = [
      ...changes.map((change) => digestOf(change)),
      digestOf({}, { codeDigest: digest('other') }),
      digestOf({}, { name: 'x' }),
    ];
    expect(new Set([original, ...digests]).size).toBe(digests.length + 1);
  });
});
