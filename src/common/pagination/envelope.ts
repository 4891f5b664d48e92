import { Reply, mediaTypes, RowStream } from '../http/reply.js';
import { type LinkSource, pageLink } from './links.js';
import type { Page } from './page.js';

/** The body of a paged list. */
export interface Envelope<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: readonly T[];
}

/** Items serialised in one go; more are written part by part, so that the loop is not held. */
const ITEMS_AT_ONCE = 200;

export function envelope<T>(page: Page<T>, source: LinkSource): Envelope<T> {
  return {
    count: page.count,
    next: page.page < page.lastPage ? pageLink(source, page.page + 1) : null,
    previous: page.page > 1 ? pageLink(source, page.page - 1) : null,
    results: page.items,
  };
}

/** Writes items as a JSON array. */
export type WriteItems<T> = (items: readonly T[]) => string;

/**
 * What a handler answers with: the envelope in one piece, or as a stream where it is long.
 * @param write for lists that have a faster way than `JSON.stringify`
 */
export function envelopeAnswer<T>(
  page: Page<T>,
  source: LinkSource,
  write: WriteItems<T> = JSON.stringify,
): Reply | RowStream {
  const body = parts(envelope(page, source), write);
  const options = page.etag === undefined ? {} : { etag: page.etag };
  return page.items.length <= ITEMS_AT_ONCE
    ? Reply.text([...body].join(''), mediaTypes.json, options)
    : new RowStream(mediaTypes.json, body, options);
}

function* parts<T>({ results, ...head }: Envelope<T>, write: WriteItems<T>): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
  yield* jsonItems(results, write);
  yield ']}';
}

/** The items of a JSON array without its brackets, some hundred at a time. */
export function* jsonItems<T>(items: readonly T[], write: WriteItems<T> = JSON.stringify): Generator<string> {
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const text = write(items.slice(from, from + ITEMS_AT_ONCE));
    yield (from > 0 ? ',' : '') + text.slice(1, -1);
  }
}
