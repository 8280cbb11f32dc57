import { describe, expect, it } from 'vitest';
import type { StoredAsk } from '../contracts/ask.ts';
import type { PermissionRule } from '../contracts/capability.ts';
import type { Principal } from '../contracts/principal.ts';
import { mayAnswer } from './may-answer.ts';

const ann: Principal = {
  id: 'chat:bot:ann',
  userId: 'ann',
  role: 'master',
  platformRoles: [],
  authentication: 'platform',
};
const base = {
  id: 'x-1',
  code: 'K7M2QD',
  state: 'open',
  callId: 't.1.0',
  turnId: 't',
  sessionKey: 's',
  toolKey: 'send',
  from: ann,
  origin: { kind: 'im' },
  openedAt: 0,
  answerBy: 1_000,
} as const;

const approval = (needsPerson = false, from: Principal = ann): StoredAsk => ({
  ...base,
  from,
  kind: 'approval',
  card: { tool: 'send', description: '', arguments: '{}', level: 'always', dangerous: false, reasons: [], touches: [] },
  definitionDigest: 'd',
  argumentsDigest: 'a',
  needsPerson,
  useForMs: 1,
});
const question: StoredAsk = { ...base, kind: 'question', card: { tool: 'send', text: 'Name?' }, ordinal: 1 };

const master: PermissionRule = { kind: 'role', atLeast: 'master' };
const trusted: PermissionRule = { kind: 'role', atLeast: 'trusted' };
const never: PermissionRule = { kind: 'never', text: 'group(42)', isKnown: true };

function code(
  ask: StoredAsk,
  who: Partial<Principal>,
  approvers: readonly PermissionRule[] = [master],
  session?: string,
) {
  const { allow, code, reason } = mayAnswer(ask, { ...ann, ...who }, { approvers }, session);
  expect(reason.values).toMatchObject({ code: 'K7M2QD' });
  expect(allow).toBe(code === 'MAY_ANSWER');
  return code;
}

describe('who may approve', () => {
  it.each([
    ['a master', {}, [master], 'MAY_ANSWER'],
    ['somebody trusted where masters approve', { role: 'trusted' }, [master], 'NOT_AN_APPROVER'],
    ['somebody trusted where they approve', { role: 'trusted' }, [trusted], 'MAY_ANSWER'],
    ['a user', { role: 'user' }, [trusted], 'NOT_AN_APPROVER'],
    ['a master, of whom every rule holds', {}, [trusted, master], 'MAY_ANSWER'],
    ['somebody of whom one rule does not hold', { role: 'trusted' }, [trusted, master], 'NOT_AN_APPROVER'],
    ['a master, by a rule that nobody can read', {}, [never], 'NOT_AN_APPROVER'],
    ['a master, by one rule of two that can be read', {}, [master, never], 'NOT_AN_APPROVER'],
    ['a master where there are no rules', {}, [], 'NOT_AN_APPROVER'],
    ['a role that does not exist', { role: 'constructor' as never }, [master], 'NOT_AN_APPROVER'],
    ['a master whom nobody knows', { authentication: 'none' }, [master], 'NOT_AUTHENTICATED'],
    ['the requester, who is no approver', { role: 'user' }, [master], 'NOT_AN_APPROVER'],
    ['somebody else, who is one', { id: 'chat:bot:bob', userId: 'bob' }, [master], 'MAY_ANSWER'],
    ['a program with a token', { authentication: 'token' }, [master], 'MAY_ANSWER'],
  ] as const)('%s', (_who, principal, approvers, expected) => {
    expect(code(approval(), principal, approvers)).toBe(expected);
  });

  it('takes an approver in any session', () => {
    expect(code(approval(), {}, [master], 'another')).toBe('MAY_ANSWER');
  });
});

describe('who may decide what only a person may', () => {
  it.each([
    ['platform', undefined, 'MAY_ANSWER'],
    ['terminal', undefined, 'MAY_ANSWER'],
    ['console', undefined, 'MAY_ANSWER'],
    ['token', true, 'MAY_ANSWER'],
    ['token', false, 'NEEDS_PERSON'],
    ['token', undefined, 'NEEDS_PERSON'],
    ['none', true, 'NOT_AUTHENTICATED'],
  ] as const)('%s, marked as a person: %s', (authentication, isPerson, expected) => {
    const who = { authentication, ...(isPerson === undefined ? {} : { isPerson }) };
    expect(code(approval(true), who)).toBe(expected);
  });

  it('is an approver besides', () => {
    expect(code(approval(true), { role: 'user' })).toBe('NOT_AN_APPROVER');
  });
});

describe('who may answer a question', () => {
  it.each([
    ['whom it is for', {}, undefined, 'MAY_ANSWER'],
    ['whom it is for, in its session', {}, 's', 'MAY_ANSWER'],
    ['whom it is for, elsewhere', {}, 'another', 'NOT_ASKED'],
    ['whom it is for, of any role', { role: 'user' }, 's', 'MAY_ANSWER'],
    ['a master whom it is not for', { id: 'chat:bot:bob' }, 's', 'NOT_ASKED'],
    ['the same name on another platform', { id: 'other:bot:ann' }, 's', 'NOT_ASKED'],
    ['somebody whom nobody knows', { authentication: 'none' }, 's', 'NOT_AUTHENTICATED'],
  ] as const)('%s', (_who, principal, session, expected) => {
    expect(code(question, principal, [never], session)).toBe(expected);
  });
});

describe('somebody known by no way that we know', () => {
  it.each([[undefined], ['reviewer'], ['framework'], ['Terminal']])('%s answers nothing', (authentication) => {
    const who = { authentication: authentication as never };
    for (const ask of [approval(), approval(true), question]) expect(code(ask, who)).toBe('NOT_AUTHENTICATED');
  });
});
