import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { CheckedSeriesReader } from '../../src/quality/checks/checked-series-reader.js';
import { GroupCheck } from '../../src/quality/checks/group-check.js';
import { saveMarks } from '../../src/quality/checks/groups/marks.js';
import { testChange } from '../support/change-set.js';
import { storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);
const SERIES = 800;

/** A series whose price of April is 40 times the others. */
const outlying = (number: number): SeriesSpec => ({
  uuid: `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`,
  market: { name: `Market ${number}`, iso3_country_code: 'KEN', country_name: 'Kenya' },
  points: { monthly: MONTHS.map((date) => [date, date === '2024-04-01' ? 14_400 : 360 + number]) },
});

describe('findings about much', () => {
  let service: TestApp;
  beforeEach(async () => (service = await startTestApp()));
  afterEach(() => service?.close());

  const list = async (query: string) => {
    const { body } = await service.http().get(`/api/v1/Finding/${query}`).expect(200);
    return (body as { results: { members: unknown[]; detail: string }[] }).results;
  };

  it('name the first 600 members of a large group, and tell how many there are', async () => {
    const specs = Array.from({ length: SERIES }, (_, number) => outlying(number));
    await storeSeries(service.unitOfWork, specs);
    const [suspect, ...others] = await list('?rule=month_suspect');
    expect([suspect!.members.length, others]).toEqual([600, []]);
    expect(suspect!.detail).toMatch(new RegExp(`^${SERIES} of ${SERIES} prices in 2024-04 `));
    const last = `uuid__in=11111111-0000-4000-8000-${String(SERIES - 1).padStart(12, '0')}`;
    expect(await list(`?rule=month_suspect&${last}`)).toEqual([suspect]);
  });

  it('follow the members that they do not name', async () => {
    const specs = Array.from({ length: SERIES }, (_, number) => outlying(number));
    await storeSeries(service.unitOfWork, specs);
    const last = specs.at(-1)!.uuid;
    const about = () => list(`?rule=month_suspect&state=open&uuid__in=${last}`);
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${last}/?start_date=2024-04-01`);
    const point = (body as { datapoints: { id: number; date: string }[] }).datapoints.at(-1)!;
    const admin = await service.authHeader();
    const set = (price_value: number) =>
      service
        .http()
        .patch(`/api/v1/PriceSeriePrice/${last}/${point.id}/`)
        .set(admin)
        .send({ price_value })
        .expect(200);
    await set(360 + SERIES - 1);
    const [rest] = await list('?rule=month_suspect');
    expect(rest!.detail).toMatch(new RegExp(`^${SERIES - 1} of ${SERIES} prices in 2024-04 `));
    expect(await about()).toEqual([]);
    await set(14_400);
    expect(await about()).toHaveLength(1);
  });

  it('are stated in at most 1,000 characters, however long the names are', async () => {
    const name = (first: string) => first + '𝕏'.repeat(199);
    const twins = ['KES', 'USD', 'UGX'].map((currency, number): SeriesSpec => ({
      ...outlying(number),
      currency,
      market: { name: name('M'), iso3_country_code: 'KEN', country_name: 'Kenya' },
      commodity: { name: name('C') },
    }));
    await storeSeries(service.unitOfWork, twins);
    const details = (await list('?page_size=100')).map(({ detail }) => Array.from(detail).length);
    expect(details.length).toBeGreaterThan(3);
    expect(Math.max(...details)).toBeLessThanOrEqual(1000);
  });

  it('are made, however many there are of one country', async () => {
    // Each of one half fits in the place of each of the other.
    const half = 370;
    const specs = Array.from({ length: 2 * half }, (_, number): SeriesSpec => ({
      uuid: outlying(number).uuid,
      commodity: { name: `Commodity ${number}` },
    }));
    const ids = [...(await storeSeries(service.unitOfWork, specs)).values()];
    const found = await service.unitOfWork.change(testChange, async (transaction) => {
      const day = dayFromIso('2024-04-01')!;
      const outlier = (index: number): [number, number, number] =>
        index < half ? [day, 1000, 100] : [day, 100, 1000];
      const marks = ids.map(
        (id, index) => [id, { series_outlier: [outlier(index)], series_step: [] }] as const,
      );
      await saveMarks(transaction, new Map(marks), new Set(ids));
      return new GroupCheck().check(transaction, ['KEN'], new CheckedSeriesReader(transaction));
    });
    expect(found.filter(({ rule }) => rule === 'swapped')).toHaveLength(2 * half - 1);
  });
});
