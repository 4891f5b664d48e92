/** A sequence that is ready, or that comes in the course of time. */
export type Sequence<T> = Iterable<T> | AsyncIterable<T>;

/** Chunks of a body, each of some kilobytes (a few hundred rows). */
export type Chunks = Sequence<string | Buffer>;

const isAsync = <T>(sequence: Sequence<T>): sequence is AsyncIterable<T> => Symbol.asyncIterator in sequence;

/** A body between a head and a tail; ready where the body is. */
export function join(head: string, body: Chunks, tail = ''): Chunks {
  return isAsync(body) ? joinAsync(head, body, tail) : joinSync(head, body, tail);
}

function* joinSync(head: string, body: Iterable<string | Buffer>, tail: string): Generator<string | Buffer> {
  if (head !== '') yield head;
  yield* body;
  if (tail !== '') yield tail;
}

async function* joinAsync(
  head: string,
  body: AsyncIterable<string | Buffer>,
  tail: string,
): AsyncGenerator<string | Buffer> {
  if (head !== '') yield head;
  yield* body;
  if (tail !== '') yield tail;
}

/** A chunk for each batch; ready where the batches are. Batches without text are left out. */
export function mapChunks<T>(batches: Sequence<T>, encode: (batch: T) => string): Chunks {
  return flatMap(batches, (batch) => [encode(batch)].filter((text) => text !== ''));
}

/** Replaces each item by any number of others; ready where the items are. */
export function flatMap<T, R>(items: Sequence<T>, convert: (item: T) => readonly R[]): Sequence<R> {
  return isAsync(items) ? flatMapAsync(items, convert) : flatMapSync(items, convert);
}

function* flatMapSync<T, R>(items: Iterable<T>, convert: (item: T) => readonly R[]): Generator<R> {
  for (const item of items) yield* convert(item);
}

async function* flatMapAsync<T, R>(
  items: AsyncIterable<T>,
  convert: (item: T) => readonly R[],
): AsyncGenerator<R> {
  for await (const item of items) yield* convert(item);
}

/** The whole body of chunks that are ready; null for those that are still to come. */
export function readyBody(chunks: Chunks): string | Buffer | null {
  if (isAsync(chunks)) return null;
  const parts = [...chunks];
  if (parts.length === 1) return parts[0]!;
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
