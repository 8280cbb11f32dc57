import { untilStopped } from './until-stopped.ts';

/** An input to its end as text; bytes that are not UTF-8 become U+FFFD. What was read by the time of an abort is given. */
export async function readText(
  input: NodeJS.ReadableStream & { destroy(): unknown },
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  for await (const chunk of untilStopped(input, signal)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
