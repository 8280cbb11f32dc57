import type { CallScope } from '../contracts/call.ts';

/**
 * Does one of the calls that wait for this one hold a process meanwhile? Then this one must not wait for a process. One
 * that only code of the host waits for may, like any call that nobody waits for, so that processes stay few.
 */
export function waitsInProcess({ callers, table }: Pick<CallScope, 'callers' | 'table'>): boolean {
  return callers.some(({ toolName }) => table.get(toolName)?.isolation !== 'inline');
}
