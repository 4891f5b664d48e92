import { createReadStream, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { isoFromDay } from '../../../src/lib/dates/calendar-date.js';
import { ImportRejected } from '../../../src/import/formats/batch.js';
import { priceReaders, type PriceFormat } from '../../../src/import/formats/price-readers.js';
import { InputTooLarge } from '../../../src/import/containers/unpack.js';
import { createInput, inputText } from '../../../src/import/pipeline/input.js';
import type {
  OrderedBatch,
  NumberedSeries,
  OrderedPrices,
} from '../../../src/import/pipeline/reading/ordered-prices.js';
import { orderBySeries } from '../../../src/import/pipeline/reading/price-sorter.js';
import { readInThread } from '../../../src/import/pipeline/reading/read-in-thread.js';
import { chunksOf, fixture } from '../../support/import-input.js';

const HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value,comment';

/** A CSV of prices of seven series, with some invalid and some rounded values. */
function pricesText(rows: number): string {
  const lines = [HEADER];
  for (let row = 0; row < rows; row++) {
    const day = new Date(Date.UTC(2000, 0, 1 + Math.floor(row / 7))).toISOString().slice(0, 10);
    const value = row % 100 === 99 ? 'none' : row % 50 === 49 ? '1.2345678901234567' : row + 1;
    lines.push(`KEN,Maïs ${row % 7},RETAIL,"Nairobi, East",S,KES,Kg,${day},daily,${value},${row % 3}`);
  }
  return lines.join('\n');
}

const MIN_PRICES = 25_000;

const inThread = (bytes: AsyncIterable<Uint8Array>, maxBytes = Infinity, minPrices = MIN_PRICES) =>
  readInThread(bytes, { format: 'prices', options: {}, maxBytes, minPrices });
const inProcess = (bytes: AsyncIterable<Uint8Array>) =>
  orderBySeries(priceReaders.prices(bytes, {}), MIN_PRICES);

/** All batches together: prices by line, each with its series, and the counts. */
async function collect(batches: AsyncIterable<OrderedBatch>) {
  const prices: unknown[][] = [];
  const rejects: unknown[] = [];
  const skipped: Record<string, number> = {};
  const counts = { read: 0, unchanged: 0, rounded: 0 };
  const series: NumberedSeries[] = [];
  for await (const batch of batches as AsyncIterable<OrderedPrices>) {
    for (const key of ['read', 'unchanged', 'rounded'] as const) counts[key] += batch[key];
    for (const [reason, count] of batch.skipped) skipped[reason] = (skipped[reason] ?? 0) + count;
    rejects.push(...batch.rejects);
    series.push(...batch.newSeries);
    batch.line.forEach((line, index) => {
      const { period, day, value, comments, comment, calculated } = batch;
      const { uuid } = series.find(({ number }) => number === batch.series[index])!;
      prices.push([
        line,
        uuid,
        period[index],
        day[index],
        value[index],
        comments[comment[index]!],
        calculated[index],
      ]);
    });
  }
  const byLine = (a: unknown, b: unknown) =>
    Number((a as unknown[])[0] ?? (a as { line: number }).line) -
    Number((b as unknown[])[0] ?? (b as { line: number }).line);
  return { ...counts, prices: prices.sort(byLine), rejects: rejects.sort(byLine), skipped, series };
}

async function take(batches: AsyncGenerator<OrderedPrices>, count: number): Promise<OrderedPrices[]> {
  const taken: OrderedPrices[] = [];
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

  it.each(files)('reads a file of the format %s as without a thread: %s', async (format, name) => {
    const path = fixture(name);
    const input = createInput(createReadStream(path), name, null);
    const options = { fileName: name.slice(name.indexOf('/') + 1) };
    const outcome = async (found: Promise<unknown>) => found.catch((error: unknown) => error);
    const again = createInput(createReadStream(path), name, null);
    const expected = await outcome(
      collect(orderBySeries(priceReaders[format](inputText(again), options), MIN_PRICES)),
    );
    const task = { format, options, maxBytes: input.maxBytes, minPrices: MIN_PRICES };
    expect(await outcome(collect(readInThread(input.bytes, task)))).toEqual(expected);
  });

  it('reads a long file as without a thread, and returns each series once', async () => {
    const text = pricesText(60_000);
    const found = await collect(inThread(chunksOf(text)));
    expect(found).toEqual(await collect(inProcess(chunksOf(text))));
    expect([found.read, found.prices.length, found.rejects.length]).toEqual([60_000, 59_400, 600]);
    expect(found.series.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('accepts chunks of a larger buffer, and does not change them', async () => {
    const bytes = Buffer.from(pricesText(2000));
    const before = Buffer.from(bytes);
    expect((await collect(inThread(chunksOf(bytes, 1000)))).read).toBe(2000);
    expect(bytes.equals(before)).toBe(true);
  });

  it('returns prices ordered by series, in batches of a transaction', async () => {
    const batches: OrderedPrices[] = [];
    for await (const batch of inThread(chunksOf(pricesText(60_000)), Infinity, 400_000)) batches.push(batch);
    expect(batches.map(({ line }) => line.length)).toEqual([10_000, 10_000, 10_000, 10_000, 10_000, 9400]);
    const order = batches.flatMap(({ series }) => [...series]);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(batches.map(({ read }) => read)).toEqual([60_000, 0, 0, 0, 0, 0]);
  });

  it('buffers prices of many series until there are several of each', async () => {
    const lines = [HEADER];
    for (let row = 0; row < 120_000; row++) {
      const date = isoFromDay(700_000 + Math.floor(row / 2000));
      lines.push(`KEN,Maize,RETAIL,Market ${row % 2000},S,KES,Kg,${date},daily,1,`);
    }
    const counts: number[] = [];
    for await (const { read } of inThread(chunksOf(lines.join('\n')))) if (read > 0) counts.push(read);
    const [first, second] = counts as [number, number];
    expect(first).toBeGreaterThanOrEqual(MIN_PRICES);
    expect(second).toBeGreaterThanOrEqual(30 * 2000);
    expect(counts.reduce((a, b) => a + b)).toBe(120_000);
  });

  it('reads ahead of its consumer only so far', async () => {
    let sent = 0;
    async function* endless() {
      yield Buffer.from(`${HEADER}\n`);
      for (;;) {
        sent++;
        const series = `KEN,Maize,RETAIL,Market ${sent},S,KES,Kg`;
        const rows = Array.from(
          { length: 20_000 },
          (_, index) => `${series},${isoFromDay(700_000 + index)},daily,1,`,
        );
        yield Buffer.from(`${rows.join('\n')}\n`);
      }
    }
    const batches = inThread(endless());
    await batches.next();
    let ahead = 0;
    // Wait until nothing more is sent.
    while (sent > ahead) {
      ahead = sent;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    expect(ahead).toBeLessThan(65);
    await batches.return(undefined);
  });

  it('rejects what the reader of the format rejects', async () => {
    const rejected = collect(inThread(chunksOf('date,price\n2020-01-01,1\n')));
    await expect(rejected).rejects.toBeInstanceOf(ImportRejected);
    await expect(rejected).rejects.toThrow('The input is not in the format prices.');
    await expect(collect(inThread(chunksOf('')))).rejects.toThrow('The input is empty.');
  });

  it('decompresses gzip up to the limit', async () => {
    const text = pricesText(20_000);
    const gzipped = gzipSync(text);
    const found = await collect(inThread(chunksOf(gzipped, 1000)));
    expect(found).toEqual(await collect(inProcess(chunksOf(text))));
    await expect(collect(inThread(chunksOf(gzipped, 1000), 100_000))).rejects.toEqual(
      new InputTooLarge('The input must be at most 100000 bytes long after decompression.'),
    );
    await expect(collect(inThread(chunksOf(gzipped.subarray(0, 10_000))))).rejects.toEqual(
      new ImportRejected('The gzip input is damaged or truncated.'),
    );
  });

  it('throws the error of its input', async () => {
    const cause = new Error('The disk is missing.');
    async function* failing() {
      yield* chunksOf(pricesText(100));
      throw cause;
    }
    await expect(collect(inThread(failing()))).rejects.toBe(cause);
  });

  it('ends when its consumer stops', async () => {
    const [first] = await take(inThread(chunksOf(pricesText(20_000), 1000)), 1);
    expect(first!.line.length).toBeGreaterThan(0);
  });
});
