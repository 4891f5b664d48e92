import { randomUUID } from 'node:crypto';
import { storeIndices, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const dateOf = (index: number) =>
  `${2018 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;

/** Seven years of prices, to December 2024, the last ones as given. */
const monthly = (...last: number[]) =>
  Array.from({ length: 84 }, (_, index) => {
    const value = last[index - 84 + last.length] ?? 20 + (index % 5);
    return [dateOf(index), value] as const;
  });

const kenya = (name: string) => ({ name, iso3_country_code: 'KEN', country_name: 'Kenya' });

interface Counts {
  fresh: number;
  rated: number;
  high: number;
}

describe('changes of warnings', () => {
  let service: TestApp;
  let ids: Record<string, number>;
  beforeAll(async () => {
    service = await startTestApp();
    await storeSeries(service.unitOfWork, [
      // Rises in the last month, in two markets.
      ...['Nairobi', 'Mombasa'].map((name) => ({
        uuid: randomUUID(),
        commodity: { name: 'Maize', category: 'cereals' },
        market: kenya(name),
        points: { monthly: monthly(60) },
      })),
      // Rises in one.
      {
        uuid: randomUUID(),
        commodity: { name: 'Beans', category: 'pulses' },
        market: kenya('Nairobi'),
        points: { monthly: monthly(80) },
      },
      // Was high, and is no longer.
      {
        uuid: randomUUID(),
        commodity: { name: 'Rice', category: 'cereals' },
        market: kenya('Nairobi'),
        points: { monthly: monthly(60, 21) },
      },
      // Is high, but was not rated in the month before: its years begin too late.
      {
        uuid: randomUUID(),
        commodity: { name: 'Salt', category: 'other' },
        market: kenya('Nairobi'),
        points: { monthly: [[dateOf(83), 90]] },
      },
      // Prices that end too early to say anything of today.
      {
        uuid: randomUUID(),
        commodity: { name: 'Maize', category: 'cereals' },
        market: { name: 'Kampala', iso3_country_code: 'UGA', country_name: 'Uganda' },
        points: { monthly: monthly().slice(0, 60) },
      },
      {
        uuid: randomUUID(),
        commodity: { name: 'Maize', category: 'cereals' },
        market: { name: 'Kigali', iso3_country_code: 'RWA', country_name: 'Rwanda' },
        points: { monthly: [[dateOf(83), 90]] },
      },
    ]);
    await storeIndices(
      service.unitOfWork,
      monthly().map(([date]) => ['KEN', date, 100] as const),
    );
    const { body } = await service.http().get('/api/v1/Commodity/').expect(200);
    ids = Object.fromEntries((body as { id: number; name: string }[]).map(({ id, name }) => [name, id]));
  });
  afterAll(() => service?.close());

  const rows = async (query = ''): Promise<Record<string, unknown>[]> => {
    const { body } = await service.http().get(`/api/v1/PriceWarningChange/${query}`).expect(200);
    return (body as { results: Record<string, unknown>[] }).results;
  };

  it('are those of a month before and a year before, with the names of what has changed', async () => {
    const none = { newly_high_commodities: [], no_longer_high_commodities: [] };
    expect(await rows()).toEqual([
      {
        iso3_country_code: 'KEN',
        country_name: 'Kenya',
        month: '2024-12',
        old: false,
        fresh: 5,
        rated: 4,
        high: 3,
        share: 0.75,
        rated_1m_ago: 4,
        high_1m_ago: 1,
        share_1m_ago: 0.25,
        rated_12m_ago: 4,
        high_12m_ago: 0,
        share_12m_ago: 0,
        newly_high: 3,
        no_longer_high: 1,
        newly_high_commodities: [
          { commodity_id: ids.Maize, commodity: 'Maize', series: 2 },
          { commodity_id: ids.Beans, commodity: 'Beans', series: 1 },
        ],
        no_longer_high_commodities: [{ commodity_id: ids.Rice, commodity: 'Rice', series: 1 }],
      },
      expect.objectContaining({
        iso3_country_code: 'RWA',
        old: false,
        fresh: 1,
        rated: 0,
        share: null,
        ...none,
      }),
      expect.objectContaining({ iso3_country_code: 'UGA', month: '2022-12', old: true }),
    ]);
  });

  it('have the counts of PriceWarning/ in each of the months', async () => {
    const countsOf = async (month: string) => {
      const { body } = await service
        .http()
        .get(`/api/v1/PriceWarning/?iso3_country_codes=KEN&month=${month}`);
      const [{ fresh, rated, high }] = (body as { results: [Counts] }).results;
      return { fresh, rated, high };
    };
    for (const [month, before, yearBefore] of [
      ['2024-12', '2024-11', '2023-12'],
      ['2024-06', '2024-05', '2023-06'],
    ] as const) {
      const [row] = await rows(`?iso3_country_codes=KEN&month=${month}`);
      const [now, past, lastYear] = [
        await countsOf(month),
        await countsOf(before),
        await countsOf(yearBefore),
      ];
      expect(row).toMatchObject({
        ...now,
        rated_1m_ago: past.rated,
        high_1m_ago: past.high,
        rated_12m_ago: lastYear.rated,
        high_12m_ago: lastYear.high,
      });
    }
  });

  it('are sorted by severity, and by commodity of a country', async () => {
    const sorted = await rows('?by=country,commodity&sort=old,-share,-rated&fields=commodity,rated,old');
    expect(sorted.map(({ commodity }) => commodity)).toEqual([
      'Maize',
      'Beans',
      'Rice',
      'Salt',
      'Maize',
      'Maize',
    ]);
    expect(await rows('?by=country&sort=old,-share,-rated&fields=iso3_country_code')).toEqual(
      ['KEN', 'RWA', 'UGA'].map((iso3_country_code) => ({ iso3_country_code })),
    );
    await service.http().get('/api/v1/PriceWarningChange/?sort=commodity').expect(400);
  });

  it('are those of an earlier state with as_of', async () => {
    const { headers } = await service.http().get('/api/v1/PriceWarningChange/').expect(200);
    const before = await rows();
    await storeSeries(service.unitOfWork, [
      {
        uuid: randomUUID(),
        commodity: { name: 'Millet', category: 'cereals' },
        market: kenya('Nairobi'),
        points: { monthly: monthly(90) },
      },
    ]);
    expect((await rows('?iso3_country_codes=KEN'))[0]).toMatchObject({ newly_high: 4 });
    expect(await rows(`?as_of=r${headers['data-revision']}`)).toEqual(before);
  });
});
