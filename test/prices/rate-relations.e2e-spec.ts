import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { MONTHLY } from '../../src/price-series/periodicity.js';
import {
  Conversion,
  DOLLAR_RATES,
  monthlyRates,
  type DatedRate,
} from '../../src/prices/derive/conversion.js';
import { currencyRates } from '../../src/prices/derive/currency-rates.js';
import { storeRates, storeSeries } from '../support/price-fixture.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const series = (number: number, currency: string, iso3: string, prices: readonly [string, number][]) => ({
  uuid: uuidOf(number),
  currency,
  market: { iso3_country_code: iso3, name: `Market ${number}` },
  points: { monthly: prices },
});

async function dollarsOf(service: TestApp, number: number, query = ''): Promise<(number | null)[]> {
  const { body } = await service
    .http()
    .get(`/api/v1/PriceSeriePrice/${uuidOf(number)}/${query}`)
    .expect(200);
  return (body as { datapoints: { price_value_dollar: number | null }[] }).datapoints.map(
    ({ price_value_dollar }) => price_value_dollar,
  );
}

const SERIES = [
  series(1, 'NAD', 'NAM', [['2020-01-01', 37]]),
  series(2, 'SLL', 'SLE', [
    ['2020-01-01', 20_000],
    ['2020-02-01', 20],
  ]),
  series(3, 'HTG', 'HTI', [['2020-01-01', 100]]),
  series(4, 'PAB', 'PAN', [['2020-01-01', 1.5]]),
];

describe('prices in dollars by a fixed legal relation or a successor code', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it('follow rates of the other currency, in earlier states of the data too', async () => {
    await storeSeries(service.unitOfWork, SERIES);
    const { headers } = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(1)}/`)
      .expect(200);
    const before = `?as_of=r${headers['data-revision'] as string}`;
    expect(await dollarsOf(service, 1)).toEqual([null]);
    expect(await dollarsOf(service, 2)).toEqual([null, null]);
    expect(await dollarsOf(service, 4)).toEqual([1.5]);

    await storeRates(service.unitOfWork, [
      ['ZAR', '2020-01-01', 18.5],
      ['SLE', '2020-01-31', 10, 'daily'],
      ['SLE', '2020-02-29', 10, 'daily'],
    ]);
    const seen = async (query?: string) => [
      await dollarsOf(service, 1, query),
      await dollarsOf(service, 2, query),
      await dollarsOf(service, 3, query),
      await dollarsOf(service, 4, query),
    ];
    const now = [[2], [2, 2], [null], [1.5]];
    expect(await seen()).toEqual(now);
    expect(await seen(before)).toEqual([[null], [null, null], [null], [1.5]]);
    const { headers: later } = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${uuidOf(1)}/`)
      .expect(200);
    const after = `?as_of=r${later['data-revision'] as string}`;
    await storeRates(service.unitOfWork, [['NAD', '2020-01-01', 37]]);
    expect(await dollarsOf(service, 1)).toEqual([1]);
    expect(await seen(after)).toEqual(now);
  });
});

describe('prices in dollars with RATE_RELATIONS=off', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({ RATE_RELATIONS: 'off' })));
  afterAll(() => service.close());

  it('are null without a published rate', async () => {
    await storeSeries(service.unitOfWork, SERIES);
    await storeRates(service.unitOfWork, [
      ['ZAR', '2020-01-01', 18.5],
      ['SLE', '2020-01-31', 10, 'daily'],
    ]);
    expect([await dollarsOf(service, 1), await dollarsOf(service, 2), await dollarsOf(service, 4)]).toEqual([
      [null],
      [null, null],
      [null],
    ]);
  });
});

const LARGE_FILE = realData('wfp/large/wfp_food_prices_58countries_2023-08.csv.gz');
const IMF_RATES = realData('fx/fx_monthly_imf_2015_2020.csv');
/** What makes a point of the large file: rows that are equal in these are the same point. */
const POINT_KEY = [
  'countryiso3',
  'admin1',
  'admin2',
  'market',
  'commodity',
  'unit',
  'pricetype',
  'currency',
  'date',
];

type Row = Readonly<Record<string, string>>;
const rowsOf = (input: NodeJS.ReadableStream) =>
  input.pipe(parse({ columns: true, bom: true })) as unknown as AsyncIterable<Row>;

describeWithRealData('published prices and rates', () => {
  it('give dollars to 17,586 points of 2015 to 2020 that have no rate of their own', async () => {
    const dated = new Map<string, Map<string, DatedRate>>();
    for await (const { Date: date, Rate, Currency } of rowsOf(createReadStream(IMF_RATES))) {
      const rates = dated.get(Currency!) ?? new Map<string, DatedRate>();
      dated.set(Currency!, rates);
      if (!rates.has(date!))
        rates.set(date!, { period: 'daily', day: dayFromIso(date!)!, rate: Number(Rate) });
    }
    const published = (currency: string) =>
      currency === 'USD' ? DOLLAR_RATES : monthlyRates(dated.get(currency)?.values() ?? []);
    const conversions = new Map<string, Conversion>();
    const conversionOf = (currency: string) => {
      const known = conversions.get(currency);
      if (known !== undefined) return known;
      const made = new Conversion(currencyRates(currency, published, true), { at: () => NaN });
      conversions.set(currency, made);
      return made;
    };
    const seen = new Set<string>();
    const counts: Record<string, number> = {};
    const without: Record<string, number> = {};
    for await (const row of rowsOf(createReadStream(LARGE_FILE).pipe(createGunzip()))) {
      const { priceflag, price, date, currency } = row as Record<string, string> & Row;
      if (priceflag!.includes('forecast') || !(Number(price) > 0)) continue;
      if (date! < '2015' || date! >= '2021') continue;
      const key = POINT_KEY.map((column) => row[column]).join('|');
      if (seen.has(key)) continue;
      seen.add(key);
      const firstOfMonth = dayFromIso(`${date!.slice(0, 7)}-01`)!;
      const basis = conversionOf(currency!).appliedRate(Number(price), MONTHLY, firstOfMonth)?.basis;
      if (basis === undefined) without[currency!] = (without[currency!] ?? 0) + 1;
      else if (basis !== 'published') {
        const name = `${currency} ${basis}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
    }
    expect(counts).toEqual({
      'LSL relation': 4656,
      'NAD relation': 3597,
      'PAB relation': 723,
      'SLL relation': 8610,
    });
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(17_586);
    // None of them has a law that gives it a rate. VEF would follow VES, which the IMF lacks.
    expect(without).toEqual({ HTG: 6041, SOS: 4869, SLS: 993, VEF: 49 });
  }, 300_000);
});
