import { parseExactJson } from '../contracts/exact-json.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { jsonDepth, MAX_JSON_DEPTH } from '../contracts/json-depth.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { text } from '../contracts/texts/text.ts';
import { failure } from './failure.ts';
import type { Step } from './step.ts';

/** Reads the argument text that the model wrote. Models write nothing at all for a tool without parameters. */
export const parse: Step = async (progress, next) => {
  // What was decided on before is what will run.
  if (progress.input !== undefined) return next();
  const { call } = progress;
  const tool = call.toolName;
  const raw = call.rawInput.trim() === '' ? '{}' : call.rawInput;
  if (jsonDepth(raw) > MAX_JSON_DEPTH) return refuse(text('dispatch.too-deep', { tool, limit: MAX_JSON_DEPTH }));
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
