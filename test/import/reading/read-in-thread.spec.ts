import { createReadStream, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ImportRefused } from '../../../src/import/formats/batch.js';
import { priceReaders, type PriceFormat } from '../../../src/import/formats/price-readers.js';
import type { PriceBatch } from '../../../src/import/formats/series.js';
import { InputTooLarge, makeInput } from '../../../src/import/input.js';
import { readInThread } from '../../../src/import/reading/read-in-thread.js';
import { chunksOf, collect, fixture, readFile } from '../../support/import-input.js';

const HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value,comment';

/** A file of so many prices, of a few series, with every kind of row in it. */
function pricesText(rows: number): string {
  const lines = [HEADER];
  for (let row = 0; row < rows; row++) {
    const day = new Date(Date.UTC(2000, 0, 1 + Math.floor(row / 7))).toISOString().slice(0, 10);
    const value = row % 100 === 99 ? 'none' : row % 50 === 49 ? '1.2345678901234567' : row + 1;
    lines.push(`KEN,Maïs ${row % 7},RETAIL,"Nairobi, East",S,KES,Kg,${day},daily,${value},${row % 3}`);
  }
  return lines.join('\n');
}

const inThread = (bytes: AsyncIterable<Uint8Array>, most = Infinity) =>
  readInThread(bytes, { format: 'prices', options: {}, most });

async function take(batches: AsyncGenerator<PriceBatch>, count: number): Promise<PriceBatch[]> {
  const taken: PriceBatch[] = [];
  for await (const batch of batches) {
    taken.push(batch);
    if (taken.length === count) break;
  }
  return taken;
}

describe('reading in a thread', () => {
  const files = (['ok', 'not-ok'] as const).flatMap((folder) =>
    readdirSync(fixture(folder))
      .filter((name) => /^(wfp|prices)_/.test(name))
      .map((name) => [name.slice(0, name.indexOf('_')) as PriceFormat, `${folder}/${name}`] as const),
  );

  it.each(files)('finds in a file of the format %s what reading in place finds: %s', async (format, name) => {
    const path = fixture(name);
    const input = makeInput(createReadStream(path), name, null);
    const options = { fileName: name.slice(name.indexOf('/') + 1) };
    const outcome = async (found: Promise<unknown>) => found.catch((error: unknown) => error);
    const inPlace = await outcome(readFile(format, path));
    expect(await outcome(collect(readInThread(input.bytes, { format, options, most: input.most })))).toEqual(
      inPlace,
    );
  });

  it('finds the same in a long file, with one descriptor for each series', async () => {
    const text = pricesText(60_000);
    const found = await collect(inThread(chunksOf(text)));
    expect(found).toEqual(await collect(priceReaders.prices(chunksOf(text), {})));
    expect(found.read).toBe(60_000);
    expect(found.rejects).toHaveLength(600);
    expect(new Set(found.rows.map(({ series }) => series)).size).toBe(7);
  });

  it('takes pieces of a larger buffer, and leaves them as they are', async () => {
    const bytes = Buffer.from(pricesText(2000));
    const before = Buffer.from(bytes);
    expect((await collect(inThread(chunksOf(bytes, 1000)))).read).toBe(2000);
    expect(bytes.equals(before)).toBe(true);
  });

  it('reads only so far ahead of whoever takes the batches', async () => {
    let sent = 0;
    async function* endless() {
      yield Buffer.from(`${HEADER}\n`);
      const rows = Buffer.from('KEN,Maize,RETAIL,Nairobi,S,KES,Kg,2020-01-01,daily,1,\n'.repeat(20_000));
      for (;;) {
        sent++;
        yield rows;
      }
    }
    const batches = inThread(endless());
    await batches.next();
    let ahead = 0;
    // Until nothing more is sent for a while.
    while (sent > ahead) {
      ahead = sent;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(ahead).toBeLessThan(45);
    await batches.return(undefined);
  });

  it('refuses what the format refuses', async () => {
    const refused = collect(inThread(chunksOf('date,price\n2020-01-01,1\n')));
    await expect(refused).rejects.toBeInstanceOf(ImportRefused);
    await expect(refused).rejects.toThrow('The input is not of the format prices.');
    await expect(collect(inThread(chunksOf('')))).rejects.toThrow('The input is empty.');
  });

  it('unpacks gzip, to no more than it may have', async () => {
    const text = pricesText(20_000);
    const packed = gzipSync(text);
    const found = await collect(inThread(chunksOf(packed, 1000)));
    expect(found).toEqual(await collect(priceReaders.prices(chunksOf(text), {})));
    await expect(collect(inThread(chunksOf(packed, 1000), 100_000))).rejects.toEqual(
      new InputTooLarge('The input may have at most 100000 bytes once it is unpacked.'),
    );
    await expect(collect(inThread(chunksOf(packed.subarray(0, 10_000))))).rejects.toEqual(
      new ImportRefused('The gzip input is damaged or cut short.'),
    );
  });

  it('fails as its input fails', async () => {
    const cause = new Error('The disk is gone.');
    async function* failing() {
      yield* chunksOf(pricesText(100));
      throw cause;
    }
    await expect(collect(inThread(failing()))).rejects.toBe(cause);
  });

  it('ends with whoever stops taking', async () => {
    const [first] = await take(inThread(chunksOf(pricesText(20_000), 1000)), 1);
    expect(first!.rows.length).toBeGreaterThan(0);
  });
});
