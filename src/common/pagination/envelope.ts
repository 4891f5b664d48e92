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

/**
 * Items that are serialized at once. Longer lists are streamed, so as not to block the event loop.
 */
const ITEMS_PER_CHUNK = 200;

export function envelope<T>(page: Page<T>, source: LinkSource): Envelope<T> {
  return {
    count: page.count,
    next: page.page < page.lastPage ? pageLink(source, page.page + 1) : null,
    previous: page.page > 1 ? pageLink(source, page.page - 1) : null,
    results: page.items,
  };
}

/** Serializes items as a JSON array. */
export type ItemSerializer<T> = (items: readonly T[]) => string;

/**
 * The reply with a page in its envelope; a long page is streamed.
 * @param serialize for lists with a faster serializer than `JSON.stringify`
 */
export function envelopeReply<T>(
  page: Page<T>,
  source: LinkSource,
  serialize: ItemSerializer<T> = JSON.stringify,
): Reply | RowStream {
  const body = envelopeChunks(envelope(page, source), serialize);
  const options = page.etag === undefined ? {} : { etag: page.etag };
  return page.items.length <= ITEMS_PER_CHUNK
    ? Reply.text([...body].join(''), mediaTypes.json, options)
    : new RowStream(mediaTypes.json, body, options);
}

function* envelopeChunks<T>(
  { results, ...head }: Envelope<T>,
  serialize: ItemSerializer<T>,
): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
  yield* jsonItems(results, serialize);
  yield ']}';
}

/** The items of a JSON array without its brackets, in chunks. */
export function* jsonItems<T>(
  items: readonly T[],
  serialize: ItemSerializer<T> = JSON.stringify,
): Generator<string> {
  for (let from = 0; from < items.length; from += ITEMS_PER_CHUNK) {
    const text = serialize(items.slice(from, from + ITEMS_PER_CHUNK));
    yield (from > 0 ? ',' : '') + text.slice(1, -1);
  }
}
