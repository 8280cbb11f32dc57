import { parseExactJson } from '../contracts/exact-json.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { text } from '../contracts/texts/text.ts';
import { failure } from './failure.ts';
import type { Step } from './step.ts';

/** Levels of arrays and objects in the arguments of a call: deeper ones would exhaust the stack of what reads them. */
const MAX_DEPTH = 100;

/** Reads the argument text that the model wrote. Models write nothing at all for a tool without parameters. */
export const parse: Step = async (progress, next) => {
  const { call } = progress;
  const tool = call.toolName;
  const raw = call.rawInput.trim() === '' ? '{}' : call.rawInput;
  if (depthOf(raw) > MAX_DEPTH) return refuse(text('dispatch.too-deep', { tool, limit: MAX_DEPTH }));
  let value: Json;
  try {
    const parsed = parseExactJson(raw);
    value = parsed.value;
    progress.inexact = parsed.inexact;
  } catch (error) {
    return refuse(text('dispatch.not-json', { tool, reason: error instanceof Error ? error.message : String(error) }));
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    return refuse(text('dispatch.not-an-object', { tool, found }));
  }
  progress.input = value as JsonObject;
  return next();
};

function refuse(message: MessageKey): Outcome {
  return failure('INVALID_ARGUMENTS', { message, hint: text('dispatch.send-object') });
}

/** Greatest number of open brackets outside strings; an upper bound of the depth for any text. */
function depthOf(json: string): number {
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
