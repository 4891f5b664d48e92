import { firstDayOfMonth, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import {
  type PointLine,
  storeIndices,
  storePoints,
  storeRates,
  storeSeries,
} from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { S1_FIRST, S1_VALUES } from '../support/test-series.js';

const uuidOf = (number: number) => `${11111110 + number}-0000-4000-8000-000000000000`;
const [MAIZE, WAGE, TWIN, OIL, DAILY, WEEKLY, EMPTY, S1] = [1, 2, 3, 4, 5, 6, 7, 8].map(uuidOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
/** The same eight digits as those of MAIZE. */
const THIRD = '11111111-0000-4000-8000-000000000001';

interface TableBody {
  dates: string[];
  columns: { uuid: string; label: string }[];
  values: (number | null)[][];
}

describe('a table of the prices of several series', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [
      ['KES', '2023-01-01', 100],
      ['KES', '2023-02-01', 125],
    ]);
    await storeIndices(service.unitOfWork, [
      ['KEN', '2023-01-01', 200],
      ['USA', '2023-01-01', 50],
    ]);
    const maize = { name: 'Maïs (white)', hs_code: '1005' };
    ids = await storeSeries(service.unitOfWork, [
      {
        uuid: MAIZE,
        commodity: maize,
        unit: { name: '90 kg', conversion_factor: 1 / 90 },
        points: {
          monthly: [
            ['2022-11-01', 3600],
            ['2023-01-01', 4500],
            ['2023-02-01', 0],
            ['2023-03-01', 5400],
          ],
        },
      },
      { uuid: THIRD, commodity: { name: 'Rice' }, points: { monthly: [['2023-02-01', 80]] } },
      { uuid: TWIN, commodity: { name: 'Rice' }, points: { monthly: [['2023-01-01', 75.5]] } },
      {
        uuid: WAGE,
        commodity: { name: 'Wage (casual labour)', hs_code: null },
        unit: { name: 'Day', dimension: 'count', conversion_factor: null },
        points: { monthly: [['2023-01-01', 300]] },
      },
      {
        uuid: OIL,
        market: { name: 'Kampala', iso3_country_code: 'UGA', country_name: 'Uganda' },
        commodity: { name: 'Oil' },
        unit: { name: '5 litre', dimension: 'volume', conversion_factor: 0.2 },
        currency: 'USD',
        points: { monthly: [['2023-01-01', 10]] },
      },
      {
        uuid: DAILY,
        market: { name: 'Kigali', iso3_country_code: 'RWA', country_name: 'Rwanda' },
        points: {
          daily: [
            ['2023-02-28', 4],
            ['2024-02-28', 5],
            ['2024-02-29', 6],
            ['2024-03-02', 7],
            ['2025-02-28', 8],
            ['2025-03-03', 9],
          ],
        },
      },
      {
        uuid: WEEKLY,
        market: { name: 'Gitega', iso3_country_code: 'BDI', country_name: 'Burundi' },
        // Wednesdays; the last two are of one week.
        points: {
          weekly: [
            ['2023-03-01', 10],
            ['2024-02-28', 20],
            ['2024-03-06', 30],
            ['2024-03-07', 31],
          ],
        },
      },
      { uuid: EMPTY, market: { name: 'Juba', iso3_country_code: 'SSD', country_name: 'South Sudan' } },
      {
        uuid: S1,
        market: { name: 'Tunis', iso3_country_code: 'TUN', country_name: 'Tunisia' },
        points: {
          monthly: S1_VALUES.map((value, index): PointLine => [
            isoFromDay(firstDayOfMonth(S1_FIRST + index)),
            value,
          ]),
        },
      },
    ]);
  });
  afterAll(() => service?.close());

  const get = (query: string) => service.http().get(`/api/v1/PriceTable/${query}`);
  const table = async (query: string) => {
    const { dates, values } = (await get(query).expect(200)).body as TableBody;
    return dates.map((date, index) => [date, ...values[index]!]);
  };
  const errors = async (query: string) => {
    const { body } = await get(query).expect(400);
    return (body as { errors: object[] }).errors;
  };
  const rejection = (name: string, code: string, detail: string) =>
    expect.objectContaining({ in: 'query', name, code, detail }) as object;

  it('has dates down and series across, with their entries', async () => {
    const { body } = await get('?iso3_country_codes=KEN,SSD').expect(200);
    const { body: list } = await service.http().get('/api/v1/PriceSerie/?iso3_country_codes=KEN,SSD');
    const entries = (list as { results: { uuid: string; commodity: string }[] }).results.filter(
      ({ uuid }) => uuid !== WAGE,
    );
    const labels = [
      'Kenya · Nairobi · Maïs (white) · RETAIL · KES/90 kg',
      `Kenya · Nairobi · Rice · RETAIL · KES/Kg [11111111]`,
      `Kenya · Nairobi · Rice · RETAIL · KES/Kg [11111113]`,
      'South Sudan · Juba · Rice · RETAIL · KES/Kg',
    ];
    expect(body).toEqual({
      dates: ['2023-03-01', '2023-02-01', '2023-01-01', '2022-11-01'],
      columns: entries.map(({ uuid, ...entry }, index) => ({ uuid, label: labels[index], ...entry })),
      values: [
        [5400, null, null, null],
        [null, 80, null, null],
        [4500, null, 75.5, null],
        [3600, null, null, null],
      ],
    });
    expect(Object.keys((body as TableBody).columns[0]!).slice(0, 3)).toEqual([
      'uuid',
      'label',
      'iso3_country_code',
    ]);
  });

  it('is CSV and NDJSON, with the series under their labels', async () => {
    const csv = await get('?iso3_country_codes=KEN&format=csv&start_date=2023-01-01')
      .buffer(true)
      .expect(200);
    expect(csv.text).toBe(
      'date,Kenya · Nairobi · Maïs (white) · RETAIL · KES/90 kg,' +
        'Kenya · Nairobi · Rice · RETAIL · KES/Kg [11111111],' +
        'Kenya · Nairobi · Rice · RETAIL · KES/Kg [11111113]\r\n' +
        '2023-03-01,5400,,\r\n2023-02-01,,80,\r\n2023-01-01,4500,,75.5\r\n',
    );
    const ndjson = await get('?uuid__in=' + `${TWIN},${MAIZE}&format=ndjson&end_date=2023-01-31`)
      .buffer(true)
      .expect(200);
    expect(ndjson.text).toBe(
      '{"date":"2023-01-01","Kenya · Nairobi · Maïs (white) · RETAIL · KES/90 kg":4500,' +
        '"Kenya · Nairobi · Rice · RETAIL · KES/Kg":75.5}\n' +
        '{"date":"2022-11-01","Kenya · Nairobi · Maïs (white) · RETAIL · KES/90 kg":3600,' +
        '"Kenya · Nairobi · Rice · RETAIL · KES/Kg":null}\n',
    );
  });

  it('may be empty', async () => {
    expect((await get('?iso3_country_codes=XXX').expect(200)).body).toEqual({
      dates: [],
      columns: [],
      values: [],
    });
    expect((await get(`?uuid__in=${EMPTY}`).expect(200)).body).toMatchObject({
      dates: [],
      columns: [{ uuid: EMPTY }],
      values: [],
    });
    const csv = await get('?iso3_country_codes=XXX&format=csv').buffer(true).expect(200);
    expect(csv.text).toBe('date\r\n');
    const ndjson = await get('?iso3_country_codes=XXX&format=ndjson').buffer(true).expect(200);
    expect(ndjson.text).toBe('');
  });

  it('leaves out what is no goods, unless it is asked for', async () => {
    expect(await table(`?uuid__in=${WAGE}`)).toEqual([]);
    expect(await table(`?uuid__in=${WAGE}&goods=false`)).toEqual([['2023-01-01', 300]]);
  });

  it('is in the money and per the unit that is asked for, as labels say', async () => {
    const query = `?uuid__in=${MAIZE},${OIL}&goods=false&start_date=2023-01-01`;
    const labelled = async (more: string) => {
      const { columns, values } = (await get(query + more).expect(200)).body as TableBody;
      return [columns.map(({ label }) => label.split(' · ')[4]), values];
    };
    expect(await labelled('&per=base')).toEqual([
      ['KES/kg', 'USD/l'],
      [
        [60, null],
        [50, 2],
      ],
    ]);
    expect(await labelled('&measure=real')).toEqual([
      ['KES/90 kg', 'USD/5 litre'],
      [
        [null, null],
        [2250, null],
      ],
    ]);
    expect(await labelled('&measure=usd')).toEqual([
      ['USD/90 kg', 'USD/5 litre'],
      [
        [null, null],
        [45, 10],
      ],
    ]);
    expect(await labelled('&measure=real_usd&per=base')).toEqual([
      ['USD/kg', 'USD/l'],
      [
        [null, null],
        [1, 4],
      ],
    ]);
    expect(await table(`?uuid__in=${WAGE}&goods=false&per=base`)).toEqual([['2023-01-01', null]]);
  });

  it('has days, and weeks by their Fridays', async () => {
    expect(await table(`?uuid__in=${DAILY}&periodicity=daily&latest=2`)).toEqual([
      ['2025-03-03', 9],
      ['2025-02-28', 8],
    ]);
    expect(await table(`?uuid__in=${DAILY},${WEEKLY}&periodicity=weekly&start_date=2024-02-01`)).toEqual([
      ['2025-02-28', null, 8],
      ['2024-03-08', 30.5, 7],
      ['2024-03-01', 20, 5.5],
    ]);
    expect(await table(`?uuid__in=${MAIZE}&periodicity=daily`)).toEqual([]);
  });

  it('compares days with the day before, and the same date of the year before', async () => {
    const days = `?uuid__in=${DAILY}&periodicity=daily&start_date=2024-02-28&transform=`;
    expect(await table(`${days}chg`)).toEqual([
      ['2025-03-03', null],
      ['2025-02-28', null],
      ['2024-03-02', null],
      ['2024-02-29', 1],
      ['2024-02-28', null],
    ]);
    expect(await table(`${days}pc1`)).toEqual([
      ['2025-03-03', null],
      ['2025-02-28', 60],
      ['2024-03-02', null],
      ['2024-02-29', null],
      ['2024-02-28', 25],
    ]);
  });

  it('compares weeks with the week before, and the one 52 weeks before', async () => {
    const weeks = `?uuid__in=${WEEKLY}&periodicity=weekly&start_date=2024-03-01&transform=`;
    expect(await table(`${weeks}pch`)).toEqual([
      ['2024-03-08', 52.5],
      ['2024-03-01', null],
    ]);
    expect(await table(`${weeks}pc1`)).toEqual([
      ['2024-03-08', null],
      ['2024-03-01', 100],
    ]);
    expect(await table(`${weeks}index&base=2024-03`)).toEqual([
      ['2024-03-08', 100],
      ['2024-03-01', expect.closeTo(2000 / 30.5, 9)],
    ]);
  });

  it('has no row for a month that is not over', async () => {
    expect(await table(`?uuid__in=${DAILY}&start_date=2025-01-01`)).toEqual([['2025-02-01', 8]]);
  });

  it.each([
    ['chg', -31],
    ['pch', -9.393939],
    ['pc1', 16.342412],
    ['pca', -69.388333],
    ['cch', -9.864908],
    ['log', 5.700444],
    ['index&base=2018-01', 159.893048],
  ])('transforms prices: %s', async (transform, expected) => {
    const [row, ...others] = await table(
      `?uuid__in=${S1}&start_date=2023-08-01&end_date=2023-08-31&transform=${transform}`,
    );
    expect([row![0], others]).toEqual(['2023-08-01', []]);
    expect(row![1]).toBeCloseTo(expected, 6);
  });

  it('leaves empty what has nothing to compare with', async () => {
    expect(await table(`?uuid__in=${S1}&end_date=2018-02-01&transform=pc1`)).toEqual([
      ['2018-02-01', null],
      ['2018-01-01', null],
    ]);
    expect(await table(`?uuid__in=${MAIZE}&transform=chg&start_date=2023-01-01`)).toEqual([
      ['2023-03-01', null],
      ['2023-01-01', null],
    ]);
    // A base without a price.
    expect(await table(`?uuid__in=${MAIZE}&transform=index&base=2022-12&latest=1`)).toEqual([
      ['2023-03-01', null],
    ]);
  });

  it('aggregates months to quarters and years, each converted first', async () => {
    const s1 = `?uuid__in=${S1}&latest=2&periodicity=`;
    const year = [251, 260, 283, 284, 311, 332, 330, 299, 247, 218, 221, 231];
    expect(await table(`${s1}quarterly`)).toEqual([
      ['2023-10-01', Number(((218 + 221 + 231) / 3).toPrecision(15))],
      ['2023-07-01', 292],
    ]);
    expect(await table(`${s1}annual`)).toEqual([
      ['2023-01-01', 272.25],
      ['2022-01-01', 250.833333333333],
    ]);
    for (const [aggregation, expected] of [
      ['eop', year.at(-1)],
      ['min', 218],
      ['max', 332],
      ['median', 271.5],
    ] as const)
      expect(await table(`?uuid__in=${S1}&latest=1&periodicity=annual&aggregation=${aggregation}`)).toEqual([
        ['2023-01-01', expected],
      ]);
    // The first and the last period need all months; what is between them does not.
    expect(await table(`?uuid__in=${MAIZE}&periodicity=quarterly`)).toEqual([
      ['2023-01-01', null],
      ['2022-10-01', null],
    ]);
    // Months are missing in the middle year, too.
    for (const aggregation of ['avg', 'eop', 'max']) {
      const years = await table(`?uuid__in=${WEEKLY},${DAILY}&periodicity=annual&aggregation=${aggregation}`);
      expect(years[1]).toEqual(['2024-01-01', null, null]);
    }
    expect(await table(`${s1}annual&transform=pch`)).toEqual([
      ['2023-01-01', Number((100 * (272.25 / (3010 / 12) - 1)).toPrecision(15))],
      ['2022-01-01', expect.closeTo(100 * (3010 / 2784 - 1), 9)],
    ]);
    expect(await table(`${s1}quarterly&transform=index&base=2023-08`)).toEqual([
      ['2023-10-01', expect.closeTo((100 * 670) / 876, 9)],
      ['2023-07-01', 100],
    ]);
  });

  it('is as of a revision', async () => {
    const { headers } = await get(`?uuid__in=${TWIN}`).expect(200);
    await storePoints(service.unitOfWork, ids.get(TWIN)!, { monthly: [['2023-04-01', 77]] });
    expect(await table(`?uuid__in=${TWIN}`)).toEqual([
      ['2023-04-01', 77],
      ['2023-01-01', 75.5],
    ]);
    expect(await table(`?uuid__in=${TWIN}&as_of=r${headers['data-revision']}`)).toEqual([
      ['2023-01-01', 75.5],
    ]);
  });

  it('rejects what is contradictory', async () => {
    expect(await errors('?transform=index')).toEqual([
      rejection('base', 'required', 'transform=index needs base, the month (YYYY-MM) that is 100.'),
    ]);
    const baseAlone = 'base is that of an index: add transform=index.';
    expect(await errors('?base=2023-01')).toEqual([
      rejection('base', 'contradiction', baseAlone),
      rejection('transform', 'contradiction', baseAlone),
    ]);
    const annualRate = 'transform=pca needs monthly, quarterly or annual values; got periodicity=weekly.';
    const coarser =
      'aggregation is of quarters and years: periodicity must be quarterly or annual; got weekly.';
    expect(await errors('?transform=pca&periodicity=weekly&aggregation=eop')).toEqual([
      rejection('aggregation', 'contradiction', coarser),
      rejection('periodicity', 'contradiction', coarser),
      rejection('transform', 'contradiction', annualRate),
      rejection('periodicity', 'contradiction', annualRate),
    ]);
    expect(await errors('?start_date=2023-02-01&end_date=2023-01-01&page=1')).toHaveLength(3);
  });

  it('has up to 500 series', async () => {
    const many = Array.from({ length: 501 }, (_, index) => ({
      uuid: `22222222-0000-4000-8000-${String(index).padStart(12, '0')}`,
      market: { name: 'Bamako', iso3_country_code: 'MLI', country_name: 'Mali' },
      points: { monthly: [['2023-01-01', index + 1]] as const },
    }));
    await storeSeries(service.unitOfWork, many);
    const detail =
      'The parameters select 501 series; at most 500 are possible. Select fewer of them by filters.';
    const tooMany = (name: string) => ({
      in: 'query',
      name,
      code: 'too_many_items',
      detail,
      max: 500,
      count: 501,
    });
    expect(await errors('?iso3_country_codes=MLI')).toEqual([tooMany('iso3_country_codes')]);
    expect(await errors('?goods=false&search=bamako&latest=1')).toEqual(['goods', 'search'].map(tooMany));
    expect(await errors('')).toEqual([
      {
        ...tooMany('uuid__in'),
        count: 509,
        detail: detail.replace('501', '509'),
      },
    ]);
    await service.http().head('/api/v1/PriceTable/?iso3_country_codes=MLI').expect(400);
    const listed = many.slice(0, 500).map(({ uuid }) => uuid);
    const { columns, values } = (await get(`?uuid__in=${listed.join(',')}`).expect(200)).body as TableBody;
    expect(columns.map(({ uuid }) => uuid)).toEqual(listed);
    expect(new Set(columns.map(({ label }) => label)).size).toBe(500);
    expect(values).toEqual([listed.map((_, index) => index + 1)]);
  });
});
