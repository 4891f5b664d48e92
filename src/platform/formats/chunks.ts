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
  return isAsync(batches) ? mapAsync(batches, encode) : mapSync(batches, encode);
}

function* mapSync<T>(batches: Iterable<T>, encode: (batch: T) => string): Generator<string> {
  for (const batch of batches) {
    const text = encode(batch);
    if (text !== '') yield text;
  }
}

async function* mapAsync<T>(batches: AsyncIterable<T>, encode: (batch: T) => string): AsyncGenerator<string> {
  for await (const batch of batches) {
    const text = encode(batch);
    if (text !== '') yield text;
  }
}

/** The whole body of chunks that are ready; null for those that are still to come. */
export function wholeBody(chunks: Chunks): string | Buffer | null {
  if (isAsync(chunks)) return null;
  const parts = [...chunks];
  if (parts.length === 1) return parts[0]!;
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
