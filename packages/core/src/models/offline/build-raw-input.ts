import { type JsonType, type Parameter, readParameters } from './read-parameters.ts';
import { type ScannedArgument, scanArguments } from './scan-arguments.ts';

export interface BuiltInput {
  /** JSON text of the arguments. Numbers stand in it with the digits that were written. */
  readonly rawInput: string;
  /** A value that belongs to no parameter; then nothing should be called. */
  readonly stray?: string;
}

const ANY: ReadonlySet<JsonType> = new Set();
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * The arguments of a `/tool` command as a model would write them. JSON in braces is passed on as it stands; words are
 * typed by the tool's schema, and one that does not fit stays a text, so that validation says what is wrong.
 *
 * @example
 * buildRawInput('city=北京 days=3', schema).rawInput // '{"city":"北京","days":3}'
 */
export function buildRawInput(rest: string, inputSchema: unknown): BuiltInput {
  if (rest === '') return { rawInput: '{}' };
  if (rest.startsWith('{')) return { rawInput: rest };
  const parameters = readParameters(inputSchema);
  const given = new Map<string, ScannedArgument[]>();
  const keyless: ScannedArgument[] = [];
  for (const word of scanArguments(rest)) {
    if (word.key === undefined) keyless.push(word);
    else {
      const words = given.get(word.key);
      if (words === undefined) given.set(word.key, [word]);
      else words.push(word);
    }
  }
  const [first] = keyless;
  if (first !== undefined) {
    const target = onlyParameter(parameters, given);
    if (target === undefined || (keyless.length > 1 && given.size > 0)) return { rawInput: '{}', stray: first.value };
    given.set(target.name, wordsFor(target, keyless, rest));
  }
  const members = [...given].map(([name, words]) => `${JSON.stringify(name)}:${jsonOf(words, parameters.get(name))}`);
  return { rawInput: `{${members.join(',')}}` };
}

/** Where a value without a name goes: the one required parameter that is missing, or the one that there is. */
function onlyParameter(
  parameters: ReadonlyMap<string, Parameter>,
  given: ReadonlyMap<string, unknown>,
): Parameter | undefined {
  const missing = [...parameters.values()].filter((parameter) => !given.has(parameter.name));
  const required = missing.filter((parameter) => parameter.required);
  const candidates = required.length > 0 ? required : missing;
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Several words without names are one text, or the elements of a list. */
function wordsFor(target: Parameter, words: ScannedArgument[], rest: string): ScannedArgument[] {
  if (words.length === 1 || (target.types.has('array') && !target.types.has('string'))) return words;
  return [{ key: undefined, value: rest, quoted: true }];
}

function jsonOf(words: readonly ScannedArgument[], parameter: Parameter | undefined): string {
  if (words.length > 1 && parameter?.types.has('array')) {
    return `[${words.map((word) => literal(word, parameter.itemTypes)).join(',')}]`;
  }
  // A name given twice: the later one counts, as in JSON.
  const last = words.at(-1);
  return last === undefined ? 'null' : literal(last, parameter?.types ?? ANY);
}

function literal({ value, quoted }: ScannedArgument, types: ReadonlySet<JsonType>): string {
  const takesText = types.size === 0 || types.has('string');
  if (takesText && (quoted || types.size === 1)) return JSON.stringify(value);
  const type = typeOf(value);
  const fits =
    type !== undefined && (types.size === 0 || types.has(type) || (type === 'number' && types.has('integer')));
  return fits ? value : JSON.stringify(value);
}

/** The type of a text as JSON, text itself apart; undefined when it is none. */
function typeOf(value: string): JsonType | undefined {
  if (value === 'true' || value === 'false') return 'boolean';
  if (value === 'null') return 'null';
  if (NUMBER.test(value)) return 'number';
  if (!value.startsWith('{') && !value.startsWith('[')) return undefined;
  try {
    JSON.parse(value);
  } catch {
    return undefined;
  }
  return value.startsWith('{') ? 'object' : 'array';
}
