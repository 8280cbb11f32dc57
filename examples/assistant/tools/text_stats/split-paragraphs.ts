/** Joins lines to paragraphs, which are separated by one or more blank lines. */
export function splitParagraphs(lines: readonly string[]): readonly string[] {
  const paragraphs: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isBlank = line.trim() === '';
    if (!isBlank && isOpen) paragraphs.at(-1)?.push(line);
    if (!isBlank && !isOpen) paragraphs.push([line]);
    isOpen = !isBlank;
  }
  return paragraphs.map((paragraph) => paragraph.join('\n'));
}
