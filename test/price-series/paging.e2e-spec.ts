import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import type { SeriesEntry } from '../../src/price-series/price-serie.view.js';
import { catalogueStatements } from '../../src/price-series/catalogue/catalogue-reader.js';
import { createRecords } from '../support/factories.js';
import { plainEntries } from '../support/plain-series.js';
import { statementsOf } from '../support/statements.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testChange } from '../support/change-set.js';

interface Envelope {
  count: number;
  next: string | null;
  previous: string | null;
  results: SeriesEntry[];
}

const SERIES = 60;

describe('pages of price series', () => {
  let app: TestApp;
  let markets: number[];
  let series: number[];
  beforeAll(async () => {
    app = await startTestApp({ MAX_PAGE_SIZE: '500' });
    await createRecords(app.unitOfWork, async (factory) => {
      markets = [
        await factory.market({ iso3_country_code: 'KEN' }),
        await factory.market({ iso3_country_code: 'AFG', admin_unit: 'Foo, Bar' }),
        await factory.market({ iso3_country_code: 'YEM' }),
      ];
      const commodity_id = await factory.commodity();
      const source_id = await factory.source();
      const measure_unit_id = await factory.measureUnit();
      series = [];
      for (let number = 0; number < SERIES; number++) {
        series.push(
          await factory.series({
            market_id: markets[number % 3]!,
            commodity_id,
            source_id,
            measure_unit_id,
            periodicity: [{ period: 'monthly', start_date: '2020-01-01', end_date: '2021-01-01' }],
          }),
        );
      }
    });
  });
  afterAll(() => app.close());

  const get = (address: string) => app.http().get(address);
  const list = async (address: string) => (await get(address)).body as Envelope;
  /** A link without the origin, whose port differs per run. */
  const path = (link: string | null) => link && link.replace(/^http:\/\/127\.0\.0\.1:\d+/, '');
  const links = async (address: string) => {
    const { count, next, previous } = await list(address);
    return { count, next: path(next), previous: path(previous) };
  };

  it('have up to 100 series by default', async () => {
    const envelope = await list('/api/v1/PriceSerie/');
    expect(envelope).toEqual({
      count: SERIES,
      next: null,
      previous: null,
      results: await plainEntries(app.database),
    });
  });

  it('link to each other, with all other parameters unchanged and in their order', async () => {
    const query = 'iso3_country_codes=KEN,AFG&page_size=15&admin_units=%22Foo,%20Bar%22,x&start_date=';
    const all = await links(`/api/v1/PriceSerie/?${query}`);
    expect(all).toEqual({ count: 20, next: `/api/v1/PriceSerie/?${query}&page=2`, previous: null });
    expect(await links(all.next!)).toEqual({
      count: 20,
      next: null,
      previous: `/api/v1/PriceSerie/?${query}`,
    });
  });

  it('keep the position of `page` in the query, and the prefix and trailing slash of the address', async () => {
    const base = '/giews/v4/price_module/api/v1/PriceSerieDomestic';
    expect(await links(`${base}?page=2&page_size=20&_=5`)).toEqual({
      count: SERIES,
      next: `${base}?page=3&page_size=20`,
      previous: `${base}?page_size=20`,
    });
    expect(await links(`${base}?page_size=20&page=3`)).toEqual({
      count: SERIES,
      next: null,
      previous: `${base}?page_size=20&page=2`,
    });
  });

  it('have absolute links', async () => {
    const { next } = await list('/api/v1/PriceSerie/?page_size=59');
    expect(next).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/PriceSerie\/\?page_size=59&page=2$/);
  });

  it.each([
    ['page_size=60', SERIES, null],
    ['page_size=500', SERIES, null],
    ['page_size=60&page=1', SERIES, null],
    ['page_size=59&page=2', 1, '/api/v1/PriceSerie/?page_size=59'],
  ])('?%s is the last page', async (query, length, previous) => {
    const { results, ...envelope } = await list(`/api/v1/PriceSerie/?${query}`);
    expect({ ...envelope, previous: path(envelope.previous), length: results.length }).toEqual({
      count: SERIES,
      next: null,
      previous,
      length,
    });
  });

  it.each([
    ['page_size=60&page=2', 1],
    ['page_size=7&page=10', 9],
    ['page=99999999999999999999', 1],
    ['iso3_country_codes=XXX&page=2', 1],
    ['page_size=60&page=2&format=csv', 1],
  ])('?%s is past the end (Q11)', async (query, last_page) => {
    const { status, body } = await get(`/api/v1/PriceSerie/?${query}`);
    expect({ status, code: body.code, last_page: body.last_page }).toEqual({
      status: 404,
      code: 'not_found',
      last_page,
    });
  });

  it.each([
    ['page=0', 'invalid_integer'],
    ['page=-1', 'invalid_integer'],
    ['page=1.5', 'invalid_integer'],
    ['page=1e2', 'invalid_integer'],
    ['page=%2B1', 'invalid_integer'],
    ['page_size=0', 'invalid_integer'],
    ['page_size=ten', 'invalid_integer'],
    ['page_size=501', 'out_of_range'],
    ['page=1&page=2', 'repeated_parameter'],
  ])('?%s is rejected (Q10, Q12 to Q14)', async (query, code) => {
    const { status, body } = await get(`/api/v1/PriceSerie/?${query}`);
    expect([status, body.errors.map((violation: { code: string }) => violation.code)]).toEqual([400, [code]]);
  });

  it('are a single empty page for an empty list', async () => {
    const empty = { count: 0, next: null, previous: null, results: [] };
    expect(await list('/api/v1/PriceSerie/?iso3_country_codes=XXX&page=1')).toEqual(empty);
    expect(await list('/api/v1/PriceSerieInternational/')).toEqual(empty);
  });

  it('return every series once, in order, each page from one state of the data, during writes (W11)', async () => {
    let written = 0;
    const write = () =>
      app.unitOfWork.change(testChange, async (transaction) => {
        const name = `state ${++written}`;
        await transaction.execute('UPDATE commodity SET name = ?, version = version + 1', [name]);
        await transaction.execute('UPDATE source SET name = ?, version = version + 1', [name]);
        await transaction.execute('UPDATE series_period SET end_day = ?', [740_000 + written]);
        transaction.markModified('references');
        transaction.markSeriesModified(series);
      });
    await write();
    let writing = true;
    const writer = (async () => {
      while (writing) {
        await write();
        // The embedded engine writes synchronously, so the requests need a turn.
        await eventLoopTurn();
      }
    })().finally(() => (writing = false));
    const before = await plainEntries(app.database);
    const seenUuids: string[] = [];
    const states = new Set<string>();
    try {
      for (let address: string | null = '/api/v1/PriceSerie/?page_size=7'; address !== null;) {
        const seen = written;
        const page: Envelope = await list(address);
        expect(page.count).toBe(SERIES);
        const [state, ...others] = new Set(page.results.map(({ commodity }) => commodity));
        expect(others).toEqual([]);
        const lastDate = isoFromDay(740_000 + Number(state!.replace('state ', '')));
        expect(page.results.map(({ source, last_price_date }) => [source, last_price_date])).toEqual(
          page.results.map(() => [state, lastDate]),
        );
        states.add(state!);
        seenUuids.push(...page.results.map(({ uuid }) => uuid));
        address = path(page.next);
        while (writing && written === seen) await eventLoopTurn();
      }
    } finally {
      writing = false;
      await writer;
    }
    expect(seenUuids).toEqual(before.map(({ uuid }) => uuid));
    expect(states.size).toBeGreaterThan(1);
  });

  it('need the same statements at every size, and none while nothing changes (R1)', async () => {
    const modify = () =>
      app.unitOfWork.change(testChange, async (transaction) => transaction.markSeriesModified([series[0]!]));
    const normalized = (sql: string) => sql.replace(/\s+/g, ' ').trim();
    await list('/api/v1/PriceSerie/');
    for (const size of [1, 500]) {
      await modify();
      const address = `/api/v1/PriceSerie/?page_size=${size}&iso3_country_codes=KEN,AFG,YEM`;
      expect(await statementsOf(app.database, () => get(address))).toEqual([
        normalized(catalogueStatements.observed.revisions),
        normalized(catalogueStatements.observed.aliasFingerprint),
        normalized(catalogueStatements.observed.joins),
        normalized(catalogueStatements.observed.count),
        normalized(catalogueStatements.observed.changed),
      ]);
      expect(await statementsOf(app.database, () => get(`${address}&_=1&periodicity=monthly`))).toEqual([]);
    }
  });
});
