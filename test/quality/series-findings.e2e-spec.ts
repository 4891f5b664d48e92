import { checkEverything } from '../support/check-everything.js';
import { testChange } from '../support/change-set.js';
import { storeSeries, type PointLine, type SeriesSpec } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Monthly prices from January 2020 on; null where there is none. */
const monthly = (...values: (number | null)[]) => ({
  monthly: values.flatMap((value, index): PointLine[] => {
    const date = `${2020 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
    return value === null ? [] : [[date, value]];
  }),
});
const same = (value: number, months: number) => monthly(...new Array<number>(months).fill(value));

/** Four series of maize in Kenya, the last of which costs four times as much. */
const PEERS: SeriesSpec[] = [10, 11, 9, 40].map((price, index) => ({
  uuid: uuidOf(index + 1),
  commodity: { name: 'Maize' },
  market: { name: `Market ${index}` },
  points: same(price, 6),
}));
const SPLIT: SeriesSpec[] = [
  { uuid: uuidOf(11), points: monthly(10, 11) },
  {
    uuid: uuidOf(12),
    unit: { name: '90 KG', dimension: 'mass', conversion_factor: 1 / 90 },
    points: monthly(null, null, 990, 1000),
  },
];
const SOMALIA = { name: 'Borama', iso3_country_code: 'SOM', country_name: 'Somalia' };
const TWINS: SeriesSpec[] = [
  { uuid: uuidOf(21), market: SOMALIA, currency: 'SLS', points: monthly(100, 110, null, null, 120) },
  { uuid: uuidOf(22), market: SOMALIA, currency: 'SOS', points: monthly(null, null, 110, 115) },
];
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const EQUAL: SeriesSpec[] = ['Beans', 'Peas'].map((name, index) => ({
  uuid: uuidOf(31 + index),
  commodity: { name },
  points: monthly(...VALUES),
}));
const WAGE: SeriesSpec = {
  uuid: uuidOf(41),
  commodity: { name: 'Wage (casual labour)' },
  currency: 'SOS',
  points: monthly(5),
};
const ALL = [...PEERS, ...SPLIT, ...TWINS, ...EQUAL, WAGE];

interface Finding {
  rule: string;
  state: string;
  uuid: string | null;
  members: unknown[] | null;
  detail: string;
  [field: string]: unknown;
}

describe('findings about series', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const list = async (query = ''): Promise<Finding[]> => {
    const { body } = await service.http().get(`/api/v1/Finding/?page_size=1000${query}`).expect(200);
    return (body as { results: Finding[] }).results;
  };
  /** What a finding says, without what depends on when it was found. */
  const contents = (findings: Finding[]) =>
    findings
      .map(({ id: _, change_set_id: __, ...content }) => content)
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  const states = async () => (await list()).map(({ rule, state }) => `${rule} ${state}`).sort();
  const store = (specs: readonly SeriesSpec[]) => storeSeries(service.unitOfWork, specs);
  const recomputed = async () => {
    await service.unitOfWork.change(testChange, async (transaction) => {
      await checkEverything(transaction);
      transaction.markModified('findings');
    });
    return contents(await list());
  };
  const idOf = async (table: string, name: string) => {
    const { body } = await service.http().get(`/api/v1/${table}/?page_size=1000`).expect(200);
    return (body as { results: { id: number; name: string }[] }).results.find((row) => row.name === name)!.id;
  };

  const group = (rule: string, severity: string, country: string, members: unknown[], detail: string) => ({
    rule,
    severity,
    state: 'open',
    scope: 'group',
    uuid: null,
    iso3_country_code: country,
    periodicity: null,
    date: null,
    value: null,
    expected: null,
    ratio: null,
    members,
    detail,
    reason: '',
  });
  const series = (
    rule: string,
    severity: string,
    country: string,
    uuid: string,
    detail: string,
    ratio: number | null = null,
  ) => ({ ...group(rule, severity, country, [], detail), scope: 'series', uuid, ratio, members: null });

  it('tell what they compare', async () => {
    await store(ALL);
    expect(contents(await list())).toEqual(
      [
        series(
          'off_peers',
          'look',
          'KEN',
          uuidOf(4),
          'In the median of 6 months, the price per base unit is 3.81 times the median of all series of Maize, RETAIL, in KES in KEN (at least 4 a month).',
          3.80952380952381,
        ),
        group(
          'split_series',
          'look',
          'KEN',
          [{ uuid: uuidOf(11) }, { uuid: uuidOf(12) }],
          'Rice, RETAIL, in Nairobi is in 2 series: KES per Kg 2020-01 to 2020-02 (2), KES per 90 KG 2020-03 to 2020-04 (2). Kg and 90 KG are one after the other; at the joint the price per base unit is 1 times the one before. ' +
            `POST PriceSerie/${uuidOf(11)}/merge/ {"into":"${uuidOf(12)}"} would join them.`,
        ),
        group(
          'split_series',
          'look',
          'SOM',
          [{ uuid: uuidOf(21) }, { uuid: uuidOf(22) }],
          'Rice, RETAIL, in Borama is in 2 series: SLS per Kg 2020-01 to 2020-05 (3), SOS per Kg 2020-03 to 2020-04 (2). SLS and SOS are interleaved; at the 2 joints the price is 1 to 1.043 times the one before, 1.022 in the median. ' +
            `POST PriceSerie/${uuidOf(22)}/merge/ {"into":"${uuidOf(21)}","relabel":true} would join them.`,
        ),
        group(
          'twin_currency',
          'error',
          'SOM',
          [
            { uuid: uuidOf(22), date: '2020-03-01', value: 110 },
            { uuid: uuidOf(22), date: '2020-04-01', value: 115 },
          ],
          `2 prices of Rice in Borama in SOS lie between prices in SLS of the series ${uuidOf(21)} and fit their level: of 2020-03 to 2020-04 the first is 1 times the one before, and the next 1.043 times the last.`,
        ),
        group(
          'identical_series',
          'look',
          'KEN',
          [{ uuid: uuidOf(31) }, { uuid: uuidOf(32) }],
          '2 series have the same prices, 12 different ones, 2020-01 to 2020-12 (12): Beans in Nairobi; Peas in Nairobi.',
        ),
        series(
          'foreign_currency',
          'look',
          'KEN',
          uuidOf(41),
          'SOS is not a currency of Kenya, nor USD or EUR.',
        ),
        series(
          'not_a_commodity',
          'info',
          'KEN',
          uuidOf(41),
          '"Wage (casual labour)" is a wage by its name, not a commodity.',
        ),
      ].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    );
  });

  it('are the same in any order of imports, one by one, and computed anew', async () => {
    for (const spec of ALL.toReversed()) await store([spec]);
    const incremental = contents(await list());
    expect(incremental).toHaveLength(7);
    expect(await recomputed()).toEqual(incremental);
    const other = await startTestApp();
    try {
      await storeSeries(other.unitOfWork, ALL);
      const { body } = await other.http().get('/api/v1/Finding/?page_size=1000').expect(200);
      expect(contents((body as { results: Finding[] }).results)).toEqual(incremental);
    } finally {
      await other.close();
    }
  });

  it('follow corrections of other series of the group', async () => {
    await store(PEERS);
    expect(await states()).toEqual(['off_peers open']);
    const correct = (number: number, price: number) =>
      service
        .http()
        .post('/api/v1/Correction/')
        .set(admin)
        .send(
          [1, 2, 3, 4, 5, 6].map((month) => ({
            uuid: uuidOf(number),
            periodicity: 'monthly',
            date: `2020-0${month}-01`,
            price_value: price,
          })),
        )
        .expect(200);
    await correct(1, 40);
    expect(await states()).toEqual(['off_peers gone']);
    await correct(1, 10);
    expect(await states()).toEqual(['off_peers open']);
    await correct(4, 10);
    expect(await states()).toEqual(['off_peers corrected']);
  });

  it('end for all of a group when a series leaves it', async () => {
    await store(PEERS);
    await service.unitOfWork.change(testChange, async (transaction) => {
      const [row] = await transaction.rows<{ id: number }>('SELECT id FROM price_serie WHERE uuid = ?', [
        uuidOf(1),
      ]);
      await transaction.execute('UPDATE price_serie SET currency = ? WHERE id = ?', ['USD', row!.id]);
      transaction.markSeriesModified([row!.id]);
    });
    expect(await states()).toEqual(['off_peers gone']);
    expect(await recomputed()).toEqual(contents(await list()));
  });

  it('follow names and factors of records', async () => {
    await store([...PEERS, WAGE]);
    const wage = await idOf('Commodity', 'Wage (casual labour)');
    const maize = await idOf('Commodity', 'Maize');
    const rename = (id: number, name: string) =>
      service.http().patch(`/api/v1/Commodity/${id}/`).set(admin).send({ commodity_name: name }).expect(200);
    await rename(wage, 'Lemons');
    await rename(maize, 'Salaires');
    expect(await states()).toEqual([
      'foreign_currency open',
      'not_a_commodity gone',
      'not_a_commodity open',
      'not_a_commodity open',
      'not_a_commodity open',
      'not_a_commodity open',
      'off_peers gone',
      'off_peers open',
    ]);
    await rename(maize, 'Maize');
    const unit = await idOf('MeasureUnit', 'Kg');
    await service
      .http()
      .patch(`/api/v1/MeasureUnit/${unit}/`)
      .set(admin)
      .send({ measure_unit_conversion_factor: null })
      .expect(200);
    expect((await states()).filter((state) => state.endsWith('open'))).toEqual(['foreign_currency open']);
  });

  it('end with the join that they name, and are back when it is reverted', async () => {
    await store(TWINS);
    const before = contents(await list());
    const [call] = /merge\/ (\{.*?\})/
      .exec(before.find(({ rule }) => rule === 'split_series')!.detail)!
      .slice(1);
    const { body } = await service
      .http()
      .post(`/api/v1/PriceSerie/${uuidOf(22)}/merge/`)
      .set(admin)
      .send(JSON.parse(call!) as object)
      .expect(200);
    expect(await states()).toEqual(['split_series gone', 'twin_currency gone']);
    expect(await recomputed()).toEqual(contents(await list()));
    const { change_set } = body as { change_set: number };
    await service.http().post(`/api/v1/ChangeSet/${change_set}/revert/`).set(admin).send({}).expect(200);
    expect(contents(await list())).toEqual(before);
  });
});
