import { truncate, type Violation } from '../errors/api-error.js';

/** A parameter as sent: decoded name and value, and the raw text between two `&`. */
interface QueryPair {
  name: string;
  value: string;
  raw: string;
}

/**
 * The query string as ordered pairs; not an object, so that no name is special. Pairs that are not
 * percent-encoded UTF-8, or hold control characters, are in `violations` instead of `pairs`.
 */
export class QueryPairs implements Iterable<QueryPair> {
  readonly pairs: readonly QueryPair[];
  readonly violations: readonly Violation[];

  /** @param text the query string without its question mark, as sent */
  constructor(readonly text: string) {
    const pairs: QueryPair[] = [];
    const violations: Violation[] = [];
    if (text !== '') {
      for (const raw of text.split('&')) {
        if (raw === '') continue;
        const at = raw.indexOf('=');
        const name = decodeQueryText(at < 0 ? raw : raw.slice(0, at));
        const value = at < 0 ? '' : decodeQueryText(raw.slice(at + 1));
        if (name !== null && value !== null) pairs.push({ name, value, raw });
        else violations.push(badEncoding(name));
      }
    }
    this.pairs = pairs;
    this.violations = violations;
  }

  [Symbol.iterator](): Iterator<QueryPair> {
    return this.pairs[Symbol.iterator]();
  }

  /** The values of one parameter, in order, without empty ones. */
  all(name: string): string[] {
    return this.pairs.filter((pair) => pair.name === name && pair.value !== '').map((pair) => pair.value);
  }
}

function badEncoding(name: string | null): Violation {
  const shown = name === null ? 'A parameter name' : `The value of ${truncate(name)}`;
  return {
    in: 'query',
    ...(name === null ? {} : { name: truncate(name) }),
    code: 'invalid_encoding',
    detail: `${shown} is not percent-encoded UTF-8 without control characters.`,
  };
}

const PLAIN = /^[!-$&-*,-~]*$/;
const CONTROL = /\p{Cc}/u;

/** Decodes a part of a query string, where `+` is a blank; null if it is invalid. */
export function decodeQueryText(text: string): string | null {
  return PLAIN.test(text) ? text : decodeText(text.replaceAll('+', ' '));
}

/**
 * Decodes percent-encoded UTF-8. Node accepts only ASCII, so other characters come as escapes.
 * @returns null for a bad escape, for bytes that are not UTF-8, and for control characters
 */
export function decodeText(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return CONTROL.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * Express's `query parser`: what `request.query` and Nest's `@Query()` give. A parameter that is
 * sent several times is an array; names are never nested, and no name is special.
 */
export function parseQuery(text: string | null): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const { name, value } of new QueryPairs(text ?? '')) {
    const earlier = query[name];
    query[name] = earlier === undefined ? value : [...[earlier].flat(), value];
  }
  return query;
}
