import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { PERIOD_NAMES, type Period } from '../../src/price-series/periodicity.js';
import { storeIndices, storePoints, storeRates, type PointLine } from '../support/price-fixture.js';
import { RandomChanges } from '../support/random-changes.js';
import { randomNumbers, storeEmptySeries, storeRandomPrices } from '../support/random-prices.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** States that are compared with a fresh database; set `INDICATOR_STATES` for a run by hand. */
const STATES = Number(process.env.INDICATOR_STATES) || 2;
/** Random reads of each state. */
const READS = 20;
/** Changes after each of which the newest indicators are compared; set `INDICATOR_CHANGES`. */
const CHANGES = Number(process.env.INDICATOR_CHANGES) || 15;
const CHANGES_PER_STATE = 12;

const SEED = Number(process.env.PROPERTY_SEED) || Math.trunc(Math.random() * 0x7fffffff);

/** All that indicators are calculated from, as it is stored. */
interface StoredData {
  revision: string;
  points: [serieId: number, period: Period, day: number, value: number, calculated: number][];
  rates: [currency: string, date: string, rate: number, period: 'daily' | 'monthly'][];
  indices: [country: string, date: string, value: number, basePeriod: string][];
}

interface Entry {
  series: Record<string, unknown>;
  [field: string]: unknown;
}

describe('indicators of changing data', () => {
  const random = randomNumbers(SEED);
  let service: TestApp;
  let uuids: string[];
  let changes: RandomChanges;
  beforeAll(async () => {
    process.stdout.write(`random changes: seed ${SEED}\n`);
    service = await startTestApp();
    uuids = await storeRandomPrices(service.unitOfWork, random);
    changes = new RandomChanges(service, await service.authHeader(), random);
  });
  afterAll(() => service?.close());

  const get = (of: TestApp, path: string) => of.http().get(`/api/v1/PriceSerieIndicator/${path}`).expect(200);

  async function storedData(): Promise<StoredData> {
    const { database } = service;
    const { headers } = await get(service, '?page_size=1');
    return {
      revision: headers['data-revision'] as string,
      points: await database.arrays(
        'SELECT serie_id, period, day, value, calculated FROM observation ORDER BY serie_id, period, day',
      ),
      rates: await database.arrays('SELECT currency, date, rate, period FROM fx_rate ORDER BY id'),
      indices: await database.arrays(
        'SELECT iso3_country_code, date, value, base_period FROM cpi ORDER BY id',
      ),
    };
  }

  it('are as of a revision what a fresh database with the data of then has', async () => {
    const states: StoredData[] = [];
    for (let state = 0; state < STATES; state++) {
      states.push(await storedData());
      for (let change = 0; change < CHANGES_PER_STATE; change++) await changes.next();
    }
    for (const state of states) {
      const fresh = await freshService(uuids, state);
      for (let read = 0; read < READS; read++) {
        const [path, query] = randomRead(uuids, random);
        const then = await get(service, `${path}?as_of=r${state.revision}&${query}`);
        const now = await get(fresh, `${path}?${query}`);
        expect([path, query, withoutIds(then.body)]).toEqual([path, query, withoutIds(now.body)]);
        expect(then.headers['data-revision']).toBe(state.revision);
      }
      await fresh.close();
    }
  }, 3_000_000);

  it('are the same, brought up to date or calculated for a request', async () => {
    const query = 'page_size=100&order=-change_12m';
    for (let change = 0; change < CHANGES; change++) {
      await changes.next();
      const kept = await get(service, `?${query}`);
      const revision = kept.headers['data-revision'] as string;
      const calculated = await get(service, `?as_of=r${revision}&${query}`);
      const results = ({ body }: typeof kept) => (body as { results: unknown[] }).results;
      expect(results(kept).length).toBeGreaterThan(0);
      expect(results(kept)).toEqual(results(calculated));
    }
  }, 3_000_000);
});

/** A service with a database that knows nothing but some stored data. */
async function freshService(
  uuids: readonly string[],
  { points, rates, indices }: StoredData,
): Promise<TestApp> {
  const fresh = await startTestApp();
  // The same series in the same order, so with the same ids.
  expect(await storeEmptySeries(fresh.unitOfWork)).toEqual(uuids);
  const bySeries = new Map<number, Partial<Record<string, PointLine[]>>>();
  for (const [serieId, period, day, value, calculated] of points) {
    const series = bySeries.get(serieId) ?? {};
    bySeries.set(serieId, series);
    (series[PERIOD_NAMES[period]] ??= []).push([isoFromDay(day), value, null, Boolean(calculated)]);
  }
  for (const [serieId, lines] of bySeries) await storePoints(fresh.unitOfWork, serieId, lines);
  await storeRates(fresh.unitOfWork, rates);
  await storeIndices(fresh.unitOfWork, indices);
  return fresh;
}

/** The address and query of one series or of the list, with random settings. */
function randomRead(uuids: readonly string[], random: () => number): [path: string, query: string] {
  const one = <T>(of: readonly T[]): T => of[Math.floor(of.length * random())]!;
  const settings = new URLSearchParams({
    measure: one(['nominal', 'real', 'usd', 'real_usd']),
    per: one(['unit', 'base']),
    ifpa_mode: one(['standard', 'fpma']),
    alps_window: one(['realtime', 'full']),
  }).toString();
  const kind = random();
  if (kind < 0.6) return [`${one(uuids)}/`, settings];
  if (kind < 0.75) return [`${one(uuids)}/`, `${settings}&annual=true`];
  if (kind < 0.9) return ['', `${settings}&page_size=100`];
  return ['', `${settings}&page_size=100&month=${2015 + Math.floor(9 * random())}-0${one([1, 5, 9])}`];
}

/** A reply without the ids of records, which are those of each database. */
function withoutIds(body: unknown): unknown {
  const { results, ...one } = body as { results?: Entry[] } & Entry;
  const strip = ({ series, ...entry }: Entry) => ({
    ...entry,
    series: Object.fromEntries(Object.entries(series).filter(([name]) => !name.endsWith('_id'))),
  });
  return results === undefined ? strip(one) : results.map(strip);
}
