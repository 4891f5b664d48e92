import { createHash } from 'node:crypto';

/** Content encodings of replies. */
export type Encoding = 'identity' | 'br' | 'gzip';

/** The opaque part of a strong entity tag that changes with every byte of the body. */
export function digestTag(body: Buffer | string): string {
  // A hyphen could make the end look like the suffix of an encoded variant.
  return createHash('sha1').update(body).digest('base64url').replaceAll('-', '.');
}

/** The tag as a header value. An encoded variant has other bytes, so its tag has a suffix. */
export function tagHeader(tag: string, encoding: Encoding = 'identity'): string {
  return encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`;
}

/** An entity tag in a header of the request. */
export interface SentTag {
  /** The opaque part, without the suffix of an encoded variant. */
  tag: string;
  weak: boolean;
}

/** The tags of an `If-Match` or `If-None-Match`; `*` for any. What is no tag is left out. */
export function parseTags(header: string): SentTag[] | '*' {
  if (header.trim() === '*') return '*';
  return Array.from(header.matchAll(/(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g), ([, weak, tag = '']) => ({
    tag: tag.replace(/-(?:br|gzip)$/, ''),
    weak: weak !== undefined,
  }));
}

const SUFFIXES = new Set(['"', '-br"', '-gzip"']);

/** Whether an `If-None-Match` names the tag; weak comparison, as RFC 9110 asks for reads. */
export function ifNoneMatchIncludes(header: string, tag: string): boolean {
  // Clients nearly always send a single tag, as they received it.
  if (header.startsWith(tag, 1) && SUFFIXES.has(header.slice(tag.length + 1))) return true;
  const sent = parseTags(header);
  return sent === '*' || sent.some((one) => one.tag === tag);
}
