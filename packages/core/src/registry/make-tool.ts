import { canonicalJson } from '../contracts/canonical-json.ts';
import type {
  ApprovalLevel,
  CallLimits,
  CapabilityCode,
  DangerCategory,
  ToolAnnotations,
  ToolCapability,
} from '../contracts/capability.ts';
import { deepFreeze } from '../contracts/deep-freeze.ts';
import { digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { canonicalDialects, dialectOf } from './create-schema-checker.ts';
import { distinct } from './distinct.ts';
import { fieldTexts } from './field-texts.ts';
import type { CommonMembers, MakeOptions } from './make-options.ts';

/** Only called for fields that were checked: the casts repeat what the rules made sure of. */
export function makeTool(
  { declaration, fields, isTrusted, defaults }: MakeOptions & { readonly defaults: CallLimits },
  common: CommonMembers,
): Omit<ToolCapability, 'admissionClass' | 'dependsOn'> {
  const { code, codeDigest, ownValidator } = declaration;
  if (code === undefined) throw new Error(`the tool ${declaration.name} has no code`);
  const { name, description } = common;
  const returns = fields.get('returns') as string | undefined;
  const inputSchema = deepFreeze(objectSchema(fields.get('inputSchema') as JsonObject | undefined));
  const declaredOutput = fields.get('outputSchema') as JsonObject | undefined;
  const outputSchema = declaredOutput === undefined ? undefined : deepFreeze(knownDialect(declaredOutput));
  const annotations = deepFreeze((fields.get('annotations') ?? {}) as JsonObject) as ToolAnnotations;
  const declaredApproval = (fields.get('requiresApproval') ?? 'on-risk') as ApprovalLevel;
  // Whom we do not trust cannot lower what is asked of a person.
  const approval = declaredApproval === 'never' && !isTrusted ? 'on-risk' : declaredApproval;
  const dangerous = fields.get('risk') === 'dangerous';
  const danger = fields.get('riskCategory') as DangerCategory | undefined;
  const isolation = (fields.get('isolation') ?? (code.kind === 'live' ? 'inline' : 'process')) as 'inline' | 'process';
  const hidden = fields.get('hidden') === true;
  const examples = fieldTexts(fields.get('examples'));
  const visible = visibleText(description, returns, examples);
  const networkLabels = networkLabelsOf(fields.get('access'));
  const definitionDigest = digest(
    canonicalJson({
      name,
      description: visible,
      inputSchema,
      outputSchema: outputSchema ?? null,
      annotations: annotations as JsonObject,
      risk: fields.get('risk') ?? null,
      approval,
      danger: danger ?? null,
      access: fields.get('access') ?? null,
      isolation,
      platforms: distinct(fieldTexts(fields.get('platforms'))),
      scopes: distinct(fieldTexts(fields.get('scopes'))),
      permissions: distinct(fieldTexts(fields.get('permissions'))),
      hidden,
      codeDigest,
    }),
  );
  const summary = fields.get('summary') as string | undefined;
  const category = fields.get('category') as string | undefined;
  return {
    ...common,
    kind: 'tool',
    ...(returns === undefined ? {} : { returns }),
    ...(summary === undefined ? {} : { summary }),
    ...(category === undefined ? {} : { category }),
    tags: Object.freeze(fieldTexts(fields.get('tags'))),
    examples: Object.freeze(examples),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ownValidator,
    annotations,
    trustedHints: Object.freeze({
      readOnly: isTrusted && annotations.readOnlyHint === true,
      idempotent: isTrusted && (annotations.idempotentHint === true || annotations.readOnlyHint === true),
      closedWorld: isTrusted && annotations.openWorldHint === false,
    }),
    approval,
    dangerous,
    ...(danger === undefined ? {} : { danger }),
    hidden,
    alwaysLoaded: fields.get('alwaysLoaded') === true,
    uses: Object.freeze(fieldTexts(fields.get('uses'))),
    networkLabels: Object.freeze(networkLabels),
    limits: Object.freeze({
      timeoutMs: (fields.get('timeoutMs') ?? defaults.timeoutMs) as number,
      maxOutputChars: (fields.get('maxOutputChars') ?? defaults.maxOutputChars) as number,
    }),
    isolation,
    code: freezeCode(code),
    definitionDigest,
    wire: Object.freeze({ type: 'function', name, description: visible, inputSchema }),
  };
}

/** A live definition stays its author's object. */
export function freezeCode(code: CapabilityCode): CapabilityCode {
  return code.kind === 'module'
    ? Object.freeze({ ...code, reference: Object.freeze({ ...code.reference }) })
    : Object.freeze({ ...code });
}

/** Hosts that `access` names in its detailed form. */
function networkLabelsOf(access: Json | undefined): string[] {
  if (access === undefined || access === null || typeof access !== 'object' || Array.isArray(access)) return [];
  return Object.hasOwn(access, 'network') ? fieldTexts((access as JsonObject).network) : [];
}

/** Models read one text: what comes back, and what people say when they mean the tool, are its last paragraphs. */
function visibleText(description: string, returns: string | undefined, examples: readonly string[]): string {
  let visible = description;
  if (returns !== undefined) {
    visible = renderText(text('registry.description-with-returns', { description: visible, returns }), 'en');
  }
  if (examples.length > 0) {
    const shown = examples.slice(0, SHOWN_EXAMPLES).map((one) => JSON.stringify(one));
    const values = { description: visible, examples: shown.join(', ') };
    visible = renderText(text('registry.description-with-examples', values), 'en');
  }
  return visible;
}

/** Utterances that models are shown. */
const SHOWN_EXAMPLES = 2;

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
