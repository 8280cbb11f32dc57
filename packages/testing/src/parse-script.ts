import type { ScriptedAnswer, When } from './answer.ts';
import { isRecord, type JsonRecord, recordsIn } from './json-value.ts';
import { parsePattern } from './parse-pattern.ts';
import type { ScriptProblem } from './script-problem.ts';
import { type Shape, shape } from './shape.ts';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const string = shape.value('string', (value) => typeof value === 'string');
const boolean = shape.value('boolean', (value) => typeof value === 'boolean');
const count = shape.value('count', isCount);
const switchOrCount = shape.value('switch-or-count', (value) => typeof value === 'boolean' || isCount(value));
const anything: Shape = () => undefined;

const pattern = shape.all(string, (value, path, report) => {
  if (typeof value !== 'string') return;
  try {
    parsePattern(value);
  } catch (error) {
    report({ path, code: 'bad-pattern', reason: error instanceof Error ? error.message : String(error) });
  }
});

const patternKeys = ['lastUser', 'toolResultContains', 'system'];

const when = shape.object(
  new Map<string, Shape>([
    ...patternKeys.map((key): [string, Shape] => [key, pattern]),
    ['lastRole', shape.value('role', (value) => value === 'user' || value === 'tool')],
    ['tool', string],
  ]),
);

const call = shape.all(
  shape.object(
    new Map<string, Shape>([
      ['name', string],
      ['input', shape.value('object', isRecord)],
      ['rawInput', string],
      ['id', string],
    ]),
    ['name'],
  ),
  exclusive('input', 'rawInput'),
);

const error = shape.object(
  new Map<string, Shape>([
    ['status', shape.value('status', (value) => isCount(value) && value >= 200 && value <= 599)],
    ['message', string],
    ['body', anything],
    [
      'headers',
      shape.value(
        'object',
        (value) => isRecord(value) && Object.values(value).every((each) => typeof each === 'string'),
      ),
    ],
  ]),
  ['status'],
);

const usageKeys = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'];
const contentKeys = ['text', 'reasoning', 'calls', 'finishReason'];
const insteadOfContent = ['error', 'rawEvents'];

const answer = shape.all(
  shape.object(
    new Map<string, Shape>([
      ['text', string],
      ['reasoning', string],
      ['calls', shape.list(call)],
      ['finishReason', string],
      ['usage', shape.object(new Map(usageKeys.map((key) => [key, count])))],
      ['chunkSize', shape.value('positive-count', (value) => isCount(value) && value > 0)],
      ['delayMs', count],
      ['error', error],
      ['hang', switchOrCount],
      ['cut', switchOrCount],
      ['rawEvents', shape.value('event-text', (value) => [value].flat().every((each) => typeof each === 'string'))],
      ['when', when],
      ['repeat', boolean],
    ]),
  ),
  ...insteadOfContent.flatMap((instead) => contentKeys.map((content) => exclusive(instead, content))),
  exclusive('error', 'rawEvents'),
  (value, path, report) => {
    if (!isRecord(value)) return;
    const says = [...contentKeys, ...insteadOfContent, 'hang'].some((key) => Object.hasOwn(value, key));
    if (!says) report({ path, code: 'says-nothing' });
  },
);

const file = shape.object(
  new Map<string, Shape>([
    ['$schema', string],
    ['answers', shape.all(shape.list(answer), findUnreachable)],
  ]),
  ['answers'],
);

/** The answers of a script file, or everything that is wrong with it. */
export function parseScript(text: string): { answers: ScriptedAnswer[] } | { problems: ScriptProblem[] } {
  let script: unknown;
  try {
    script = JSON.parse(text);
  } catch (error) {
    return {
      problems: [{ path: '', code: 'not-json', reason: error instanceof Error ? error.message : String(error) }],
    };
  }
  const problems: ScriptProblem[] = [];
  file(script, '', (problem) => problems.push(problem));
  if (problems.length > 0 || !isRecord(script)) return { problems };
  return { answers: recordsIn(script.answers).map(toAnswer) };
}

function toAnswer(json: JsonRecord): ScriptedAnswer {
  // The shapes above have checked every key.
  const scripted = json as Exclude<ScriptedAnswer, (...input: never) => unknown>;
  if (!isRecord(json.when)) return scripted;
  const entries = Object.entries(json.when).map(([key, value]) => [
    key,
    patternKeys.includes(key) && typeof value === 'string' ? parsePattern(value) : value,
  ]);
  return { ...scripted, when: Object.fromEntries(entries) as When };
}

function exclusive(first: string, second: string): Shape {
  return (value, path, report) => {
    if (isRecord(value) && Object.hasOwn(value, first) && Object.hasOwn(value, second)) {
      report({ path, code: 'exclusive', keys: [first, second] });
    }
  };
}

/** An answer that repeats and fits everything shuts out all that come after it. */
function findUnreachable(value: unknown, path: string, report: (problem: ScriptProblem) => void): void {
  if (!Array.isArray(value)) return;
  const by = value.findIndex(
    (each) => isRecord(each) && each.repeat === true && (!isRecord(each.when) || Object.keys(each.when).length === 0),
  );
  if (by < 0) return;
  for (let index = by + 1; index < value.length; index += 1) {
    report({ path: `${path}[${index}]`, code: 'unreachable', by });
  }
}
