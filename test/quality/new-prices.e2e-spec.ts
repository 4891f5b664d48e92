import { insertChangeSet } from '../../src/ledger/changes/change-set.js';
import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { MONTHLY } from '../../src/price-series/periodicity.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { storeSeries, type PointLine, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (number: number) => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`;
const dateOf = (month: number) =>
  `${2015 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
/** Prices of months from one to before another, counted from January 2015. */
const months = (from: number, to: number, priceOf: (month: number) => number) =>
  Array.from({ length: to - from }, (_, index): PointLine => [dateOf(from + index), priceOf(from + index)]);
/** A series of a market of its own. */
const series = (number: number, monthly: readonly PointLine[], commodity = number): SeriesSpec => ({
  uuid: uuidOf(number),
  commodity: { name: `Commodity ${commodity}` },
  market: { name: `Market ${number}`, iso3_country_code: 'KEN', country_name: 'Kenya' },
  points: { monthly },
});
/** Prices that alternate between two neighbouring numbers. */
const level = (price: number) => (month: number) => price + (month % 2);

describe('a new price among others of its level', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
  });
  afterEach(() => service?.close());

  const patch = (number: number, id: number, body: object) =>
    service
      .http()
      .patch(`/api/v1/PriceSeriePrice/${uuidOf(number)}/${id}/`)
      .set(auth)
      .send(body)
      .expect(200);
  /** Stores series, and corrects a price of each and back, after which they have been checked. */
  async function store(specs: readonly SeriesSpec[]) {
    const ids = await storeSeries(service.unitOfWork, specs);
    const idOf = (number: number, date: string) =>
      pointId(ids.get(uuidOf(number))!, MONTHLY, dayFromIso(date)!);
    const set = (number: number, date: string, price: number) =>
      patch(number, idOf(number, date), { price_value: price });
    for (const [number, { points }] of specs.entries()) {
      const [date, price] = points!.monthly!.at(-2)!;
      await set(number, date, price + 0.5);
      await set(number, date, price);
    }
    return { ids, idOf, set };
  }
  const open = async () => {
    const { body } = await service.http().get('/api/v1/Finding/?state=open').expect(200);
    const { results } = body as { results: { rule: string }[] };
    return results.map(({ rule }) => rule);
  };

  it('makes a series equal to another one', async () => {
    const rising = (month: number) => level(10)(month) + Math.floor(month / 4) / 4;
    const { set } = await store([
      series(0, months(0, 14, rising)),
      series(1, months(0, 14, rising).with(8, [dateOf(8), 11])),
    ]);
    expect(await open()).toEqual([]);
    await set(1, dateOf(8), rising(8));
    expect(await open()).toEqual(['identical_series']);
  });

  it('stands apart among those of a series that was joined', async () => {
    const { set } = await store([
      series(0, [...months(60, 71, level(10)), ...months(84, 85, level(10)), ...months(108, 109, level(10))]),
      series(
        1,
        [...months(0, 60, level(10)), ...months(71, 84, level(10)), ...months(85, 108, level(10))],
        0,
      ),
    ]);
    await service
      .http()
      .post(`/api/v1/PriceSerie/${uuidOf(1)}/merge/`)
      .set(auth)
      .send({ into: uuidOf(0), relabel: true })
      .expect(200);
    await set(0, dateOf(68), 11);
    await set(0, dateOf(68), 10);
    expect(await open()).toEqual([]);
    await set(0, dateOf(84), 60);
    expect(await open()).toEqual(['spike']);
  });

  it('moves a series away from others of its commodity', async () => {
    const { set } = await store([
      ...[0, 1, 2].map((number) => series(number, months(0, 12, level(10 + number / 10)), 0)),
      series(
        3,
        months(0, 12, () => 29),
        0,
      ),
    ]);
    expect(await open()).toEqual([]);
    for (let month = 6; month < 12; month++) await set(3, dateOf(month), 36);
    expect(await open()).toEqual(['off_peers']);
  });

  it('is no longer compared with others of its month', async () => {
    const apart = (month: number) => (month === 30 ? 28 : level(10)(month));
    const { set } = await store([series(0, months(0, 60, apart))]);
    const outliers = () => service.database.rows('SELECT day, value FROM series_outlier');
    expect(await open()).toEqual([]);
    expect(await outliers()).toEqual([{ day: dayFromIso(dateOf(30)), value: 28 }]);
    await set(0, dateOf(30), 10);
    expect(await outliers()).toEqual([]);
  });

  it('comes before the end of an import, which has stored one that stands apart', async () => {
    const { ids, set } = await store([series(0, months(0, 60, level(10)))]);
    const serieId = ids.get(uuidOf(0))!;
    const day = dayFromIso(dateOf(10))!;
    const points = [{ serieId, period: MONTHLY, day, value: 60, calculated: false, comment: null }] as const;
    const startedAt = '2026-11-21T12:00:00Z';
    const row = { kind: 'import', state: 'running', startedAt, endedAt: null, reason: '' } as const;
    const running = await service.unitOfWork.run((transaction) => insertChangeSet(transaction, row));
    await service.unitOfWork.change(running, (transaction) =>
      new ObservationStore().write(transaction, points),
    );
    expect(await open()).toEqual([]);
    await set(0, dateOf(50), 11);
    expect(await open()).toEqual(['spike']);
    await set(0, dateOf(50), 10);
    expect(await open()).toEqual(['spike']);
  });
});
