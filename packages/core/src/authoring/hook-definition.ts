import type { Json } from '../contracts/json.ts';

/** Marks what `defineHook` made. Registered globally: it holds across copies of this package. */
export const hookMark: unique symbol = Symbol.for('baigong.hook') as never;

/** The points at which hooks are called. */
export const hookPoints = [
  'turn:start',
  'turn:end',
  'model:before',
  'model:after',
  'tool:before',
  'tool:after',
  'approval:requested',
  'approval:resolved',
  'skill:loaded',
  'error',
] as const;
export type HookPoint = (typeof hookPoints)[number];

/** What an author says of a hook. */
export interface HookDefinition {
  readonly on: HookPoint;
  /** Smaller ones run first. Default 50. */
  readonly order?: number;
  handler(event: { readonly on: HookPoint; readonly [member: string]: Json }): unknown;
}

/** A hook as `defineHook` returns it. */
export type Hook = HookDefinition & { readonly [hookMark]: true };
