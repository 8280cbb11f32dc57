import type { CapabilityKind } from '../contracts/capability.ts';
import type { AddedCapability, DescribedEntry, SetUpPlugin } from '../contracts/code-host.ts';
import {
  type ContextOperation,
  contextOperations,
  type LogLevel,
  type ValidationIssue,
} from '../contracts/executor.ts';
import type { ChildFrame } from '../contracts/frame.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { OutcomeCode } from '../contracts/outcome.ts';
import type { Problem } from '../contracts/problem.ts';
import { allTexts } from '../contracts/texts/all-texts.ts';
import { executionLimits as limits } from './execution-limits.ts';
import { FrameError } from './frame-error.ts';

/** What code in a child may end with; every other code is a verdict of the host. */
const CODES: ReadonlySet<unknown> = new Set<OutcomeCode>([
  'INVALID_ARGUMENTS',
  'NOT_PERMITTED',
  'ACCESS_DENIED',
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
  'EXECUTION_ERROR',
  'INVALID_RESULT',
]);
const LEVELS: ReadonlySet<unknown> = new Set<LogLevel>(['debug', 'info', 'warn', 'error']);
const OPERATIONS: ReadonlySet<unknown> = new Set<ContextOperation>(contextOperations);
/** What `setup` can add. */
const ADDED_KINDS: ReadonlySet<unknown> = new Set<CapabilityKind>(['tool', 'skill', 'prompt-section', 'hook']);

/**
 * Reads a frame that a child sent. Everything in it may be forged: each member is checked and bounded, texts lose
 * their control characters, members that are not expected are dropped. Throws {@link FrameError} for anything else.
 *
 * @example
 * parseChildFrame({ type: 'started', id: '9f…' })
 */
export function parseChildFrame(value: unknown): ChildFrame {
  const frame = objectOf(value, 'a frame');
  const type = own(frame, 'type');
  if (type === 'ready') return { type };
  const id = rawTextOf(frame, 'id', limits.idChars);
  switch (type) {
    case 'started':
    case 'pong':
    case 'disposed':
      return { type, id };
    case 'described':
      return { type, id, entry: entryOf(objectOf(own(frame, 'entry'), 'entry')) };
    case 'validated':
      return { type, id, issues: listOf(frame, 'issues', limits.issues).map(issueOf) };
    case 'set-up':
      return { type, id, plugin: setUpOf(objectOf(own(frame, 'plugin'), 'plugin')) };
    case 'context': {
      const operation = memberOf(frame, 'operation', OPERATIONS) as ContextOperation;
      const args = listOf(frame, 'args', limits.contextArguments).map(jsonOf);
      return { type, id, request: integerOf(frame, 'request'), operation, args };
    }
    case 'progress':
      return { type, id, value: jsonOf(own(frame, 'value')) };
    case 'log':
      return {
        type,
        id,
        level: memberOf(frame, 'level', LEVELS) as LogLevel,
        message: textOf(frame, 'message', limits.logChars),
      };
    case 'result':
      return { type, id, ...optionalValue(frame), ...(own(frame, 'isParts') === true ? { isParts: true } : {}) };
    case 'error':
      return {
        type,
        id,
        code: memberOf(frame, 'code', CODES) as OutcomeCode,
        message: textOf(frame, 'message', limits.messageChars),
        ...optionalText(frame, 'hint', limits.hintChars),
        ...optionalText(frame, 'stack', limits.stackChars),
        ...(own(frame, 'unbegun') === true ? { unbegun: true } : {}),
        ...(typeof own(frame, 'retryable') === 'boolean' ? { retryable: own(frame, 'retryable') === true } : {}),
      };
    default:
      throw new FrameError('a frame of an unknown type');
  }
}

type Members = Readonly<Record<string, unknown>>;

function entryOf(entry: Members): DescribedEntry {
  const problems = listOf(entry, 'problems', limits.problemsPerEntry).map(problemOf);
  const base = { entry: rawTextOf(entry, 'entry', limits.frameBytes), problems };
  const declared = own(entry, 'declaration');
  if (declared === undefined) return base;
  const declaration = objectOf(declared, 'declaration');
  const fields = jsonOf(objectOf(own(declaration, 'fields'), 'fields')) as JsonObject;
  return { ...base, declaration: { fields, ownValidator: own(declaration, 'ownValidator') === true } };
}

function setUpOf(plugin: Members): SetUpPlugin {
  return {
    added: listOf(plugin, 'added', limits.addedPerPlugin).map(addedOf),
    provided: listOf(plugin, 'provided', limits.providedPerPlugin).map((value) => {
      const service = objectOf(value, 'a service');
      const remote = listOf(service, 'remote', limits.remotePerService).map(nameOf);
      return { token: nameOf(own(service, 'token')), remote };
    }),
    config: jsonOf(own(plugin, 'config')),
    problems: listOf(plugin, 'problems', limits.problemsPerEntry).map(problemOf),
  };
}

function addedOf(value: unknown): AddedCapability {
  const added = objectOf(value, 'an added capability');
  const texts = own(added, 'texts');
  return {
    kind: memberOf(added, 'kind', ADDED_KINDS) as CapabilityKind,
    name: nameOf(own(added, 'name')),
    fields: jsonOf(objectOf(own(added, 'fields'), 'fields')) as JsonObject,
    ownValidator: own(added, 'ownValidator') === true,
    ...(texts === undefined ? {} : { texts: textsOf(objectOf(texts, 'texts')) }),
  };
}

/** Long texts stay as they are: Markdown, bounded by the frame. */
function textsOf(texts: Members): Readonly<Record<string, string>> {
  const entries = Object.entries(texts);
  if (entries.length > limits.textsPerAdded) throw new FrameError('too many texts');
  for (const [name, one] of entries)
    if (nameOf(name) !== name || typeof one !== 'string') throw new FrameError('no text');
  return Object.fromEntries(entries as [string, string][]);
}

/** Compared, not shown: it stays as it is. */
function nameOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > limits.nameChars) throw new FrameError('a name is no short text');
  return value;
}

function problemOf(value: unknown): Problem {
  const problem = objectOf(value, 'a problem');
  const hint = own(problem, 'hint');
  return {
    code: textOf(problem, 'code', 100),
    ...optionalText(problem, 'file', limits.problemChars),
    ...optionalText(problem, 'field', limits.problemChars),
    ...optionalText(problem, 'found', limits.problemChars),
    ...optionalText(problem, 'expected', limits.problemChars),
    message: messageOf(own(problem, 'message')),
    ...(hint === undefined ? {} : { hint: messageOf(hint) }),
    fatal: own(problem, 'fatal') !== false,
  };
}

function messageOf(value: unknown): MessageKey {
  const message = objectOf(value, 'a message');
  const key = textOf(message, 'key', 100);
  if (!Object.hasOwn(allTexts, key)) throw new FrameError('a message names no text');
  const given = own(message, 'values');
  if (given === undefined) return { key };
  const values = Object.entries(objectOf(given, 'values')).map(([name, one]) => {
    if (typeof one === 'number') return [name, one] as const;
    if (typeof one !== 'string') throw new FrameError('a value of a message is neither text nor number');
    return [name, cleanText(one, limits.problemChars)] as const;
  });
  return { key, values: Object.fromEntries(values) };
}

function issueOf(value: unknown): ValidationIssue {
  const issue = objectOf(value, 'an issue');
  return { pointer: textOf(issue, 'pointer', limits.issueChars), message: textOf(issue, 'message', limits.issueChars) };
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function objectOf(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FrameError(`${name} is no object`);
  return value as Members;
}

function integerOf(members: Members, name: string): number {
  const value = own(members, name);
  if (!Number.isSafeInteger(value)) throw new FrameError(`${name} is no integer`);
  return value as number;
}

function memberOf(members: Members, name: string, allowed: ReadonlySet<unknown>): unknown {
  const value = own(members, name);
  if (!allowed.has(value)) throw new FrameError(`${name} is not one of its values`);
  return value;
}

function listOf(members: Members, name: string, most: number): readonly unknown[] {
  const value = own(members, name);
  if (!Array.isArray(value) || value.length > most) throw new FrameError(`${name} is no list of at most ${most}`);
  return value;
}

function textOf(members: Members, name: string, most: number): string {
  const value = own(members, name);
  if (typeof value !== 'string') throw new FrameError(`${name} is no text`);
  return cleanText(value, most);
}

function optionalText<Name extends string>(members: Members, name: Name, most: number): { [key in Name]?: string } {
  const value = own(members, name);
  if (value === undefined) return {};
  return { [name]: textOf(members, name, most) } as { [key in Name]?: string };
}

/** Keys and paths are compared, not shown: they stay as they are. */
function rawTextOf(members: Members, name: string, most: number): string {
  const value = own(members, name);
  if (typeof value !== 'string' || value.length > most) throw new FrameError(`${name} is no text of at most ${most}`);
  return value;
}

/** Control characters but line feeds and tabs would reach terminals and logs. */
function cleanText(value: string, most: number): string {
  return value.slice(0, most).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');
}

function optionalValue(members: Members): { value?: Json } {
  return Object.hasOwn(members, 'value') ? { value: jsonOf(members.value) } : {};
}

/** Was parsed from JSON, so only its depth can be wrong: what reads values recursively must not be made to overflow. */
function jsonOf(value: unknown): Json {
  if (value === undefined) throw new FrameError('a value is missing');
  checkDepth(value, limits.depth);
  return value as Json;
}

function checkDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) throw new FrameError('a value is nested too deeply');
  for (const member of Array.isArray(value) ? value : Object.values(value)) checkDepth(member, left - 1);
}
