import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { TimeSlice } from '../../src/lib/scheduling/time-slice.js';
import { DAILY, MONTHLY, PERIODS, type Period } from '../../src/price-series/periodicity.js';
import { PointReader, type PointState } from '../../src/prices/store/point-reader.js';
import type { StoredRange } from '../../src/prices/read/point-window.js';
import { storePoints, storeSeries, type PointLine } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ONE = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const EMPTY = '00000000-0000-4000-8000-000000000003';
/** More than a list of a server holds. */
const LONG = 32_000;

describe('points without comments', () => {
  let service: TestApp;
  let reader: PointReader;
  let ids: Map<string, number>;
  beforeEach(async () => {
    service = await startTestApp();
    reader = service.app.get(PointReader);
    const values = [0.1, 1 / 3, 2 / 3, 1e-7, 1.5e21, 12345678.9012345, 5e-324, 1.7976931348623157e308, 7];
    const monthly = values.map((value, month): PointLine => [`2020-0${month + 1}-01`, value]);
    ids = await storeSeries(service.unitOfWork, [
      { uuid: ONE, points: { monthly } },
      { uuid: OTHER, points: { daily: [['2020-01-02', 3]], monthly: [['2020-02-01', 4]] } },
      { uuid: EMPTY },
    ]);
  });
  afterEach(() => service.close());

  const all: StoredRange = { firstPeriod: DAILY, lastPeriod: MONTHLY, firstDay: 0, lastDay: 3_652_059 };
  const newest = async (): Promise<PointState> => {
    const [row] = await service.database.arrays<[number]>('SELECT series_revision FROM data_revision');
    return { newest: row![0] };
  };
  const read = async (method: 'read' | 'readValues', range = all, state?: PointState) => {
    const { signal } = new AbortController();
    const found = await reader[method](
      [...ids.values()],
      range,
      state ?? (await newest()),
      new TimeSlice(),
      signal,
    );
    return (
      found &&
      [...found].map(([id, points]) => [
        id,
        PERIODS.map((period: Period) => [points.original(period), points.markedCalculated(period)]),
      ])
    );
  };

  it('are the same numbers to the last digit', async () => {
    const points = await read('readValues');
    expect(JSON.stringify(points)).toContain('1.7976931348623157e+308');
    expect(points).toEqual(await read('read'));
  });

  it('are those of the range, and marked as they are stored', async () => {
    await storePoints(service.unitOfWork, ids.get(EMPTY)!, { monthly: [['2022-01-01', 8, null, true]] });
    const range: StoredRange = { ...all, firstPeriod: MONTHLY, firstDay: 737_455 };
    const points = await read('readValues', range);
    expect(points).toEqual(await read('read', range));
    expect(JSON.stringify(points)).toContain('[8]');
  });

  it('are null at another revision, also where there are none', async () => {
    const state = await newest();
    await storePoints(service.unitOfWork, ids.get(ONE)!, { monthly: [['2021-01-01', 5]] });
    expect(await read('readValues', all, state)).toBeNull();
    expect(await read('readValues', { ...all, firstDay: 800_000 }, state)).toBeNull();
    const later = await read('readValues', { ...all, firstDay: 800_000 });
    expect(later).toEqual(await read('read', { ...all, firstDay: 800_000 }));
  });

  it('are all of a series with more points than a list holds', async () => {
    const daily = Array.from({ length: LONG }, (_, at): PointLine => [isoFromDay(700_000 + at), 100 + at]);
    await storePoints(service.unitOfWork, ids.get(ONE)!, { daily });
    const points = await read('readValues');
    expect(points).toEqual(await read('read'));
    expect(JSON.stringify(points)).toContain(`,${100 + LONG - 1}]`);
  }, 60_000);
});
