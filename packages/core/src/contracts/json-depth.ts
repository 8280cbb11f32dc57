/** Levels of arrays and objects in the arguments of a call: deeper ones would exhaust the stack of what reads them. */
export const MAX_JSON_DEPTH = 100;

/**
 * Greatest number of open brackets outside strings: an upper bound of how deep any text is nested as JSON. Found
 * without recursion, so that what would exhaust the stack can be refused before it is read.
 *
 * @example
 * jsonDepth('{"a":[1]}') // 2
 */
export function jsonDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index);
    if (inString) {
      if (unit === 0x5c) index++;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (unit === 0x7d || unit === 0x5d) depth--;
  }
  return deepest;
}
