import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PreconditionFailed, PreconditionRequired } from '../errors/api-error.js';

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
interface SentTag {
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

/**
 * Whether a reply with this status and tag is a 304: a read whose client has it.
 * @param info of the request, as `RequestInfo`
 */
export function isNotModified(
  { isRead, request }: { isRead: boolean; request: Pick<IncomingMessage, 'headers'> },
  status: number,
  tag: string | null,
): boolean {
  const sent = request.headers['if-none-match'];
  return sent !== undefined && tag !== null && status === 200 && isRead && ifNoneMatchIncludes(sent, tag);
}

/** Preconditions of a write (RFC 9110, 13). */
export interface Preconditions {
  /**
   * Tags, one of which the record must have; `*` for any record; null without the header. Weak tags
   * never match.
   */
  ifMatch: readonly string[] | '*' | null;
  /** Tags that the record must not have; `*` for no record at all; null without the header. */
  ifNoneMatch: readonly string[] | '*' | null;
}

/** The preconditions in a request's `If-Match` and `If-None-Match`. */
export function preconditions(request: Pick<IncomingMessage, 'headers'>): Preconditions {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
  const match = ifMatch === undefined ? null : parseTags(ifMatch);
  const none = ifNoneMatch === undefined ? null : parseTags(ifNoneMatch);
  return {
    ifMatch:
      match === null || match === '*' ? match : match.filter(({ weak }) => !weak).map(({ tag }) => tag),
    ifNoneMatch: none === null || none === '*' ? none : none.map(({ tag }) => tag),
  };
}

/**
 * Checks a write against the record's present tag (without quotes). The same condition must be part
 * of the statement that writes, because another write may come in between.
 * @param tagOf called only where a condition names tags
 * @param strict `If-Match` must be sent
 * @throws PreconditionRequired, PreconditionFailed
 */
export function checkPreconditions(conditions: Preconditions, tagOf: () => string, strict: boolean): void {
  const { ifMatch, ifNoneMatch } = conditions;
  if (ifMatch === null && strict) throw new PreconditionRequired();
  if (ifMatch !== null && ifMatch !== '*' && !ifMatch.includes(tagOf())) throw new PreconditionFailed();
  if (ifNoneMatch === '*')
    throw new PreconditionFailed('The record exists, and If-None-Match: * asks that it does not.');
  if (ifNoneMatch?.includes(tagOf()))
    throw new PreconditionFailed('The record is the one that If-None-Match names.');
}
