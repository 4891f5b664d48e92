import { createReadStream, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { isoFromDay } from '../../../src/common/dates/calendar-date.js';
import { ImportRejected } from '../../../src/import/formats/batch.js';
import { priceReaders, type PriceFormat } from '../../../src/import/formats/price-readers.js';
import { InputTooLarge, makeInput, unpack } from '../../../src/import/input.js';
import type { InputPart, NumberedSeries, OrderedPrices } from '../../../src/import/reading/ordered-prices.js';
import { inOrder } from '../../../src/import/reading/price-intake.js';
import { readInThread } from '../../../src/import/reading/read-in-thread.js';
import { chunksOf, fixture } from '../../support/import-input.js';

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

const LEAST = 25_000;

const inThread = (bytes: AsyncIterable<Uint8Array>, most = Infinity, least = LEAST) =>
  readInThread(bytes, { format: 'prices', options: {}, most, least });
const inPlace = (bytes: AsyncIterable<Uint8Array>) => inOrder(priceReaders.prices(bytes, {}), LEAST);

/** All that was found, whatever its parts: prices line by line, each with its series. */
async function collect(parts: AsyncIterable<InputPart>) {
  const prices: unknown[][] = [];
  const rejects: unknown[] = [];
  const skipped: Record<string, number> = {};
  const counts = { read: 0, unchanged: 0, rounded: 0 };
  const series: NumberedSeries[] = [];
  for await (const part of parts as AsyncIterable<OrderedPrices>) {
    for (const key of ['read', 'unchanged', 'rounded'] as const) counts[key] += part[key];
    for (const [reason, count] of part.skipped) skipped[reason] = (skipped[reason] ?? 0) + count;
    rejects.push(...part.rejects);
    series.push(...part.newSeries);
    part.line.forEach((line, at) => {
      const { period, day, value, comments, comment, flags } = part;
      const { uuid } = series.find(({ number }) => number === part.series[at])!;
      prices.push([line, uuid, period[at], day[at], value[at], comments[comment[at]!], flags[at]]);
    });
  }
  const byLine = (one: unknown, other: unknown) =>
    Number((one as unknown[])[0] ?? (one as { line: number }).line) -
    Number((other as unknown[])[0] ?? (other as { line: number }).line);
  return { ...counts, prices: prices.sort(byLine), rejects: rejects.sort(byLine), skipped, series };
}

async function take(parts: AsyncGenerator<OrderedPrices>, count: number): Promise<OrderedPrices[]> {
  const taken: OrderedPrices[] = [];
  for await (const part of parts) {
    taken.push(part);
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
    const again = makeInput(createReadStream(path), name, null);
    const expected = await outcome(collect(inOrder(priceReaders[format](unpack(again), options), LEAST)));
    const task = { format, options, most: input.most, least: LEAST };
    expect(await outcome(collect(readInThread(input.bytes, task)))).toEqual(expected);
  });

  it('finds the same in a long file, and tells of each series once', async () => {
    const text = pricesText(60_000);
    const found = await collect(inThread(chunksOf(text)));
    expect(found).toEqual(await collect(inPlace(chunksOf(text))));
    expect([found.read, found.prices.length, found.rejects.length]).toEqual([60_000, 59_400, 600]);
    expect(found.series.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('takes pieces of a larger buffer, and leaves them as they are', async () => {
    const bytes = Buffer.from(pricesText(2000));
    const before = Buffer.from(bytes);
    expect((await collect(inThread(chunksOf(bytes, 1000)))).read).toBe(2000);
    expect(bytes.equals(before)).toBe(true);
  });

  it('gives prices in the order of their series, a transaction at a time', async () => {
    const parts: OrderedPrices[] = [];
    for await (const part of inThread(chunksOf(pricesText(60_000)), Infinity, 400_000)) parts.push(part);
    expect(parts.map(({ line }) => line.length)).toEqual([10_000, 10_000, 10_000, 10_000, 10_000, 9400]);
    const order = parts.flatMap(({ series }) => [...series]);
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(parts.map(({ read }) => read)).toEqual([60_000, 0, 0, 0, 0, 0]);
  });

  it('lets prices of many series wait until there are several of each', async () => {
    const lines = [HEADER];
    for (let at = 0; at < 120_000; at++) {
      const date = isoFromDay(700_000 + Math.floor(at / 2000));
      lines.push(`KEN,Maize,RETAIL,Market ${at % 2000},S,KES,Kg,${date},daily,1,`);
    }
    const given: number[] = [];
    for await (const { read } of inThread(chunksOf(lines.join('\n')))) if (read > 0) given.push(read);
    const [first, second] = given as [number, number];
    expect(first).toBeGreaterThanOrEqual(LEAST);
    expect(second).toBeGreaterThanOrEqual(30 * 2000);
    expect(given.reduce((one, other) => one + other)).toBe(120_000);
  });

  it('reads only so far ahead of whoever takes the prices', async () => {
    let sent = 0;
    async function* endless() {
      yield Buffer.from(`${HEADER}\n`);
      for (;;) {
        sent++;
        const series = `KEN,Maize,RETAIL,Market ${sent},S,KES,Kg`;
        const rows = Array.from(
          { length: 20_000 },
          (_, at) => `${series},${isoFromDay(700_000 + at)},daily,1,`,
        );
        yield Buffer.from(`${rows.join('\n')}\n`);
      }
    }
    const parts = inThread(endless());
    await parts.next();
    let ahead = 0;
    // Until nothing more is sent for a while.
    while (sent > ahead) {
      ahead = sent;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    expect(ahead).toBeLessThan(65);
    await parts.return(undefined);
  });

  it('refuses what the format refuses', async () => {
    const refused = collect(inThread(chunksOf('date,price\n2020-01-01,1\n')));
    await expect(refused).rejects.toBeInstanceOf(ImportRejected);
    await expect(refused).rejects.toThrow('The input is not of the format prices.');
    await expect(collect(inThread(chunksOf('')))).rejects.toThrow('The input is empty.');
  });

  it('unpacks gzip, to no more than it may have', async () => {
    const text = pricesText(20_000);
    const packed = gzipSync(text);
    const found = await collect(inThread(chunksOf(packed, 1000)));
    expect(found).toEqual(await collect(inPlace(chunksOf(text))));
    await expect(collect(inThread(chunksOf(packed, 1000), 100_000))).rejects.toEqual(
      new InputTooLarge('The input may have at most 100000 bytes once it is unpacked.'),
    );
    await expect(collect(inThread(chunksOf(packed.subarray(0, 10_000))))).rejects.toEqual(
      new ImportRejected('The gzip input is damaged or cut short.'),
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
    expect(first!.line.length).toBeGreaterThan(0);
  });
});
