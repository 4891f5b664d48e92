import { seriesUuid, type SeriesKey } from '../../src/import/pipeline/series-uuid.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const KEY: SeriesKey = ['KEN', '', '', 'Kitui', 'Maize', 'RETAIL', 'Bureau', 'kg', 'KES'];
const OBSERVED = seriesUuid(KEY);
const ESTIMATED = seriesUuid(KEY, 'estimated');
const FORECAST = seriesUuid(KEY, 'forecast');
const NAMED = '3f0c4f4e-31cb-4b0e-9f7e-6f2d9c1f8a11';

const HEADER =
  'iso3_country_code,market,commodity,price_type,source,currency,measure_unit,date,periodicity,price_value,status';
const line = (date: string, price: number, status = '', market = 'Kitui') =>
  `KEN,${market},Maize,RETAIL,Bureau,KES,kg,${date},monthly,${price},${status}`;
const file = (...lines: string[]) => [HEADER, ...lines].join('\n');

const PRICES = file(
  line('2024-01-01', 50),
  line('2024-02-01', 52, 'A'),
  line('2024-01-01', 49, 'E'),
  line('2024-02-01', 53, 'estimated'),
  line('2024-03-01', 54, 'ESTIMATED'),
  line('2024-04-01', 60, 'F'),
);

type Json = Record<string, unknown>;
interface Results {
  count: number;
  results: (Json & { uuid: string; status?: string; datapoints: { date: string; price_value: number }[] })[];
}

describe('estimates and forecasts', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeAll(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    expect(await upload(PRICES)).toMatchObject({ new: 6, rejected: 0, series: 3 });
  });
  afterAll(() => service?.close());

  const upload = async (text: string) =>
    (
      await service
        .http()
        .post('/api/v1/Import/?format=prices')
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(text)
        .expect(200)
    ).body as Json;
  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as Results;
  const csv = async (path: string) => (await service.http().get(`/api/v1/${path}`).expect(200)).text;
  const statuses = async (path: string) =>
    (await get(path)).results
      .map(({ uuid, status }) => [uuid, status])
      .sort((one, other) => String(one[1]).localeCompare(String(other[1])));
  const ALL = [
    [ESTIMATED, 'estimated'],
    [FORECAST, 'forecast'],
    [OBSERVED, 'observed'],
  ];

  it('are series of their own, with uuids of a tenth element', async () => {
    expect(new Set([OBSERVED, ESTIMATED, FORECAST]).size).toBe(3);
    expect(await statuses('PriceSerie/?status=all')).toEqual(ALL);
  });

  it('are left out of lists, counts and prices unless status names them', async () => {
    expect(await statuses('PriceSerie/')).toEqual([[OBSERVED, undefined]]);
    expect(await statuses('PriceSerieDomestic/')).toEqual([[OBSERVED, undefined]]);
    expect(await statuses('PriceSerie/?status=observed')).toEqual([[OBSERVED, 'observed']]);
    expect(await statuses('PriceSerie/?status=estimated,forecast')).toEqual(ALL.slice(0, 2));
    expect(await statuses('PriceSerieDomestic/?status=forecast')).toEqual([[FORECAST, 'forecast']]);
    expect(await statuses('PriceSerie/?status=all&iso3_country_codes=UGA')).toEqual([]);
    expect((await get('PriceSeriePrice/')).results.map(({ uuid }) => uuid)).toEqual([OBSERVED]);
    const { results } = await get('PriceSeriePrice/?status=estimated');
    expect(results).toMatchObject([
      {
        uuid: ESTIMATED,
        series: { uuid: ESTIMATED, status: 'estimated' },
        datapoints: [
          { date: '2024-03-01', price_value: 54 },
          { date: '2024-02-01', price_value: 53 },
          { date: '2024-01-01', price_value: 49 },
        ],
      },
    ]);
    expect(await get('PriceSerieFacet/')).toMatchObject({ count: 1 });
  });

  it('are there where their uuid is asked for', async () => {
    expect(await get(`PriceSerie/${ESTIMATED}/`)).toMatchObject({ uuid: ESTIMATED, status: 'estimated' });
    expect(await get(`PriceSerie/${OBSERVED}/`)).not.toHaveProperty('status');
    expect(await statuses(`PriceSerie/?uuids=${ESTIMATED},${OBSERVED}`)).toEqual([ALL[0], ALL[2]]);
    expect(await statuses(`PriceSerie/?uuids=${OBSERVED}`)).toEqual([[OBSERVED, undefined]]);
    expect(await statuses(`PriceSerie/?uuids=${ESTIMATED}&status=observed`)).toEqual([]);
    // One that no series has is none that was not observed.
    const unknown = '00000000-0000-5000-8000-000000000000';
    expect(await statuses(`PriceSerie/?uuids=${OBSERVED},${unknown}`)).toEqual([[OBSERVED, undefined]]);
    await service.http().get(`/api/v1/PriceSerie/${unknown}/`).expect(404);
    expect(await get(`PriceSeriePrice/${FORECAST}/`)).toMatchObject({
      uuid: FORECAST,
      series: { status: 'forecast' },
      datapoints: [{ date: '2024-04-01', price_value: 60 }],
    });
    const { results } = await get(`PriceSeriePrice/?uuid__in=${ESTIMATED},${FORECAST}`);
    expect(new Set(results.map(({ uuid }) => uuid))).toEqual(new Set([ESTIMATED, FORECAST]));
  });

  it('say their status in the last column of CSV, which an import reads', async () => {
    const own = await csv('PriceSeriePrice/?format=csv');
    expect(own.split('\r\n')[0]).not.toContain('status');
    const all = await csv('PriceSeriePrice/?status=all&format=csv');
    const [header, ...lines] = all.trim().split('\r\n');
    expect(header!.endsWith(',partial,status')).toBe(true);
    expect(lines.map((text) => text.split(',').at(-1)).sort()).toEqual([
      ...Array<string>(3).fill('estimated'),
      'forecast',
      'observed',
      'observed',
    ]);
    const other = await startTestApp();
    try {
      const auth = await other.authHeader();
      const report = await other
        .http()
        .post('/api/v1/Import/?format=prices')
        .set({ ...auth, 'Content-Type': 'text/csv' })
        .send(all)
        .expect(200);
      expect(report.body).toMatchObject({ new: 6, rejected: 0, series: 3 });
      const again = await other.http().get('/api/v1/PriceSeriePrice/?status=all&format=csv').expect(200);
      expect(again.text).toBe(all);
    } finally {
      await other.close();
    }
    const series = await csv('PriceSerie/?status=forecast&format=csv');
    expect(series.split('\r\n').map((text) => text.split(',').at(-1))).toEqual(['status', 'forecast', '']);
    const chosen = await csv('PriceSerie/?status=forecast&format=csv&fields=uuid,status');
    expect(chosen).toBe(`uuid,status\r\n${FORECAST},forecast\r\n`);
    const observed = await csv('PriceSerie/?format=csv&status=observed&fields=uuid,status');
    expect(observed).toBe(`uuid,status\r\n${OBSERVED},observed\r\n`);
    for (const list of ['PriceSerie', 'PriceSeriePrice']) {
      const { body } = await service.http().get(`/api/v1/${list}/?fields=uuid,status`).expect(400);
      expect(body).toMatchObject({ errors: [{ name: 'fields', code: 'invalid_choice' }] });
    }
    expect(await get(`PriceSeriePrice/?fields=status&uuid__in=${FORECAST}`)).toMatchObject({
      results: [{ uuid: FORECAST, series: { status: 'forecast' } }],
    });
    expect(await get(`PriceSeriePrice/${OBSERVED}/?fields=status`)).toMatchObject({
      series: { status: 'observed' },
    });
  });

  it('are not seen by FPMA’s addresses, pages of countries, findings and calendars of releases', async () => {
    expect(await get(`FpmaSeriePrice/?uuid__in=${ESTIMATED},${OBSERVED}`)).toMatchObject({
      count: 1,
      results: [{ uuid: OBSERVED }],
    });
    await service.http().get(`/api/v1/FpmaSeriePrice/${ESTIMATED}/`).expect(404);
    expect(await get('FpmaSerie/?status=all')).toMatchObject({ count: 1 });
    expect(await get('Country/')).toMatchObject({ results: [{ iso3_country_code: 'KEN', series: 1 }] });
    const [facts] = await service.database.rows<{ series: number | string }>(
      'SELECT COUNT(*) AS series FROM series_group',
    );
    expect(Number(facts!.series)).toBe(1);
    // The newest month of a new source: that of the forecast is later.
    const released = await service.database.rows<{ day: number }>(
      'SELECT end_day AS day FROM released_period',
    );
    expect(released.map(({ day }) => isoFromDay(day))).toEqual(['2024-02-29']);
    const table = (await get('PriceTable/')) as unknown as { columns: { uuid: string }[] };
    expect(table.columns.map(({ uuid }) => uuid)).toEqual([OBSERVED]);
    expect((await get('PriceSerieIndicator/')).results.map(({ uuid }) => uuid)).toEqual([OBSERVED]);
  });

  it('lead to each other on their pages, which say what they are', async () => {
    const page = async (uuid: string) =>
      (await service.http().get(`/series/${uuid}`).set('Accept', 'text/html').expect(200)).text.replace(
        /\s+/g,
        ' ',
      );
    const observed = await page(OBSERVED);
    expect(observed).toContain('<title>Maize, Kitui, Kenya (retail) –');
    expect(observed).toContain(
      `The same source also has, of the same goods: <a href="/series/${ESTIMATED}" >estimates</a >, ` +
        `<a href="/series/${FORECAST}" >forecasts</a >.`,
    );
    const estimated = await page(ESTIMATED);
    expect(estimated).toContain('<title>Maize, Kitui, Kenya (retail, estimates) –');
    expect(estimated).toContain(`<a href="/series/${OBSERVED}" >observed prices</a >`);
    expect(estimated).not.toContain(`/compare?uuids=${ESTIMATED}`);
  });

  it('are changed and read point by point', async () => {
    const { datapoints } = (await get(`PriceSeriePrice/${FORECAST}/`)) as unknown as {
      datapoints: { id: number }[];
    };
    const point = `/api/v1/PriceSeriePrice/${FORECAST}/${datapoints[0]!.id}/`;
    await service.http().patch(point).set(admin).send({ price_value: 61 }).expect(200);
    expect(await get(point.slice('/api/v1/'.length))).toMatchObject({ price_value: 61 });
    const { body } = await service.http().get(`${point}versions/`).expect(200);
    expect(body).toMatchObject([{ price_value: 61 }, { price_value: 60 }]);
    await service.http().patch(point).set(admin).send({ price_value: 60 }).expect(200);
  });

  it('are compared between revisions by their uuid', async () => {
    const differences = async (path: string) =>
      (await get(`PriceSeriePrice/${path}differences/?from=r1`)) as unknown as {
        uuid: string;
        after: number;
      }[];
    expect(await differences(`${FORECAST}/`)).toMatchObject([{ uuid: FORECAST, before: null, after: 60 }]);
    expect((await differences('')).map(({ uuid }) => uuid)).toEqual([OBSERVED, OBSERVED]);
  });

  it('are in the feed of changes where they are asked for', async () => {
    const uuids = async (query: string) => [
      ...new Set(
        ((await get(`Changes/?limit=1000${query}`)).results as unknown as { type: string; uuid: string }[])
          .filter(({ type }) => type === 'series')
          .map(({ uuid }) => uuid),
      ),
    ];
    expect(await uuids('')).toEqual([OBSERVED]);
    expect(new Set(await uuids('&status=all'))).toEqual(new Set([OBSERVED, ESTIMATED, FORECAST]));
    expect(await uuids('&status=forecast')).toEqual([FORECAST]);
    const { results } = await get('Changes/?limit=1000&points=true&status=forecast');
    const created = results.find(({ uuid }) => uuid === FORECAST);
    expect(created).toMatchObject({ attributes: { status: 'forecast' }, entry: { status: 'forecast' } });
  });

  it('are read as they were', async () => {
    const newest = await service.http().get('/api/v1/PriceSerie/').expect(200);
    const before = newest.headers['data-revision'];
    await upload(file(line('2024-05-01', 70, 'F'), line('2024-05-01', 71, 'F', 'Embu')));
    expect(await statuses(`PriceSerie/?status=all&as_of=r${before}`)).toEqual(ALL);
    expect(await statuses(`PriceSerie/?as_of=r${before}`)).toEqual([[OBSERVED, undefined]]);
    expect((await statuses('PriceSerie/?status=forecast')).length).toBe(2);
    expect(await get(`PriceSeriePrice/${FORECAST}/?as_of=r${before}`)).toMatchObject({
      datapoints: [{ date: '2024-04-01' }],
    });
  });

  it('of another status than a named series has are rejected, as are other words', async () => {
    const text = [`uuid,${HEADER}`, `${OBSERVED},${line('2024-06-01', 9, 'E')}`].join('\n');
    expect(await upload(text)).toMatchObject({
      new: 0,
      rejected: 1,
      rejects: [
        {
          line: 2,
          field: 'status',
          reason: 'other_status',
          detail:
            `Series ${OBSERVED} is of observed prices, and a series has one status: leave out the uuid of ` +
            'rows that are estimated.',
        },
      ],
    });
    expect(await upload(file(line('2024-06-01', 9, 'Z')))).toMatchObject({
      new: 0,
      rejected: 1,
      rejects: [
        {
          field: 'status',
          detail: 'status must be observed, estimated, forecast, provisional, or A, P, E or F, not "Z".',
        },
      ],
    });
    const twice = [
      `uuid,${HEADER}`,
      `${NAMED},${line('2024-06-01', 9)}`,
      `${NAMED},${line('2024-07-01', 8, 'E')}`,
    ];
    expect(await upload(twice.join('\n'))).toMatchObject({
      new: 1,
      rejected: 1,
      rejects: [
        {
          line: 3,
          field: 'status',
          reason: 'other_status',
          detail: `Series ${NAMED} is of observed prices, and a series has one status: leave out the uuid of rows that are estimated.`,
        },
      ],
    });
    const { body } = await service.http().get('/api/v1/PriceSerie/?status=guessed').expect(400);
    expect(body).toMatchObject({ errors: [{ name: 'status' }] });
  });
});
