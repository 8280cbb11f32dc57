import type { ContentPart } from './outcome.ts';

/** Bytes that a text in base64 stands for. */
export function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, (data.length / 4) * 3 - padding);
}

/**
 * An image or a file by kind, name, media type and size, in one language for all: `file report.pdf application/pdf, 12 KB`.
 *
 * @example
 * partLabel({ type: 'image', mediaType: 'image/png', data }) // 'image image/png, 12 KB'
 */
export function partLabel(part: Exclude<ContentPart, { readonly type: 'text' }>): string {
  const name = part.type === 'file' && part.name !== undefined ? `${part.name} ` : '';
  return `${part.type} ${name}${part.mediaType}, ${sizeOf(base64Bytes(part.data))}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 999_500 ? `${Math.round(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
