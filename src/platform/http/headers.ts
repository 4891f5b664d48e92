import type { ServerResponse } from 'node:http';

/** Headers, by name. Names appear in the response as they are spelt here. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** Names and values in turn, as `writeHead` takes them. */
export type HeaderList = string[];

/**
 * One list of several headers: of two with the same name, however it is spelt, the later one, in
 * the place of the earlier. Node sends both lines of a name that a list has twice.
 */
export function headerList(...parts: readonly ReplyHeaders[]): HeaderList {
  const lines = new Map<string, [name: string, value: string]>();
  for (const part of parts)
    for (const [name, value] of Object.entries(part)) lines.set(name.toLowerCase(), [name, value]);
  return [...lines.values()].flat();
}

/** The value of a header; null where the list has none. */
export function headerOf(headers: HeaderList, lowerCaseName: string): string | null {
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]!.toLowerCase() === lowerCaseName) return headers[at + 1]!;
  return null;
}

/** Headers that belong to a single response, or that follow from the variant that is sent. */
const NOT_REPEATED = new Set([
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'connection',
  'etag',
  'content-encoding',
  'content-length',
  'data-revision',
]);

/**
 * The headers of every response with the same body: those that middleware and handlers have set on
 * a response, and a reply's own, which win.
 */
export function repeatedHeaders(response: ServerResponse, own: HeaderList): HeaderList {
  // Node has it for all outgoing messages; its type declarations, for requests only.
  const message = response as ServerResponse & { getRawHeaderNames(): string[] };
  const given = message.getRawHeaderNames().flatMap((name) => {
    const value = response.getHeader(name);
    const key = name.toLowerCase();
    if (value === undefined || NOT_REPEATED.has(key) || headerOf(own, key) !== null) return [];
    return [name, String(value)];
  });
  return [...given, ...own];
}
