import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { selectExistence } from '../../src/prices/store/point-existence.js';
import { selectPointLists, selectPoints } from '../../src/prices/store/point-reader.js';
import { storePoints, storeRates, storeSeries, type PointLine } from '../support/price-fixture.js';
import { statementsOf } from '../support/statements.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const SERIES = 150;
const LONG = uuidOf(SERIES);

const daily = (count: number): PointLine[] =>
  Array.from({ length: count }, (_, at) => [isoFromDay(730_000 + at), 100 + at]);

describe('statements of replies with prices', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeEach(async () => {
    service = await startTestApp();
    ids = await storeSeries(service.unitOfWork, [
      ...Array.from({ length: SERIES }, (_, index) => ({
        uuid: uuidOf(index),
        points: {
          monthly: [
            ['2020-01-01', 1],
            ['2020-02-01', 2],
            ['2021-06-01', 3],
          ] as PointLine[],
        },
      })),
      { uuid: LONG, points: { daily: daily(6000) } },
    ]);
    // Brings the catalogue up to date.
    await service.http().get('/api/v1/PriceSerie/').expect(200);
  });
  afterEach(() => service.close());

  const tablesOf = async (path: string) => {
    const statements = await statementsOf(service.database, () =>
      service.http().get(`/api/v1/PriceSeriePrice/${path}`).expect(200),
    );
    return statements.map((sql) => /\b(observation|fx_rate|cpi|price_serie)\b/.exec(sql)?.[1] ?? sql);
  };
  /** Rows read from the table of points. */
  const rowsOf = async (path: string) => {
    let rows = 0;
    const { database } = service;
    const { arrays } = database;
    database.arrays = async (sql, values) => {
      const result = await arrays.call(database, sql, values);
      if (sql.includes('observation')) rows += result.length;
      return result as never;
    };
    await service.http().get(`/api/v1/PriceSeriePrice/${path}`).expect(200);
    delete (database as Partial<typeof database>).arrays;
    return rows;
  };

  it('are one for the points of a series, and one each for rates and indices not yet cached', async () => {
    expect(await tablesOf(`${uuidOf(1)}/`)).toEqual(['observation', 'fx_rate', 'cpi']);
    expect(await tablesOf(`${uuidOf(2)}/`)).toEqual(['observation']);
    // The same points in another list.
    expect(await tablesOf(`?uuid__in=${uuidOf(1)},${uuidOf(2)}`)).toEqual([]);
    expect(await tablesOf(`?uuid__in=${uuidOf(1)},${uuidOf(2)},${uuidOf(3)}`)).toEqual(['observation']);
  });

  it('are few for a page, whatever its size', async () => {
    expect(await tablesOf('?page_size=1&periodicity=monthly')).toEqual(['observation', 'fx_rate', 'cpi']);
    expect(await tablesOf('?page_size=100&periodicity=monthly')).toEqual(['observation']);
  });

  it('are as many after a list of more than 100 series, whose texts are not stored', async () => {
    await service.http().get('/api/v1/PriceSeriePrice/?page_size=101&periodicity=monthly').expect(200);
    expect(await tablesOf('?page_size=100&periodicity=monthly')).toEqual(['observation']);
    expect(await tablesOf('?page_size=99&periodicity=monthly')).toEqual([]);
  });

  it('read only changed data again', async () => {
    const path = `?uuid__in=${[1, 2, 3].map(uuidOf).join()}`;
    await tablesOf(path);
    await storePoints(service.unitOfWork, ids.get(uuidOf(2))!, { monthly: [['2022-01-01', 5]] });
    expect(await rowsOf(path)).toBe(4);
    await storeRates(service.unitOfWork, [['KES', '2020-01-01', 100]]);
    expect(await tablesOf(path)).toEqual(['observation', 'fx_rate', 'cpi']);
  });

  it('probe points if a gap could be as long as the window, once per revision of a series', async () => {
    const window = 'start_date=2020-06-01&end_date=2020-12-31';
    // All but the long series are probed with one statement.
    expect(await tablesOf(`?${window}&page_size=1`)).toEqual(['observation']);
    expect(await tablesOf(`?${window}&page_size=2&latest=1`)).toEqual([]);
    await storePoints(service.unitOfWork, ids.get(uuidOf(7))!, { monthly: [['2020-07-01', 5]] });
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/?${window}`).expect(200);
    expect((body as { count: number }).count).toBe(1);
    expect(await rowsOf(`?${window}&page_size=3&latest=3`)).toBeLessThan(500);
  });

  it('read a few thousand rows each', async () => {
    expect(await tablesOf(`${LONG}/`)).toEqual([
      'observation',
      'observation',
      'observation',
      'fx_rate',
      'cpi',
    ]);
    const { body } = await service
      .http()
      .get(`/api/v1/PriceSeriePrice/${LONG}/?periodicity=daily`)
      .expect(200);
    expect((body as { datapoints: object[] }).datapoints).toHaveLength(6000);
  });

  it('read only the points that a window depends on', async () => {
    expect(await rowsOf(`${LONG}/?periodicity=daily&start_date=2001-01-01&end_date=2001-01-31`)).toBe(31);
    // January depends on its days, and a week may overlap each end of it.
    expect(
      await rowsOf(`${LONG}/?periodicity=monthly&start_date=2001-01-01&end_date=2001-01-01`),
    ).toBeLessThan(50);
    expect(await rowsOf(`${LONG}/?latest=1`)).toBeLessThan(150);
    expect(await rowsOf(`${LONG}/?periodicity=weekly&latest=10`)).toBeLessThan(200);
  });

  it('R2: find points by the key of their table', async () => {
    const { database } = service;
    const plan = async (sql: string, values: number[]) =>
      (
        await database.rows<Record<string, unknown>>(
          `EXPLAIN ${database.embedded ? 'QUERY PLAN ' : ''}${sql}`,
          values,
        )
      )
        .map(({ detail, table, key, Extra }) => `${detail ?? `${table} ${key} ${Extra}`}`)
        .filter((line) => /\bo\b/.test(line));
    const key = database.embedded
      ? /^SEARCH o USING PRIMARY KEY \(serie_id=\? AND period/
      : /^o PRIMARY (?!.*filesort)/;
    for (const line of [
      ...(await plan(selectPoints('?, ?', true), [1, 2, 3, 700_000, 740_000])),
      ...(await plan(selectPoints('?, ?', false), [1, 2, 1, 3, 700_000, 740_000])),
      ...(await plan(selectPointLists('?, ?', false, database.embedded), [1, 2, 1, 3, 700_000, 740_000])),
    ])
      expect(line).toMatch(key);
    for (const line of await plan(selectExistence('?, ?'), [3, 0, 700_000, 740_000, 1, 2]))
      expect(line).toMatch(key);
  });
});
