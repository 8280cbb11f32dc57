import type { ReceivedRequest } from './received-request.ts';

/** A request as one line of a JSON Lines file: what arrived and what was answered, without what can be read off it. */
export function recordLine(request: ReceivedRequest): string {
  const { index, arrivedAt, method, path, headers, format, answer, body, bodyText } = request;
  const time = new Date(arrivedAt).toISOString();
  return `${JSON.stringify({ index, time, method, path, headers, format, answer, body, bodyText })}\n`;
}
