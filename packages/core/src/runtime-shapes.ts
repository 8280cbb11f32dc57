import { BaigongError } from './contracts/baigong-error.ts';
import { text } from './contracts/texts/text.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** What a member may hold, and how a program is told of it. */
interface Shape {
  readonly expected: string;
  fits(value: unknown): boolean;
}

type Shapes<Of> = { readonly [Name in keyof Required<Of>]: Shape };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOf = (type: 'string' | 'boolean' | 'function'): Shape => ({
  expected: type,
  fits: (value) => typeof value === type,
});
const oneOf = (...values: readonly string[]): Shape => ({
  expected: values.map((value) => `"${value}"`).join(' | '),
  fits: (value) => values.includes(value as string),
});
const string = isOf('string');
const boolean = isOf('boolean');
const fn = isOf('function');
const object: Shape = { expected: '{ … }', fits: isObject };

const states = oneOf('open', 'approved', 'denied', 'answered', 'expired', 'withdrawn');

const options: Shapes<RuntimeOptions> = {
  project: string,
  settings: object,
  flags: {
    expected: 'Map<string, string>',
    fits: (value) => value instanceof Map && [...value].flat().every((one) => typeof one === 'string'),
  },
  home: string,
  watch: boolean,
  takeUp: boolean,
  onTakeUp: fn,
  replies: {
    expected: '{ reaches(reply), send(reply, signal) }',
    fits: (value) => isObject(value) && typeof value.reaches === 'function' && typeof value.send === 'function',
  },
  roleOf: fn,
  onNotice: fn,
  tools: object,
  sources: { expected: '[{ … }]', fits: (value) => Array.isArray(value) && value.every(isObject) },
  model: {
    expected: '"provider/model" | LanguageModelV4',
    fits: (value) => string.fits(value) || (isObject(value) && typeof value.doStream === 'function'),
  },
  store: {
    expected: '"memory" | { file } | Store',
    fits: (value) =>
      value === 'memory' ||
      (isObject(value) && ('file' in value ? typeof value.file === 'string' : typeof value.takeIn === 'function')),
  },
  config: object,
  environment: object,
  toolEnvironment: object,
  // Judged where the language is chosen, together with all that is configured.
  locale: string,
  defaultLocale: string,
  timeZone: string,
  limits: object,
  callLimits: object,
};

const request = {
  attended: boolean,
  deliver: boolean,
  overlap: oneOf('fifo', 'supersede'),
  signal: { expected: 'AbortSignal', fits: (value: unknown) => value instanceof AbortSignal },
  origin: {
    expected: '{ kind: "im" | "cli" | "console" | "api" | "schedule" | "mcp" }',
    fits: (value: unknown) =>
      isObject(value) && ['im', 'cli', 'console', 'api', 'schedule', 'mcp'].includes(value.kind as string),
  },
  onProgress: fn,
  onAsk: fn,
} as const;

const answer = { approve: boolean, reason: string } as const;

const query = {
  states: {
    expected: `[${states.expected}]`,
    fits: (value: unknown) => Array.isArray(value) && value.every((state) => states.fits(state)),
  },
  turnId: string,
  sessionKey: string,
} as const;

const grace = {
  graceMs: { expected: '0 …', fits: (value: unknown) => typeof value === 'number' && value >= 0 },
} as const;

/** The options of `createRuntime`: each known, each of its kind. Throws `INVALID_OPTION`. */
export function checkOptionShapes(given: RuntimeOptions): void {
  if (!isObject(given)) throw wrong('INVALID_OPTION', 'options', object, given);
  checkMembers('INVALID_OPTION', given, options);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(options, name));
  if (unknown === undefined) return;
  const known = Object.keys(options).join(', ');
  throw new BaigongError('INVALID_OPTION', { reason: text('agent.unknown-option', { name: unknown, known }) });
}

/** What `run` and `call` take beside text and arguments, whose principal is judged apart. Throws `INVALID_INPUT`. */
export const checkRequest = (given: unknown): void => check('request', given, request);

/** What `answer` takes. Throws `INVALID_INPUT`. */
export function checkAnswer(idOrCode: unknown, input: unknown, by: unknown): void {
  checkId('code', idOrCode);
  check('answer', input, answer);
  check('by', by, { session: string });
  if (!('approve' in (input as object)) && !('value' in (input as object))) {
    const shape: Shape = { expected: '{ approve: true | false } | { value }', fits: () => false };
    throw wrong('INVALID_INPUT', 'answer', shape, input);
  }
}

/** What `cancel` takes. Throws `INVALID_INPUT`. */
export function checkTarget(target: unknown, by: unknown): void {
  const shape: Shape = {
    expected: '{ turn } | { session }',
    fits: (value) => isObject(value) && (typeof value.turn === 'string' || typeof value.session === 'string'),
  };
  if (!shape.fits(target)) throw wrong('INVALID_INPUT', 'target', shape, target);
  check('by', by, {});
}

/** What `asks` takes. Throws `INVALID_INPUT`. */
export function checkQuery<Given>(given: Given): Given {
  check('query', given, query);
  return given;
}

/** What `close` takes. Throws `INVALID_INPUT`. */
export function checkClose<Given>(given: Given): Given {
  check('options', given, grace);
  return given;
}

/** The id of something. Throws `INVALID_INPUT`. */
export function checkId<Given>(name: string, given: Given): Given {
  if (!string.fits(given)) throw wrong('INVALID_INPUT', name, string, given);
  return given;
}

function check(name: string, given: unknown, shapes: Readonly<Record<string, Shape>>): void {
  if (!isObject(given)) throw wrong('INVALID_INPUT', name, object, given);
  checkMembers('INVALID_INPUT', given, shapes);
}

/** A member that is undefined counts as left out. */
function checkMembers(
  code: 'INVALID_OPTION' | 'INVALID_INPUT',
  given: Readonly<Record<string, unknown>>,
  shapes: Readonly<Record<string, Shape>>,
): void {
  for (const [name, shape] of Object.entries(shapes)) {
    const value = given[name];
    if (value !== undefined && !shape.fits(value)) throw wrong(code, name, shape, value);
  }
}

function wrong(code: 'INVALID_OPTION' | 'INVALID_INPUT', name: string, { expected }: Shape, value: unknown) {
  const found = foundOf(value);
  const key = code === 'INVALID_OPTION' ? 'agent.bad-option' : 'agent.bad-input';
  return new BaigongError(code, { reason: text(key, { name, found, expected }) });
}

/** Its kind, and a simple value itself: an object may hold what is nobody's business. */
function foundOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return '[ … ]';
  if (typeof value === 'object') return '{ … }';
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value;
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}
