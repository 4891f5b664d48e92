import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { MONTHLY } from '../../src/price-series/periodicity.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { OutlineDigests1764000000034 } from '../../src/database/migrations/1764000000034-outline-digests.js';
import { storeSeries, type PointLine, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (number: number) => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`;
const months = (count: number, priceOf: (month: number) => number, marked = false) =>
  Array.from({ length: count }, (_, month): PointLine => {
    const date = `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
    return [date, priceOf(month), null, marked];
  });

/** Long, short, of equal prices, of marked ones, without monthly ones, and the two of a join. */
const POINTS: readonly SeriesSpec['points'][] = [
  { monthly: months(30, (month) => 10.1 + month / 10) },
  { monthly: months(11, (month) => 10 + month) },
  { monthly: months(12, () => 0.1) },
  { monthly: months(20, (month) => 10 + month, true) },
  { weekly: [['2024-01-07', 10]] },
  { monthly: months(15, (month) => 20 + month / 10) },
  { monthly: months(16, (month) => 20 + month / 10) },
];
const [FROM, INTO] = [uuidOf(5), uuidOf(6)];

const inMarketsOfTheirOwn = (all: readonly SeriesSpec['points'][]): SeriesSpec[] =>
  all.map((points, number) => ({ uuid: uuidOf(number), market: { name: `Market ${number}` }, points }));

describe('digests of outlines', () => {
  let service: TestApp;
  beforeEach(async () => (service = await startTestApp()));
  afterEach(() => service?.close());

  const digests = async () => {
    const rows = await service.database.rows<{ uuid: string; digest: string }>(
      'SELECT uuid, digest FROM series_digest d JOIN price_serie s ON s.id = d.serie_id ORDER BY uuid',
    );
    return rows.map(({ uuid, digest }) => [uuid, digest]);
  };

  it('are made by the migration as by the checks, but for joined series, and no earlier release may write', async () => {
    await storeSeries(service.unitOfWork, inMarketsOfTheirOwn(POINTS));
    const auth = await service.authHeader();
    await service
      .http()
      .post(`/api/v1/PriceSerie/${FROM}/merge/`)
      .set(auth)
      .send({ into: INTO, relabel: true })
      .expect(200);
    const made = await digests();
    expect(made.map(([, digest]) => digest!.length)).toEqual([32, 0, 32, 0, 0, 0, 32]);
    const { writer } = service.database;
    const runner = writer.createQueryRunner();
    await runner.query("UPDATE series_digest SET digest = 'of all points'");
    await new OutlineDigests1764000000034().up(runner);
    await runner.release();
    expect(await digests()).toEqual(made.filter(([uuid]) => uuid !== FROM && uuid !== INTO));
    const [row] = await service.database.rows<{ oldest_writer: number | string }>(
      'SELECT oldest_writer FROM data_revision',
    );
    expect(Number(row!.oldest_writer)).toBe(1764000000034);
  });

  it('are made where they are missing when series are compared', async () => {
    const [one, other] = [10, 50].map((price) => ({ monthly: months(12, (month) => price + month) }));
    const ids = await storeSeries(service.unitOfWork, inMarketsOfTheirOwn([one, one, other, other]));
    const findings = () => service.database.rows('SELECT rule, state FROM finding ORDER BY id');
    const equal = { rule: 'identical_series', state: 'open' };
    expect(await findings()).toEqual([equal, equal]);
    const made = await digests();
    await service.unitOfWork.run((transaction) =>
      transaction.execute('DELETE FROM series_digest WHERE serie_id = ?', [ids.get(uuidOf(0))!]),
    );
    const point = pointId(ids.get(uuidOf(3))!, MONTHLY, dayFromIso('2020-12-01')!);
    await service
      .http()
      .patch(`/api/v1/PriceSeriePrice/${uuidOf(3)}/${point}/`)
      .set(await service.authHeader())
      .send({ price_value: 62 })
      .expect(200);
    expect(await findings()).toEqual([equal, { ...equal, state: 'corrected' }]);
    expect(await digests()).toEqual(made);
  });
});
