import { canonicalJson } from '../contracts/canonical-json.ts';
import type {
  AdmissionRule,
  ApprovalLevel,
  CallLimits,
  DangerCategory,
  PermissionRule,
  Provenance,
  ToolAnnotations,
  ToolCapability,
  ToolDeclaration,
} from '../contracts/capability.ts';
import { deepFreeze } from '../contracts/deep-freeze.ts';
import { digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Scope } from '../contracts/principal.ts';
import type { Problem } from '../contracts/problem.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { checkFields } from './check-fields.ts';
import { checkName } from './check-name.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { canonicalDialects, dialectOf, type SchemaChecker } from './create-schema-checker.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';

export interface CheckOptions {
  readonly source: { readonly id: string; readonly provenance: Provenance };
  /** Limits of tools that declare none. */
  readonly defaults: CallLimits;
  readonly parsePermission: (rule: string) => PermissionRule;
  readonly schemas: SchemaChecker;
}

/** A tool that may stand in a table, which then gives its admission rule a place. */
export interface CheckedTool {
  readonly tool: Omit<ToolCapability, 'admissionClass'>;
  readonly admission: AdmissionRule;
}

/**
 * Judges what a source says of one tool and makes the tool of it. All faults are reported, not only the first; a tool
 * comes out only where none is fatal. Whatever the source, nothing is believed unchecked.
 */
export function checkDeclaration(
  declaration: ToolDeclaration,
  options: CheckOptions,
): { readonly checked?: CheckedTool; readonly problems: readonly Problem[] } {
  const { name, file } = declaration;
  const { provenance } = options.source;
  const place = { tool: showText(name.slice(0, 100)), ...(file === undefined ? {} : { file: showText(file) }) };
  const problems: Problem[] = [
    ...checkName(name, file, provenance === 'framework'),
    ...checkFields(declaration.fields, place, options.schemas),
    ...checkIsolation(declaration, place),
  ];
  const fields = new Map(Object.entries(declaration.fields));
  const permissions = new Map<string, PermissionRule>();
  for (const [index, rule] of texts(fields.get('permissions')).entries()) {
    const parsed = options.parsePermission(rule);
    permissions.set(JSON.stringify(parsed), parsed);
    if (parsed.kind === 'never') problems.push(admitsNobody(place, index, rule));
  }
  if (problems.some((problem) => problem.fatal)) return { problems };

  const admission: AdmissionRule = {
    platforms: distinct(texts(fields.get('platforms'))),
    scopes: distinct(texts(fields.get('scopes'))) as Scope[],
    permissions: [...permissions].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, rule]) => rule),
  };
  return { checked: { tool: makeTool(declaration, fields, options), admission }, problems };
}

/** Only called for fields that were checked: the casts repeat what the rules made sure of. */
function makeTool(
  declaration: ToolDeclaration,
  fields: ReadonlyMap<string, Json>,
  { source, defaults }: CheckOptions,
): Omit<ToolCapability, 'admissionClass'> {
  const { name, file, code, codeDigest, ownValidator } = declaration;
  const trusted = source.provenance === 'framework' || source.provenance === 'project';
  const description = fields.get('description') as string;
  const returns = fields.get('returns') as string | undefined;
  const inputSchema = deepFreeze(objectSchema(fields.get('inputSchema') as JsonObject | undefined));
  const declaredOutput = fields.get('outputSchema') as JsonObject | undefined;
  const outputSchema = declaredOutput === undefined ? undefined : deepFreeze(knownDialect(declaredOutput));
  const annotations = deepFreeze((fields.get('annotations') ?? {}) as JsonObject) as ToolAnnotations;
  const declaredApproval = (fields.get('requiresApproval') ?? 'on-risk') as ApprovalLevel;
  // Whom we do not trust cannot lower what is asked of a person.
  const approval = declaredApproval === 'never' && !trusted ? 'on-risk' : declaredApproval;
  const dangerous = fields.get('risk') === 'dangerous';
  const danger = fields.get('riskCategory') as DangerCategory | undefined;
  const isolation = (fields.get('isolation') ?? (code.kind === 'live' ? 'inline' : 'process')) as 'inline' | 'process';
  const hidden = fields.get('hidden') === true;
  const definitionDigest = digest(
    canonicalJson({
      name,
      description,
      returns: returns ?? null,
      inputSchema,
      outputSchema: outputSchema ?? null,
      annotations: annotations as JsonObject,
      risk: fields.get('risk') ?? null,
      approval,
      danger: danger ?? null,
      isolation,
      platforms: distinct(texts(fields.get('platforms'))),
      scopes: distinct(texts(fields.get('scopes'))),
      permissions: distinct(texts(fields.get('permissions'))),
      hidden,
      codeDigest,
    }),
  );
  const summary = fields.get('summary') as string | undefined;
  const category = fields.get('category') as string | undefined;
  return {
    kind: 'tool',
    name,
    source: Object.freeze({ id: source.id, ...(file === undefined ? {} : { file }), provenance: source.provenance }),
    description,
    ...(returns === undefined ? {} : { returns }),
    ...(summary === undefined ? {} : { summary }),
    ...(category === undefined ? {} : { category }),
    tags: Object.freeze(texts(fields.get('tags'))),
    examples: Object.freeze(texts(fields.get('examples'))),
    version: (fields.get('version') ?? '1.0.0') as string,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ownValidator,
    annotations,
    trustedHints: Object.freeze({
      readOnly: trusted && annotations.readOnlyHint === true,
      idempotent: trusted && (annotations.idempotentHint === true || annotations.readOnlyHint === true),
      closedWorld: trusted && annotations.openWorldHint === false,
    }),
    approval,
    dangerous,
    ...(danger === undefined ? {} : { danger }),
    hidden,
    limits: Object.freeze({
      timeoutMs: (fields.get('timeoutMs') ?? defaults.timeoutMs) as number,
      maxOutputChars: (fields.get('maxOutputChars') ?? defaults.maxOutputChars) as number,
    }),
    isolation,
    code:
      code.kind === 'module'
        ? Object.freeze({ kind: 'module', reference: Object.freeze({ ...code.reference }) })
        : Object.freeze({ ...code }),
    definitionDigest,
    wire: Object.freeze({
      type: 'function',
      name,
      description: returns === undefined ? description : withReturns(description, returns),
      inputSchema,
    }),
  };
}

/** Models read one text: what comes back is its last paragraph. */
function withReturns(description: string, returns: string): string {
  return renderText(text('registry.description-with-returns', { description, returns }), 'en');
}

/**
 * The input of a tool is always an object. A schema that does not say so (`{}`, or alternatives at its root) gets the
 * `type` that providers of models insist on, which changes nothing of what it accepts.
 */
function objectSchema(declared: JsonObject | undefined): JsonObject {
  if (declared === undefined) return { type: 'object' };
  const schema = knownDialect(declared);
  return Object.hasOwn(schema, 'type') ? schema : { type: 'object', ...schema };
}

/** Writes `$schema` as validators know it. */
function knownDialect(schema: JsonObject): JsonObject {
  if (!Object.hasOwn(schema, '$schema')) return schema;
  const canonical = canonicalDialects.get(dialectOf(schema.$schema) ?? '2020-12');
  return canonical === undefined ? schema : { ...schema, $schema: canonical };
}

function checkIsolation(
  { fields, code }: ToolDeclaration,
  { tool, file }: { readonly tool: string; readonly file?: string },
): readonly Problem[] {
  const isolation = Object.hasOwn(fields, 'isolation') ? fields.isolation : undefined;
  const base = {
    ...(file === undefined ? {} : { file }),
    field: 'isolation',
    found: showValue(isolation),
    fatal: true,
  };
  if (isolation === 'sandbox') {
    return [
      {
        ...base,
        code: 'SANDBOX_UNAVAILABLE',
        expected: '"process" | "inline"',
        message: text('registry.sandbox-unavailable', { tool }),
        hint: text('registry.sandbox-unavailable-hint'),
      },
    ];
  }
  if (isolation === 'process' && code.kind === 'live') {
    return [
      {
        ...base,
        code: 'ISOLATION_UNAVAILABLE',
        expected: '"inline"',
        message: text('registry.isolation-unavailable', { tool }),
        hint: text('registry.isolation-unavailable-hint'),
      },
    ];
  }
  return [];
}

function admitsNobody(
  { tool, file }: { readonly tool: string; readonly file?: string },
  index: number,
  rule: string,
): Problem {
  return {
    code: 'ADMITS_NOBODY',
    ...(file === undefined ? {} : { file }),
    field: `permissions/${index}`,
    found: showValue(rule),
    expected: 'role(user | trusted | master)',
    message: text('registry.admits-nobody', { tool, rule: showValue(rule) }),
    hint: text('registry.admits-nobody-hint'),
    fatal: false,
  };
}

/** The texts of a list; anything else has been reported already. */
function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Lists that admission reads as sets: equal sets must be equal. */
function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
