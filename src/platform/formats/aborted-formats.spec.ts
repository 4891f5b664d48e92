import type { Listing } from './listing.js';
import { parquet } from './parquet/parquet.format.js';
import { xlsx } from './xlsx/xlsx.format.js';

/** A list of 100 batches that counts those that are read, and calls back for each. */
function countedListing(onBatch: (read: number) => void): Listing {
  async function* batches() {
    for (let read = 1; read <= 100; read++) {
      onBatch(read);
      yield await Promise.resolve(Array.from({ length: 50 }, () => [read]));
    }
  }
  return {
    page: 'all',
    size: null,
    items: () => [],
    table: () => ({ columns: [{ name: 'number', type: 'integer' }], batches }),
  };
}

describe('F13: formats whose first bytes come late', () => {
  it.each([parquet, xlsx])(
    'stop in the middle of the rows when the client has left: $name',
    async (format) => {
      const client = new AbortController();
      let last = 0;
      const listing = countedListing((read) => {
        last = read;
        if (read === 3) client.abort();
      });
      const wait = <T>(work: Promise<T>) => work;
      const request = {
        ...{ address: '', revision: null, notice: null, sources: '', signal: client.signal, client: '' },
        ...{ idleDuring: wait, pausedDuring: wait },
      };
      const chunks = format.encode(listing, { kind: 'array' }, request) as AsyncIterable<Buffer>;
      const first = chunks[Symbol.asyncIterator]().next();
      await expect(first).rejects.toMatchObject({ name: 'AbortError' });
      expect(last).toBe(3);
    },
  );
});
