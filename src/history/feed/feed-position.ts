import { ParseError, type ValueParser } from '../../platform/validation/parsers.js';

/** An item of the feed, by its place among those of its revision. */
export type ItemKey =
  | { readonly type: 'record'; readonly table: string; readonly id: number }
  | { readonly type: 'series'; readonly uuid: string };

/** How far a client has read: everything before a place is known to it. */
export interface FeedPosition {
  /** Revisions before this one have been read. */
  readonly revision: number;
  /** The mark of that revision: where it differs, the token is of another history. */
  readonly mark: string;
  /** The last item read of that revision; null if all of it has been read. */
  readonly after: ItemKey | null;
}

/** Longest token: a table's name and a uuid are short. */
const MAX_TOKEN_LENGTH = 300;

/** The token of a position: opaque to clients, and the same on every process and server. */
export function tokenOf({ revision, mark, after }: FeedPosition): string {
  const key = after === null ? [] : after.type === 'record' ? [after.table, after.id] : [after.uuid];
  return Buffer.from(JSON.stringify([revision, mark, ...key])).toString('base64url');
}

/** The position of a token; null if the text is no token. */
export function positionOf(token: string): FeedPosition | null {
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return null;
  const parts = parsedArray(Buffer.from(token, 'base64url').toString());
  const [revision, mark, first, second] = parts ?? [];
  if (!Number.isSafeInteger(revision) || typeof mark !== 'string') return null;
  const at = { revision: revision as number, mark };
  if (parts!.length === 2) return { ...at, after: null };
  if (typeof first !== 'string') return null;
  if (parts!.length === 3) return { ...at, after: { type: 'series', uuid: first } };
  if (parts!.length > 4 || !Number.isSafeInteger(second)) return null;
  return { ...at, after: { type: 'record', table: first, id: second as number } };
}

function parsedArray(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The parameter `since`: a token, or the word `now`. */
export const feedToken: ValueParser<FeedPosition | 'now'> = {
  parse: (text) =>
    text === 'now'
      ? text
      : (positionOf(text) ?? new ParseError('invalid_format', 'must be a token of this list, or now.')),
  schema: { type: 'string', maxLength: MAX_TOKEN_LENGTH },
};
