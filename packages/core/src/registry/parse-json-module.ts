import type { Message } from 'esbuild';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { Compilation } from './compiled-file.ts';
import { compilerPlace } from './compiler-place.ts';

/** Checks a JSON file that code imports. Its text becomes the code as it is; a fault names line and column. */
export async function parseJsonModule(path: string, code: string): Promise<Compilation> {
  try {
    JSON.parse(code);
    return { file: { path, format: 'json', code, specifiers: [], dynamicOnly: new Set() }, problems: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const file = `${showText(path)}${await placeOfFault(code)}`;
    const message = text('registry.syntax-error', { file, reason: showText(reason) });
    return { problems: [{ code: 'SYNTAX_ERROR', file, message, fatal: true }] };
  }
}

/** `JSON.parse` does not always say where; the compiler does. */
async function placeOfFault(code: string): Promise<string> {
  const { transform } = await import('esbuild');
  try {
    await transform(code, { loader: 'json', logLevel: 'silent' });
  } catch (error) {
    const [first] = (error as { errors?: readonly Message[] }).errors ?? [];
    if (first !== undefined) return compilerPlace(first);
  }
  return '';
}
