import { isRecord } from './json-value.ts';
import { nearestName } from './nearest-name.ts';
import type { Expected, ScriptProblem } from './script-problem.ts';

/** Looks at a value and reports all that is wrong with it; goes on after a mistake, so that all come at once. */
export type Shape = (value: unknown, path: string, report: (problem: ScriptProblem) => void) => void;

/** The shapes of which a script file is made. */
export const shape = {
  value(expected: Expected, accepts: (value: unknown) => boolean): Shape {
    return (value, path, report) => {
      if (!accepts(value)) report({ path, code: 'wrong-type', expected });
    };
  },

  list(item: Shape): Shape {
    return (value, path, report) => {
      if (!Array.isArray(value)) return report({ path, code: 'wrong-type', expected: 'list' });
      if (value.length === 0) return report({ path, code: 'empty-list' });
      for (const [index, each] of value.entries()) item(each, `${path}[${index}]`, report);
    };
  },

  object(keys: ReadonlyMap<string, Shape>, required: readonly string[] = []): Shape {
    return (value, path, report) => {
      if (!isRecord(value)) return report({ path, code: 'wrong-type', expected: 'object' });
      const known = [...keys.keys()];
      for (const [key, each] of Object.entries(value)) {
        const inner = keys.get(key);
        const innerPath = path === '' ? key : `${path}.${key}`;
        if (inner !== undefined) inner(each, innerPath, report);
        else report({ path: innerPath, code: 'unknown-key', nearest: nearestName(key, known), known });
      }
      for (const key of required) {
        if (!Object.hasOwn(value, key)) report({ path: path === '' ? key : `${path}.${key}`, code: 'missing' });
      }
    };
  },

  all(...shapes: readonly Shape[]): Shape {
    return (value, path, report) => {
      for (const each of shapes) each(value, path, report);
    };
  },
};
