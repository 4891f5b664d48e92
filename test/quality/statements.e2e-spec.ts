import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { MONTHLY } from '../../src/price-series/periodicity.js';
import { driverStatements } from '../support/driver-statements.js';
import { storeSeries, type PointLine, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SERIES = 12;
const YEARS = 4;
/** More months than a series has. */
const NEVER = 12 * YEARS + 1;
const uuidOf = (number: number) => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A series whose price in the last of every `each` months is ten times the others. */
const restless = (number: number, each: number): SeriesSpec => ({
  uuid: uuidOf(number),
  commodity: { name: `Commodity ${number}` },
  market: { name: `Market ${number}`, iso3_country_code: 'KEN', country_name: 'Kenya' },
  points: {
    monthly: Array.from({ length: 12 * YEARS }, (_, month): PointLine => {
      const date = `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
      return [date, month % each === each - 1 ? 1000 + 10 * number : 100 + number + (month % 2)];
    }),
  },
});

describe('a write of one price', () => {
  let service: TestApp;
  beforeEach(async () => (service = await startTestApp()));
  afterEach(() => service?.close());

  /**
   * Stores series that stand apart in one month of some: all in the same ones, but for one series.
   * @returns how a price of that one is set
   */
  async function storeRestless(each: number, eachOfOne = each) {
    const specs = Array.from({ length: SERIES }, (_, number) =>
      restless(number, number === 3 ? eachOfOne : each),
    );
    const ids = await storeSeries(service.unitOfWork, specs);
    const auth = await service.authHeader();
    return (date: string, price: number) => {
      const point = pointId(ids.get(uuidOf(3))!, MONTHLY, dayFromIso(date)!);
      return driverStatements(service.database, () =>
        service
          .http()
          .patch(`/api/v1/PriceSeriePrice/${uuidOf(3)}/${point}/`)
          .set(auth)
          .send({ price_value: price })
          .expect(200),
      );
    };
  }
  const countOf = async (rule: string) => {
    const { body } = await service.http().get(`/api/v1/Finding/?state=open&rule=${rule}`).expect(200);
    return (body as { count: number }).count;
  };

  it.each([
    [6, 7],
    [4, 11],
  ])('needs no more statements where every %ith month is suspect', async (each, suspect) => {
    const patch = await storeRestless(each);
    expect(await countOf('month_suspect')).toBe(suspect);
    expect(await countOf('redenomination')).toBeGreaterThan(suspect);
    expect((await patch('2020-02-01', 107)).length).toBeLessThanOrEqual(35);
  });

  it('takes six reads of the checks where no other series is compared with it', async () => {
    const patch = await storeRestless(6, NEVER);
    const statements = await patch('2020-07-01', 106);
    const first = statements.findIndex((sql) => sql.includes('LEFT JOIN series_digest'));
    const end = statements.findIndex((sql) => sql.startsWith('UPDATE price_serie SET revision'));
    const reads = statements
      .slice(first, end)
      .map((sql) => /\bFROM (?!series_period|series_outlier|series_step)(\w+)/.exec(sql)![1]);
    expect(reads).toEqual([
      'price_serie',
      'finding_member',
      'series_join',
      'observation',
      'series_group',
      'finding',
    ]);
  });

  it('reads no other series where no price of the own one stands apart', async () => {
    const patch = await storeRestless(6, NEVER);
    const ofOthers = async (price: number) => {
      const statements = await patch('2020-06-01', price);
      return statements.filter((sql) => sql.includes('JOIN series_outlier')).length;
    };
    expect(await ofOthers(107)).toBe(0);
    expect(await ofOthers(1070)).toBeGreaterThan(0);
    expect(await ofOthers(107)).toBeGreaterThan(0);
    expect(await ofOthers(108)).toBe(0);
  });

  it('reads no names, also before all findings are computed', async () => {
    const patch = await storeRestless(6);
    await service.unitOfWork.run((transaction) =>
      transaction.execute('UPDATE data_revision SET checked_revision = 0'),
    );
    const statements = await patch('2020-02-01', 107);
    expect(statements.filter((sql) => sql.includes('subject LIKE'))).toEqual([]);
  });

  it('ends many findings with few statements', async () => {
    const patch = await storeRestless(6);
    const before = await countOf('spike,decimal_slip');
    expect((await patch('2021-06-01', 104)).length).toBeLessThanOrEqual(49);
    expect(await countOf('spike,decimal_slip')).toBe(before - 2);
  });
});

describe('a write of one record', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
    await storeSeries(service.unitOfWork, [restless(1, 6), restless(2, 7)]);
  });
  afterEach(() => service?.close());

  /** The tables that are read while a commodity is changed. */
  async function readBy(change: object) {
    const [{ id }] = (await service.database.rows<{ id: number }>(
      "SELECT id FROM commodity WHERE name = 'Commodity 1'",
    )) as [{ id: number }];
    const statements = await driverStatements(service.database, () =>
      service.http().patch(`/api/v1/Commodity/${id}/`).set(auth).send(change).expect(200),
    );
    const end = statements.findIndex((sql) => sql.startsWith('INSERT INTO record_change'));
    const first = statements.findIndex((sql) => sql.startsWith('INSERT INTO audit_log'));
    return statements.slice(first + 1, end).map((sql) => /(?:FROM|INTO) (\w+)/.exec(sql)![1]);
  }

  it('has nothing checked where no finding depends on the column', async () => {
    expect(await readBy({ hs_code: '1006' })).toEqual([]);
  });

  it('has the points of its series checked for another category, and not their groups', async () => {
    const read = await readBy({ category: 'Vegetables' });
    expect(read).toContain('observation');
    expect(read).not.toContain('series_group');
    expect(read).not.toContain('market');
  });

  it('has no findings read for a name that is near no other one', async () => {
    await service.http().post('/api/v1/Source/').set(auth).send({ name: 'Central bank' }).expect(201);
    const statements = await driverStatements(service.database, () =>
      service.http().post('/api/v1/Source/').set(auth).send({ name: 'Statistics office' }).expect(201),
    );
    expect(statements.filter((sql) => /FROM (finding|revision|record_change)\b/.test(sql))).toEqual([]);
  });
});
