import { storeIndices, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const DAKAR = '11111111-0000-4000-8000-000000000001';
const BAMAKO = '11111111-0000-4000-8000-000000000002';
const NIAMEY = '11111111-0000-4000-8000-000000000003';
const NAIROBI = '11111111-0000-4000-8000-000000000004';

const MONTHS = ['2022-11-01', '2022-12-01', '2023-01-01'];
const monthly = (...values: number[]) => ({
  monthly: values.map((value, index) => [MONTHS[index]!, value] as [string, number]),
});

interface IndexPart {
  base_period: string;
  value: number;
  link: { base_period: string; factor: number; months: object } | null;
}
interface Explained {
  series: { uuid: string; prices: { price_value: number; value: number | null; index: IndexPart }[] }[];
}
interface Group {
  index_base?: string | null;
  observations: { date: string; mean: number | null; n: number; left_out: object }[];
  explain?: Explained;
}

describe('real prices of countries with one currency, whose indices have other base periods', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    const indices = (iso3: string, base: string, values: Record<string, number>) =>
      Object.entries(values).map(([month, value]): [string, string, number, string] => [
        iso3,
        `${month}-01`,
        value,
        base,
      ]);
    await storeIndices(service.unitOfWork, [
      ...indices('SEN', '2010', { '2022-11': 300, '2022-12': 200 }),
      ...indices('SEN', '2020', { '2022-12': 100, '2023-01': 110 }),
      ...indices('MLI', '2010', { '2022-11': 100, '2022-12': 200, '2023-01': 400 }),
      ...indices('NER', '2000', { '2022-11': 100, '2022-12': 100, '2023-01': 200 }),
      ...indices('KEN', '2019', { '2022-11': 100, '2022-12': 100, '2023-01': 100 }),
      ...indices('USA', '1984', { '2022-11': 200, '2022-12': 200, '2023-01': 200 }),
    ]);
    await storeRates(
      service.unitOfWork,
      MONTHS.flatMap((date): [string, string, number][] => [
        ['XOF', date, 500],
        ['KES', date, 100],
      ]),
    );
    const at = (iso3_country_code: string, name: string) => ({
      currency: 'XOF',
      market: { iso3_country_code, name },
    });
    await storeSeries(service.unitOfWork, [
      { uuid: DAKAR, ...at('SEN', 'Dakar'), points: monthly(600, 400, 440) },
      { uuid: BAMAKO, ...at('MLI', 'Bamako'), points: monthly(50, 100, 200) },
      { uuid: NIAMEY, ...at('NER', 'Niamey'), points: monthly(70, 70, 140) },
      { uuid: NAIROBI, points: monthly(30, 20, 10) },
    ]);
  });
  afterAll(() => service.close());

  const get = async <T>(path: string) => (await service.http().get(`/api/v1/${path}`).expect(200)).body as T;
  interface Comparison {
    index_base?: string | null;
    observations: { value: number | null; a: number | null; b: number | null; reasons: object }[];
    explain?: Explained;
  }
  interface Table {
    columns: { uuid: string; index_base?: string }[];
    values: (number | null)[][];
  }
  /** Columns in the order of the uuids. */
  const table = async (uuids: readonly string[], query = '') => {
    const { columns, values } = await get<Table>(`PriceTable/?uuids=${uuids.join(',')}&measure=real${query}`);
    const order = uuids.map((each) => columns.findIndex(({ uuid }) => uuid === each));
    return {
      bases: order.map((at) => columns[at]!.index_base),
      values: values.map((row) => order.map((at) => row[at])),
    };
  };
  /** Price × 100 ÷ index, from an explanation alone. */
  const recomputed = ({ series }: Explained) =>
    series.map(({ prices }) =>
      prices.map(({ price_value, index: { value, link } }) =>
        Number(((price_value * 100) / (value * (link?.factor ?? 1))).toPrecision(12)),
      ),
    );

  it('are compared in terms of the base that both have', async () => {
    const { index_base, observations } = await get<Comparison>(
      `PriceCompare/?uuids=${DAKAR},${BAMAKO}&measure=real`,
    );
    expect(index_base).toBe('2010');
    // January: 440 × 100 ÷ (110 × 200 ÷ 100), and 200 × 100 ÷ 400
    expect(observations.map(({ value, a, b }) => [value, a, b])).toEqual([
      [4, 200, 50],
      [4, 200, 50],
      [4, 200, 50],
    ]);
  });

  it('are explained in these terms', async () => {
    const query = 'measure=real&latest=1&explain=true';
    const { explain } = await get<Comparison>(`PriceCompare/?uuids=${DAKAR},${BAMAKO}&${query}`);
    expect(explain!.series[0]!.prices[0]).toMatchObject({
      value: 200,
      index: {
        base_period: '2020',
        value: 110,
        link: { base_period: '2010', factor: 2, months: { n: 1, first: '2022-12-01', last: '2022-12-01' } },
      },
    });
    expect(recomputed(explain!)).toEqual([[200], [50]]);
  });

  it('are not compared without a base in common, and the reason says why', async () => {
    const { index_base, observations } = await get<Comparison>(
      `PriceCompare/?uuids=${DAKAR},${NIAMEY}&measure=real&latest=1`,
    );
    expect([index_base, observations]).toEqual([
      '2020',
      [
        expect.objectContaining({
          value: null,
          a: 400,
          b: null,
          reasons: { value: 'other_base', b: 'other_base' },
        }),
      ],
    ]);
  });

  it('make a table of one base, that of most series', async () => {
    expect(await table([DAKAR, BAMAKO])).toEqual({
      bases: ['2010', '2010'],
      values: [
        [200, 50],
        [200, 50],
        [200, 50],
      ],
    });
    const all = await table([DAKAR, BAMAKO, NIAMEY, NAIROBI]);
    expect(all.bases).toEqual(['2010', '2010', '2010', '2019']);
    expect(all.values).toEqual([
      [200, 50, null, 10],
      [200, 50, null, 20],
      [200, 50, null, 30],
    ]);
    expect((await table([DAKAR])).values).toEqual([[400], [400], [400]]);
  });

  it('have changes in a table whatever their bases', async () => {
    const { bases, values } = await table([DAKAR, NIAMEY], '&transform=pch&latest=1');
    expect([bases, values]).toEqual([[undefined, undefined], [[0, 0]]]);
    expect((await table([DAKAR, NIAMEY], '&transform=chg&latest=1')).values).toEqual([[0, null]]);
  });

  it('make means of one base, and count what is left out', async () => {
    const selected = 'measure=real&per=unit&iso3_country_codes=SEN,MLI,NER';
    const { results } = await get<{ results: Group[] }>(
      `PriceAggregate/?by=commodity&${selected}&explain=true`,
    );
    expect(results.map(({ index_base }) => index_base)).toEqual(['2010']);
    const [{ observations, explain }] = results as [Group];
    expect(observations.map(({ mean, n, left_out }) => [mean, n, left_out])).toEqual([
      [125, 2, { other_base: 1 }],
      [125, 2, { other_base: 1 }],
      [125, 2, { other_base: 1 }],
    ]);
    expect(recomputed(explain!).sort()).toEqual([
      [200, 200, 200],
      [50, 50, 50],
    ]);
    const each = await get<{ results: Group[] }>(
      'PriceAggregate/?by=country&measure=real&per=unit&iso3_country_codes=SEN,NER',
    );
    expect(each.results.map(({ index_base }) => index_base)).toEqual(['2000', '2020']);
  });

  it('name their base in each format, and prices that are not real name none', async () => {
    const csv = async (measure: string) =>
      (
        await service
          .http()
          .get(`/api/v1/PriceAggregate/?by=commodity&measure=${measure}&per=unit&latest=1&format=csv`)
          .expect(200)
      ).text;
    expect(await csv('real')).toMatch(/,currency,unit,index_base,date,[^]*,XOF,Kg,2010,2023-01-01,/);
    expect(await csv('real_usd')).toMatch(/,USD,Kg,1984,2023-01-01,/);
    expect(await csv('usd')).toMatch(/,currency,unit,date,/);
    const compared = (measure: string) =>
      get<Comparison>(`PriceCompare/?uuids=${DAKAR},${NAIROBI}&measure=${measure}&latest=1`);
    expect(await compared('real')).toMatchObject({ measure: 'real_usd', index_base: '1984' });
    expect(await compared('usd')).not.toHaveProperty('index_base');
    const { columns } = await get<Table>(`PriceTable/?uuids=${DAKAR}`);
    expect(columns[0]).not.toHaveProperty('index_base');
  });

  it('name their base on the page that compares them, and why one has no line', async () => {
    const page = async (uuids: readonly string[], query: string) =>
      (
        await service
          .http()
          .get(`/compare?uuids=${uuids.join(',')}${query}`)
          .expect(200)
      ).text;
    const real = await page([DAKAR, BAMAKO], '&measure=real&formula=difference');
    expect(real).toContain('>Real XOF per Kg (2010 = 100)</text>');
    expect(real).toContain('the consumer price index of the country, which is 100 in 2010.');
    expect(real).toContain('Difference: XOF, XOF/Kg (2010 = 100).');
    expect(real).not.toContain('has no line');
    const unlinked = await page([DAKAR, NIAMEY], '&measure=real');
    expect(unlinked).toContain('no consumer price index that can be linked to the base 2020.');
    const dollars = await page([DAKAR, NAIROBI], '&measure=real');
    expect(dollars).toContain('>Real US$ per Kg (1984 = 100)</text>');
    expect(dollars).toContain('the consumer price index of the United States, which is 100 in 1984.');
    expect(await page([DAKAR, BAMAKO], '')).not.toContain('= 100');
  });

  it('are those of an earlier state with its indices', async () => {
    const path = `PriceCompare/?uuids=${DAKAR},${BAMAKO}&measure=real`;
    const before = await service.http().get(`/api/v1/${path}`).expect(200);
    const revision = before.headers['data-revision'] as string;
    await storeIndices(service.unitOfWork, [['MLI', '2023-01-01', 50, '2020']]);
    expect(await get<Comparison>(path)).toMatchObject({ index_base: '2020' });
    expect(await get<Comparison>(`${path}&as_of=r${revision}`)).toEqual(before.body);
  });
});
