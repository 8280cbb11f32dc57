import type { DescribedEntry } from '../contracts/capability-source.ts';
import type { LogLevel, ValidationIssue } from '../contracts/executor.ts';
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
  'UPSTREAM_UNAVAILABLE',
  'EXECUTION_ERROR',
  'INVALID_RESULT',
]);
const LEVELS: ReadonlySet<unknown> = new Set<LogLevel>(['debug', 'info', 'warn', 'error']);
const OPERATIONS: ReadonlySet<unknown> = new Set(['get', 'set', 'delete']);

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
      return { type, id };
    case 'described':
      return { type, id, entry: entryOf(objectOf(own(frame, 'entry'), 'entry')) };
    case 'validated':
      return { type, id, issues: listOf(frame, 'issues', limits.issues).map(issueOf) };
    case 'context': {
      const operation = memberOf(frame, 'operation', OPERATIONS) as 'get' | 'set' | 'delete';
      const key = rawTextOf(frame, 'key', limits.sessionKeyChars);
      return { type, id, request: integerOf(frame, 'request'), operation, key, ...optionalValue(frame) };
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
      return { type, id, ...optionalValue(frame) };
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
