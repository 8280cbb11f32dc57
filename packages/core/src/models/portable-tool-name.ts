/**
 * A tool name that every provider takes back. Models invent names ("查天气", "a b!"), and one such call in the history
 * would have every later request of the session refused. Characters that are not allowed become `_x<hex>_`, which stays
 * readable to the model and cannot turn into the name of another tool by accident.
 *
 * @example
 * portableToolName('a b!') // 'a_x20_b_x21_'
 */
export function portableToolName(name: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name;
  const start = name
    .slice(0, 64)
    .replace(/[^a-zA-Z0-9_-]/gu, (character) => `_x${character.codePointAt(0)?.toString(16)}_`);
  return start === '' ? '_' : start.slice(0, 64);
}
