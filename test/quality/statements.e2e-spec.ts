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

  it('runs the checks only where the price or its place in the series may make a finding', async () => {
    const patch = await storeRestless(6, NEVER);
    const ofChecks = async (date: string, price: number) => {
      const statements = await patch(date, price);
      return statements.filter((sql) => /FROM (series_digest|finding|series_group)\b/.test(sql)).length;
    };
    // The first correction checks all points of the series.
    expect(await ofChecks('2020-07-01', 106)).toBeGreaterThan(1);
    expect(await ofChecks('2020-07-01', 107)).toBe(1);
    expect(await ofChecks('2023-12-01', 108)).toBe(1);
    // One of the first six.
    expect(await ofChecks('2020-06-01', 107)).toBeGreaterThan(1);
    expect(await ofChecks('2022-06-01', 1070)).toBeGreaterThan(1);
    // There is a finding about the series now.
    expect(await ofChecks('2020-07-01', 106)).toBeGreaterThan(1);
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
