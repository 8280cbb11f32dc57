import { describeDefinition } from './authoring/describe-definition.ts';
import { BaigongError } from './contracts/baigong-error.ts';
import type { Principal } from './contracts/principal.ts';
import { text } from './contracts/texts/text.ts';
import type { CallInput, RequestBase, RuntimeOptions } from './runtime-options.ts';
import { checkOptionShapes } from './runtime-shapes.ts';

const MAX_INPUT_CHARS = 1_048_576;
const MAX_SESSION_CHARS = 200;

/** Code that embeds the runtime acts for itself unless it says for whom. */
const EMBEDDER: Principal = Object.freeze({
  id: 'api:local:embedder',
  userId: 'embedder',
  role: 'master',
  platformRoles: Object.freeze([]),
  authentication: 'token',
});

export function checkText(message: unknown): string {
  if (typeof message !== 'string') throw notText('text', message);
  if (message.trim() === '') throw new BaigongError('INVALID_INPUT', { reason: text('agent.input-empty') });
  if (message.length > MAX_INPUT_CHARS) {
    throw new BaigongError('INVALID_INPUT', {
      reason: text('agent.input-too-long', { length: message.length, limit: MAX_INPUT_CHARS }),
      hint: text('agent.input-too-long-hint'),
    });
  }
  return message;
}

export function checkSession(session: unknown): string {
  if (typeof session !== 'string') throw notText('session', session);
  if (session.length === 0 || session.length > MAX_SESSION_CHARS || /[\u0000-\u001f\u007f]/.test(session)) {
    throw new BaigongError('INVALID_INPUT', { reason: text('agent.session-name') });
  }
  return session;
}

/** A caller's object as JSON; what JSON cannot say would be lost without a word. */
export function toJsonText(input: CallInput): string {
  if (typeof input === 'string') return input;
  const { faults } = describeDefinition({ input, execute: () => undefined }, 'tool');
  const [fault] = faults;
  if (fault === undefined && typeof input === 'object' && input !== null) return JSON.stringify(input);
  const found = fault?.found ?? typeof input;
  throw new BaigongError('INVALID_INPUT', { reason: text('agent.not-json', { found }) });
}

export function notText(name: string, found: unknown): BaigongError {
  return new BaigongError('INVALID_INPUT', { reason: text('agent.not-text', { name, found: typeof found }) });
}

/** Without a principal the program acts for itself; one that is named and missing must not become its master. */
export function principalOf(request: Pick<RequestBase, 'principal'>): Principal {
  if (!Object.hasOwn(request, 'principal')) return EMBEDDER;
  const { principal } = request;
  if (principal === undefined || principal === null) {
    throw new BaigongError('INVALID_INPUT', { reason: text('agent.no-principal') });
  }
  if (!['user', 'trusted', 'master'].includes(principal.role)) {
    const found = String(principal.role);
    throw new BaigongError('INVALID_INPUT', { reason: text('agent.bad-role', { found }) });
  }
  return Object.freeze({ ...principal });
}

/** Timers count in 32 bits; a longer one would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A program's own mistakes are told at once and as such, not among the problems of a project. */
export function checkOptions(options: RuntimeOptions): void {
  checkOptionShapes(options);
  const { limits, callLimits } = options;
  checkLimits('limits', { ...limits });
  checkLimits('callLimits', { ...callLimits });
}

function checkLimits(option: string, limits: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    const most = name === 'timeoutMs' ? LONGEST_TIMER_MS : Number.MAX_SAFE_INTEGER;
    if (Number.isSafeInteger(value) && value >= 1 && value <= most) continue;
    throw new BaigongError('INVALID_OPTION', {
      reason: text('agent.bad-option', { name: `${option}.${name}`, found: String(value), expected: `1 … ${most}` }),
    });
  }
}
