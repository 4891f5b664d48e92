import { firstDayOfMonth, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import {
  type PointLine,
  storeIndices,
  storePoints,
  storeRates,
  storeSeries,
} from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (number: number) => `33333333-0000-4000-8000-00000000000${number}`;
const [GOAT, MAIZE, SACK, OIL, SHEEP, UGANDAN, EMPTY, UNPRICED] = [1, 2, 3, 4, 5, 6, 7, 8].map(uuidOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const UNKNOWN = uuidOf(9);
const LONG = '33333333-0000-4000-8000-000000000010';

interface Month {
  date: string;
  value: number | null;
  a: number | null;
  b: number | null;
  reasons: object;
}

interface ComparisonBody {
  measure: string;
  per: string;
  currency: string;
  unit: string;
  observations: Month[];
}

describe('a comparison of two series', () => {
  let service: TestApp;
  let ids: Map<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRates(service.unitOfWork, [
      ['KES', '2023-01-01', 100],
      ['UGX', '2023-01-01', 4000],
      ['UGX', '2023-03-01', 4000],
    ]);
    await storeIndices(service.unitOfWork, [
      ['KEN', '2023-01-01', 200],
      ['USA', '2023-01-01', 50],
    ]);
    const head = { name: 'Head', dimension: 'count' as const, conversion_factor: null };
    const uganda = { name: 'Kampala', iso3_country_code: 'UGA', country_name: 'Uganda' };
    ids = await storeSeries(service.unitOfWork, [
      {
        uuid: GOAT,
        commodity: { name: 'Chèvre' },
        unit: head,
        points: {
          monthly: [
            ['2022-12-01', 6000],
            ['2023-01-01', 6300],
            ['2023-03-01', 0],
          ],
        },
      },
      {
        uuid: MAIZE,
        commodity: { name: 'Maize' },
        points: {
          // The last month is not over.
          daily: [
            ['2023-01-10', 40],
            ['2023-01-31', 44],
            ['2023-02-28', 45],
            ['2023-03-05', 50],
          ],
        },
      },
      {
        uuid: SACK,
        commodity: { name: 'Maize' },
        unit: { name: '90 kg', conversion_factor: 1 / 90 },
        priceType: 13,
        points: { monthly: [['2023-01-01', 3600]] },
      },
      {
        uuid: OIL,
        unit: { name: '5 litre', dimension: 'volume', conversion_factor: 0.2 },
        points: { monthly: [['2023-01-01', 1000]] },
      },
      { uuid: SHEEP, commodity: { name: 'Sheep' }, unit: head, points: { monthly: [['2023-01-01', 7000]] } },
      {
        uuid: UGANDAN,
        market: uganda,
        currency: 'UGX',
        points: {
          monthly: [
            ['2023-01-01', 2000],
            ['2023-02-01', 2200],
            ['2023-03-01', 2400],
          ],
        },
      },
      { uuid: EMPTY, commodity: { name: 'Sorghum' } },
      { uuid: UNPRICED, commodity: { name: 'Millet' } },
      {
        uuid: LONG,
        commodity: { name: 'Beans' },
        points: {
          monthly: Array.from({ length: 13 }, (_, month): PointLine => [
            isoFromDay(firstDayOfMonth(2022 * 12 + month)),
            100 + month,
          ]),
        },
      },
    ]);
  });
  afterAll(() => service?.close());

  const get = (query: string) => service.http().get(`/api/v1/PriceCompare/${query}`);
  const read = async (query: string) => (await get(query).expect(200)).body as ComparisonBody;
  const terms = async (query: string) => {
    const { measure, per, currency, unit } = await read(query);
    return [measure, per, currency, unit];
  };
  const months = async (query: string) =>
    (await read(query)).observations.map(({ date, value, a, b, reasons }) => [date, value, a, b, reasons]);
  const errors = async (query: string) => {
    const { body } = await get(query).expect(400);
    return (body as { errors: { code: string; detail: string; name: string }[] }).errors.map(
      ({ name, code, detail }) => [name, code, detail],
    );
  };

  it('has the ratio of each month, in the order of the uuids', async () => {
    const { body } = await get(`?uuids=${MAIZE},${GOAT}`).expect(200);
    const entryOf = async (uuid: string) =>
      (await service.http().get(`/api/v1/PriceSerie/${uuid}/`)).body as object;
    expect(body).toEqual({
      formula: 'ratio',
      measure: 'nominal',
      per: 'unit',
      currency: 'KES',
      unit: 'Head of b per Kg of a',
      a: await entryOf(MAIZE),
      b: await entryOf(GOAT),
      observations: [
        {
          date: '2023-02-01',
          value: null,
          a: 45,
          b: null,
          reasons: { value: 'no_price', b: 'no_price' },
        },
        { date: '2023-01-01', value: 0.00666666666666667, a: 42, b: 6300, reasons: {} },
        {
          date: '2022-12-01',
          value: null,
          a: null,
          b: 6000,
          reasons: { value: 'no_price', a: 'no_price' },
        },
      ],
    });
    expect(await read(`?uuids=${GOAT},${MAIZE}&start_date=2023-01-01&end_date=2023-01-31`)).toMatchObject({
      unit: 'Kg of b per Head of a',
      observations: [{ value: 150 }],
    });
  });

  it('is CSV and NDJSON, a line for each month', async () => {
    const csv = await get(`?uuids=${GOAT},${MAIZE}&latest=2&format=csv`).buffer(true).expect(200);
    expect(csv.text).toBe(
      'date,value,a,b,value_reason,a_reason,b_reason\r\n' +
        '2023-02-01,,,45,no_price,no_price,\r\n2023-01-01,150,6300,42,,,\r\n',
    );
    const ndjson = await get(`?uuids=${GOAT},${MAIZE}&end_date=2023-01-31&latest=1&format=ndjson`)
      .buffer(true)
      .expect(200);
    expect(ndjson.text).toBe('{"date":"2023-01-01","value":150,"a":6300,"b":42,"reasons":{}}\n');
  });

  it('may be without months', async () => {
    expect(await months(`?uuids=${EMPTY},${UNPRICED}`)).toEqual([]);
    const csv = await get(`?uuids=${EMPTY},${UNPRICED}&format=csv`).buffer(true).expect(200);
    expect(csv.text).toBe('date,value,a,b,value_reason,a_reason,b_reason\r\n');
    expect(await months(`?uuids=${EMPTY},${SHEEP}`)).toEqual([
      ['2023-01-01', null, null, 7000, { value: 'no_price', a: 'no_price' }],
    ]);
  });

  it('is in dollars where the currencies differ', async () => {
    const query = `?uuids=${UGANDAN},${MAIZE}`;
    expect(await terms(query)).toEqual(['usd', 'unit', 'USD', 'Kg of b per Kg of a']);
    expect(await months(query)).toEqual([
      ['2023-03-01', null, 0.6, null, { value: 'no_price', b: 'no_price' }],
      ['2023-02-01', null, null, null, { value: 'no_rate', a: 'no_rate', b: 'no_rate' }],
      ['2023-01-01', Number((0.5 / 0.42).toPrecision(15)), 0.5, 0.42, {}],
    ]);
    expect(await terms(`${query}&measure=real`)).toEqual(['real_usd', 'unit', 'USD', 'Kg of b per Kg of a']);
    expect(await months(`${query}&measure=real&latest=1&end_date=2023-01-01`)).toEqual([
      ['2023-01-01', expect.closeTo(0.5 / 0.42, 12), 1, 0.84, {}],
    ]);
    expect(await terms(`${query}&formula=difference`)).toEqual(['usd', 'unit', 'USD', 'USD/Kg']);
  });

  it('has the difference per unit where both have the same, and else per kilogram or litre', async () => {
    const latest = 'formula=difference&latest=1&end_date=2023-01-31';
    const goats = `?uuids=${SHEEP},${GOAT}&${latest}`;
    expect(await terms(goats)).toEqual(['nominal', 'unit', 'KES', 'KES/Head']);
    expect(await months(goats)).toEqual([['2023-01-01', 700, 7000, 6300, {}]]);
    const maize = `?uuids=${MAIZE},${SACK}&${latest}`;
    expect(await terms(maize)).toEqual(['nominal', 'base', 'KES', 'KES/kg']);
    expect(await months(maize)).toEqual([['2023-01-01', 2, 42, 40, {}]]);
    expect(await months(`${maize}&measure=real`)).toEqual([['2023-01-01', 1, 21, 20, {}]]);
  });

  it('gives a ratio per kilogram or litre if asked to', async () => {
    const query = `?uuids=${OIL},${SACK}&per=base`;
    expect(await terms(query)).toEqual(['nominal', 'base', 'KES', 'kg of b per l of a']);
    expect(await months(query)).toEqual([['2023-01-01', 5, 200, 40, {}]]);
    expect(await months(`?uuids=${SHEEP},${SACK}&per=base`)).toEqual([
      ['2023-01-01', null, null, 40, { value: 'no_factor', a: 'no_factor' }],
    ]);
  });

  it('says why a difference is not possible, and what would be', async () => {
    const would =
      'Comparable are series per the same unit, both per units of mass, or both per units of volume; formula=ratio compares these two.';
    const detail = (why: string) => [
      ['uuids', 'not_comparable', `A difference needs a common unit: ${why}. ${would}`],
    ];
    expect(await errors(`?uuids=${GOAT},${MAIZE}&formula=difference`)).toEqual(
      detail('Head cannot be converted to kilograms or litres'),
    );
    expect(await errors(`?uuids=${GOAT},${SHEEP}&formula=difference&per=base`)).toEqual(
      detail('Head cannot be converted to kilograms or litres'),
    );
    expect(await errors(`?uuids=${MAIZE},${OIL}&formula=difference`)).toEqual(
      detail('Kg is a unit of mass, 5 litre of volume'),
    );
  });

  it('rejects other than two series', async () => {
    const two = 'uuids must be those of two different series, separated by a comma; got';
    expect(await errors('')).toEqual([['uuids', 'required', `${two} 0.`]]);
    expect(await errors(`?uuids=${MAIZE}`)).toEqual([['uuids', 'invalid_item', `${two} 1.`]]);
    expect(await errors(`?uuids=${MAIZE},${MAIZE}`)).toEqual([['uuids', 'invalid_item', `${two} 1.`]]);
    expect(await errors(`?uuids=${MAIZE},${GOAT},${OIL}`)).toEqual([
      ['uuids', 'too_many_items', `${two} 3.`],
    ]);
    expect(await errors(`?uuids=${UNKNOWN},${MAIZE}`)).toEqual([
      ['uuids', 'reference_missing', `There is no price series ${UNKNOWN}.`],
    ]);
    expect((await errors(`?uuids=nothing,${MAIZE}&formula=sum&page=2`)).map(([name]) => name)).toEqual([
      'page',
      'uuids',
      'formula',
    ]);
  });

  it('explains up to 12 months, in JSON', async () => {
    const { body } = await get(
      `?uuids=${MAIZE},${SACK}&formula=difference&latest=1&end_date=2023-01-01&explain=true`,
    );
    const { explain } = body as { explain: { formulas: object; series: object[] } };
    expect(explain).toMatchObject({
      formulas: {
        a: 'price_value × unit_factor of the first of series',
        b: 'price_value × unit_factor of the second of series',
        value: 'a − b',
      },
      series: [
        {
          uuid: MAIZE,
          unit_factor: 1,
          prices: [
            {
              date: '2023-01-01',
              price_value: 42,
              n: 2,
              stored_points: [
                { date: '2023-01-10', price_value: 40 },
                { date: '2023-01-31', price_value: 44 },
              ],
              value: 42,
            },
          ],
        },
        { uuid: SACK, unit_factor: 1 / 90, prices: [{ date: '2023-01-01', price_value: 3600, value: 40 }] },
      ],
    });
    const formats = 'explain=true is answered in JSON only; the format is csv.';
    expect(await errors(`?uuids=${MAIZE},${SACK}&explain=true&format=csv`)).toEqual([
      ['explain', 'contradiction', formats],
    ]);
    expect(await errors(`?uuids=${LONG},${MAIZE}&explain=true`)).toEqual([
      [
        'explain',
        'too_many_items',
        'explain=true explains at most 12 months; the parameters select 14. Select fewer of them by start_date, end_date or latest.',
      ],
    ]);
  });

  it('is as of a revision', async () => {
    const query = `?uuids=${SHEEP},${SACK}`;
    const { headers } = await get(query).expect(200);
    await storePoints(service.unitOfWork, ids.get(SACK)!, { monthly: [['2023-01-01', 3500]] });
    expect((await read(query)).observations[0]!.value).toBe(2);
    expect((await read(`${query}&as_of=r${headers['data-revision']}`)).observations[0]!.value).toBe(
      Number((7000 / 3600).toPrecision(15)),
    );
  });

  it('rejects two series of which one was joined into the other', async () => {
    await service
      .http()
      .post(`/api/v1/PriceSerie/${UNPRICED}/merge`)
      .set(await service.authHeader())
      .send({ into: EMPTY })
      .expect(200);
    expect(await errors(`?uuids=${UNPRICED},${EMPTY}`)).toEqual([
      ['uuids', 'invalid_item', `uuids are of one series, ${EMPTY}: they were joined.`],
    ]);
  });
});
