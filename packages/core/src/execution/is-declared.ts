import { declaredOutcomeMark } from '../authoring/declared-outcome.ts';
import { readMember } from './read-member.ts';

/** Was the value made by `success` (of any copy of this package)? */
export function isDeclaredSuccess(value: unknown): boolean {
  return readMember(value, declaredOutcomeMark) === 'success';
}

/** Was the value made by `failure` (of any copy of this package)? */
export function isDeclaredFailure(value: unknown): boolean {
  return readMember(value, declaredOutcomeMark) === 'failure';
}
