import { escapeControls } from './escape-controls.ts';

/** One line of at most `width` characters, with control characters made visible. */
export function fold(text: string, width: number): string {
  const line = escapeControls(text.replaceAll(/\s+/g, ' ').trim());
  if (line.length <= width) return line;
  return `${line
    .slice(0, width - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
