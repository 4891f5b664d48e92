import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { ImportService } from '../../src/import/import.service.js';
import { createInput, openInput } from '../../src/import/pipeline/input.js';
import { describeProof, realData } from '../support/real-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/*
 * Compares the prices of published files with computations of its own, from the files themselves:
 * means of weeks and months, dollars by the IMF's rates, real terms by FAO's indices; and exports
 * and imports CSV.
 */

const DAILY = 'daily/ind_doca_daily_long_4metros_2018.csv.gz';
const LARGE = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';
const RATES = 'fx/fx_monthly_imf_2015_2020.csv';
const INDICES = 'cpi/fao_cpi_monthly_long_2000_2024.csv.gz';

type Row = Record<string, string>;

function rowsOf(path: string): Row[] {
  const bytes = readFileSync(realData(path));
  return parse<Row>(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true, bom: true });
}

async function load(service: TestApp, format: string, path: string, options = {}): Promise<void> {
  const request = { format, options, dryRun: false, caller: null, requestId: null };
  await service.app.get(ImportService).import(request, await openInput(realData(path)));
}

/** The first rate of each currency and month of the IMF's file: `INR 2018-01`. */
function plainRates(): Map<string, number> {
  const rates = new Map<string, number>([]);
  for (const { Date: date, Rate: rate, Currency: currency } of rowsOf(RATES)) {
    const month = `${currency} ${date!.slice(0, 7)}`;
    if (!rates.has(month)) rates.set(month, Number(rate));
  }
  return rates;
}

/** The general index of each country and month: `IND 2018-01`. */
function plainIndices(): Map<string, number> {
  const general = rowsOf(INDICES).filter(
    (row) => row.item_code === '23012' && row.iso3 !== '' && row.value !== '',
  );
  return new Map(general.map(({ iso3, date, value }) => [`${iso3} ${date!.slice(0, 7)}`, Number(value)]));
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const addDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
/** The Friday that ends a day's week. */
const fridayOf = (date: string) => addDays(date, (12 - new Date(date).getUTCDay()) % 7);

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

const near = (actual: string, expected: number | undefined) =>
  expected === undefined ? actual === '' : Math.abs(Number(actual) / expected - 1) < 1e-12;

async function exported(service: TestApp, query = ''): Promise<string> {
  const { text } = await service
    .http()
    .get(`/api/v1/PriceSeriePrice/?format=csv${query}`)
    .buffer(true)
    .expect(200);
  return text;
}

describeProof('prices of published files', () => {
  let service: TestApp;
  let rates: Map<string, number>;
  let indices: Map<string, number>;

  beforeAll(async () => {
    service = await startTestApp();
    await load(service, 'fx', RATES);
    await load(service, 'cpi', INDICES);
    await load(service, 'wfp', DAILY, { country: 'IND', period: 'daily' });
    await load(service, 'wfp', LARGE);
    rates = plainRates();
    indices = plainIndices();
  }, 600_000);
  afterAll(() => service.close());

  it('have the weeks and months derived from the daily prices', async () => {
    const points = parse<Row>(await exported(service, '&iso3_country_codes=IND'), { columns: true });
    const keyOf = (market: string, commodity: string, type: string, unit: string) =>
      [market, commodity, type.toUpperCase(), unit].join('|');
    const published = grouped(rowsOf(DAILY), (row) =>
      keyOf(row.market!, row.commodity!, row.pricetype!, row.unit!),
    );
    const served = grouped(points, (row) =>
      keyOf(row.market!, row.commodity!, row.price_type!, row.measure_unit!),
    );
    expect(published.size).toBe(168);
    let compared = 0;
    for (const [series, days] of published) {
      const last = days
        .map(({ date }) => date!)
        .sort()
        .at(-1)!;
      const weeks = [...grouped(days, ({ date }) => fridayOf(date!))].filter(([friday]) => friday <= last);
      const months = grouped(days, ({ date }) => `${date!.slice(0, 7)}-01`);
      const expected = new Map<string, number>([
        ...days.map(({ date, price }) => [`daily ${date}`, Number(price)] as const),
        ...weeks.map(
          ([friday, some]) => [`weekly ${friday}`, mean(some.map(({ price }) => Number(price)))] as const,
        ),
        ...[...months].map(
          ([first, some]) => [`monthly ${first}`, mean(some.map(({ price }) => Number(price)))] as const,
        ),
      ]);
      const found = served.get(series)!;
      expect(found.map(({ periodicity, date }) => `${periodicity} ${date}`).sort()).toEqual(
        [...expected.keys()].sort(),
      );
      for (const { periodicity, date, price_value, calculated } of found) {
        compared++;
        const isRight =
          near(price_value!, expected.get(`${periodicity} ${date}`)) &&
          (calculated === 'true') === (periodicity !== 'daily');
        if (!isRight) throw new Error(`${series} ${periodicity} ${date}: ${price_value}`);
      }
    }
    expect(compared).toBeGreaterThan(58_128);
  }, 120_000);

  it('are in dollars by the rate and in real terms by the index of their month, or null without one', async () => {
    const counts = { dollars: 0, real: 0, without: 0 };
    for (const countries of ['KEN,MRT,MWI,NIC,SYR,HND,LKA', 'IND', 'SOM,COG,BLR,VEN,ETH,UGA,PAK']) {
      for (const row of parse<Row>(await exported(service, `&iso3_country_codes=${countries}`), {
        columns: true,
      })) {
        const month = (row.periodicity === 'weekly' ? addDays(row.date!, -3) : row.date!).slice(0, 7);
        const price = Number(row.price_value);
        const rate = row.currency === 'USD' ? 1 : rates.get(`${row.currency} ${month}`);
        const index = indices.get(`${row.iso3_country_code} ${month}`);
        const dollars = rate === undefined ? undefined : price / rate;
        const real = index === undefined ? undefined : (price * 100) / index;
        if (!near(row.price_value_dollar!, dollars) || !near(row.price_value_real!, real)) {
          throw new Error(
            `${row.uuid} ${row.date}: ${row.price_value_dollar} not ${dollars}, ${row.price_value_real} not ${real}`,
          );
        }
        if (dollars !== undefined) counts.dollars++;
        if (real !== undefined) counts.real++;
        if (dollars === undefined || real === undefined) counts.without++;
      }
    }
    expect(counts).toEqual({
      dollars: expect.any(Number),
      real: expect.any(Number),
      without: expect.any(Number),
    });
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10_000);
  }, 300_000);

  it('are exported as CSV, imported into an empty database, and exported again as the same bytes', async () => {
    const other = await startTestApp();
    await load(other, 'fx', RATES);
    await load(other, 'cpi', INDICES);
    const bytes = await exported(service);
    const request = { format: 'prices', options: {}, dryRun: false, caller: null, requestId: null };
    const input = createInput(
      (async function* () {
        yield Buffer.from(bytes);
      })(),
      'prices.csv',
      null,
    );
    const report = await other.app.get(ImportService).import(request, input);
    expect(report).toMatchObject({ rejected: 0, error: null, series: 9806 + 168 });
    expect((await exported(other)) === bytes).toBe(true);
    await other.close();
  }, 600_000);
});
