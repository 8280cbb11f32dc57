import type { Message } from 'esbuild';
import type { SourceModule } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { compilerPlace } from './compiler-place.ts';
import type { ProjectFiles } from './project-files.ts';
import { showText } from '../contracts/show-text.ts';

/** Reads a JSON file that code imports. Its text becomes the module's code as it is; a fault names line and column. */
export async function parseJsonModule(
  path: string,
  files: ProjectFiles,
): Promise<
  { readonly module: SourceModule; readonly problem?: never } | { readonly module?: never; readonly problem: Problem }
> {
  let code: string;
  try {
    code = await files.read(path);
  } catch (error) {
    const file = showText(path);
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    return {
      problem: {
        code: 'UNREADABLE_FILE',
        file,
        found: reason,
        message: text('registry.unreadable-file', { file, reason }),
        fatal: true,
      },
    };
  }
  try {
    JSON.parse(code);
    return { module: { path, format: 'json', code, imports: {}, packages: [] } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const file = `${showText(path)}${await placeOfFault(code)}`;
    const message = text('registry.syntax-error', { file, reason: showText(reason) });
    return { problem: { code: 'SYNTAX_ERROR', file, message, fatal: true } };
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
