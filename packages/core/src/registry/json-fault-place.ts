import type { Message } from 'esbuild';
import { compilerPlace } from './compiler-place.ts';

/**
 * Where a text stops being JSON, as `:line:column`, and that line: `JSON.parse` does not always say, the compiler
 * does. Empty when the compiler reads what JSON does not allow (comments).
 */
export async function jsonFaultPlace(code: string): Promise<{ readonly place: string; readonly line: string }> {
  const { transform } = await import('esbuild');
  try {
    await transform(code, { loader: 'json', logLevel: 'silent' });
  } catch (error) {
    const [first] = (error as { errors?: readonly Message[] }).errors ?? [];
    if (first !== undefined) return { place: compilerPlace(first), line: first.location?.lineText.trim() ?? '' };
  }
  return { place: '', line: code.trim().split('\n', 1)[0] ?? '' };
}
