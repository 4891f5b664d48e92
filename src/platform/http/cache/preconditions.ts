import type { IncomingMessage } from 'node:http';
import { PreconditionFailed, PreconditionRequired } from '../../errors/api-error.js';
import { parseTags } from './etag.js';

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
