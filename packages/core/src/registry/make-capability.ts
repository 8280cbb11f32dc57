import { canonicalJson } from '../contracts/canonical-json.ts';
import type {
  AgentCapability,
  CallLimits,
  Capability,
  CapabilityDeclaration,
  HookCapability,
  PromptSectionCapability,
  SkillCapability,
  ToolCapability,
} from '../contracts/capability.ts';
import { digest } from '../contracts/digest.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { capabilityKey } from './capability-key.ts';
import { distinct } from './distinct.ts';
import { fieldTexts } from './field-texts.ts';
import type { CommonMembers, MakeOptions } from './make-options.ts';
import { freezeCode, makeTool } from './make-tool.ts';
import { qualifiedName } from './qualified-name.ts';

type Unplaced<Kind extends Capability> = Omit<Kind, 'admissionClass' | 'dependsOn' | 'tools'>;

/** A capability before the table gives it an admission class and looks up the names that it refers to. */
export type UnplacedCapability =
  | Unplaced<ToolCapability>
  | Unplaced<SkillCapability>
  | Unplaced<PromptSectionCapability>
  | Unplaced<AgentCapability>
  | Unplaced<HookCapability>;

/** Only called for fields that were checked: the casts repeat what the rules made sure of. */
export function makeCapability(
  options: MakeOptions & { readonly source: { readonly id: string }; readonly defaults: CallLimits },
): UnplacedCapability {
  const { declaration, fields, provenance, source } = options;
  const { kind, name, owner, file, via } = declaration;
  const common: CommonMembers = {
    name: qualifiedName(kind, owner, name),
    localName: name,
    key: capabilityKey(kind, owner, name),
    owner: Object.freeze({ ...owner, plugin: Object.freeze([...owner.plugin]) }),
    source: Object.freeze({ id: source.id, ...(file === undefined ? {} : { file }), provenance, via }),
    description: descriptionOf(declaration, fields),
    version: (fields.get('version') ?? '1.0.0') as string,
  };
  switch (kind) {
    case 'tool':
      return makeTool(options, common);
    case 'skill':
      return makeSkill(options, common);
    case 'prompt-section':
      return makeSection(options, common);
    case 'agent':
      return makeAgent(options, common);
    case 'hook':
      return makeHook(options, common);
  }
}

/** Kinds that have no description are told apart by what they have in its place. */
function descriptionOf({ kind, texts }: CapabilityDeclaration, fields: ReadonlyMap<string, Json>): string {
  const told = fields.get('description');
  if (typeof told === 'string' && told.trim() !== '') return told;
  if (kind === 'prompt-section') return fields.get('title') as string;
  if (kind === 'hook') return fields.get('on') as string;
  const lines = (texts?.system ?? '').split(/\r\n|[\n\r]/).map((line) => line.replace(/^#+\s*/, '').trim());
  return lines.find((line) => line !== '') ?? '';
}

function makeSkill({ declaration, fields }: MakeOptions, common: CommonMembers): Unplaced<SkillCapability> {
  return {
    ...common,
    kind: 'skill',
    enabled: fields.get('enabled') !== false,
    body: declaration.texts?.body ?? '',
    definitionDigest: definitionDigest(declaration, common),
  };
}

function makeSection({ declaration, fields }: MakeOptions, common: CommonMembers): Unplaced<PromptSectionCapability> {
  const { code } = declaration;
  const maxChars = fields.get('maxChars') as number | undefined;
  const isDynamic = fields.get('dynamic') === true && code !== undefined;
  return {
    ...common,
    kind: 'prompt-section',
    title: fields.get('title') as string,
    layer: (fields.get('layer') ?? 'context') as PromptSectionCapability['layer'],
    order: (fields.get('order') ?? 50) as number,
    retention: (fields.get('retention') ?? 'preferred') as PromptSectionCapability['retention'],
    ...(maxChars === undefined ? {} : { maxChars }),
    profiles: Object.freeze((fields.get('profiles') ?? ['interactive']) as PromptSectionCapability['profiles']),
    content: Object.freeze(isDynamic ? { code: freezeCode(code) } : { text: (fields.get('content') ?? '') as string }),
    definitionDigest: definitionDigest(declaration, common),
  };
}

function makeAgent({ declaration, fields }: MakeOptions, common: CommonMembers): Unplaced<AgentCapability> {
  const { system = '', boundaries = '', conventions = '' } = declaration.texts ?? {};
  const model = fields.get('model') as string | undefined;
  const maxSteps = (fields.get('maxSteps') ?? fields.get('maxTurns')) as number | undefined;
  return {
    ...common,
    kind: 'agent',
    ...(model === undefined ? {} : { model }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    texts: Object.freeze({ system, boundaries, conventions }),
    definitionDigest: definitionDigest(declaration, common),
  };
}

function makeHook({ declaration, fields }: MakeOptions, common: CommonMembers): Unplaced<HookCapability> {
  const { code } = declaration;
  if (code === undefined) throw new Error(`the hook ${declaration.name} has no code`);
  return {
    ...common,
    kind: 'hook',
    on: fields.get('on') as string,
    order: (fields.get('order') ?? 50) as number,
    code: freezeCode(code),
    definitionDigest: definitionDigest(declaration, common),
  };
}

function definitionDigest({ fields, texts, codeDigest }: CapabilityDeclaration, { key, name }: CommonMembers) {
  const sets = ['platforms', 'scopes', 'permissions'].map((field) => distinct(fieldTexts(fields[field])));
  return digest(canonicalJson({ key, name, fields, sets, texts: (texts ?? {}) as JsonObject, codeDigest }));
}
