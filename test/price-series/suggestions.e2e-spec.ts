import { createRecords } from '../support/factories.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createSampleSeries, letterOf, type SampleIds, sampleUuid } from './sample-series.js';

interface Suggestions {
  countries: { iso3_country_code: string }[];
  commodities: { commodity: string; series: number }[];
  markets: { market: string }[];
  series: { uuid: string }[];
  country_commodities: { commodity: string; iso3_country_code: string; series: number }[];
}

const NOTHING = { countries: [], commodities: [], markets: [], series: [], country_commodities: [] };

describe('Suggest/', () => {
  let service: TestApp;
  let ids: SampleIds;
  beforeAll(async () => {
    service = await startTestApp();
    ids = await createSampleSeries(service.unitOfWork);
  });
  afterAll(() => service.close());

  const get = (query: string) => service.http().get(`/api/v1/Suggest/?${query}`);
  const suggested = async (q: string, more = '') =>
    (await get(`q=${encodeURIComponent(q)}${more}`).expect(200)).body as Suggestions;
  /** The codes, names and letters of what is suggested. */
  const shortly = async (q: string, more = '') => {
    const { countries, commodities, markets, series } = await suggested(q, more);
    return [
      countries.map(({ iso3_country_code }) => iso3_country_code).join(),
      commodities.map(({ commodity }) => commodity).join(),
      markets.map(({ market }) => market).join(),
      series.map(({ uuid }) => letterOf(uuid)).join(''),
    ];
  };

  it('has commodities in countries for words of both, in any order', async () => {
    const charcoal = {
      iso3_country_code: 'MLI',
      country_name: 'Mali',
      commodity_id: ids.charcoal,
      commodity: 'Charcoal',
      series: 1,
    };
    for (const text of ['charcoal mali', 'Mali CHARC', 'charcoal ml'])
      expect((await suggested(text)).country_commodities).toEqual([charcoal]);
    for (const text of ['charcoal', 'mali', 'charcoal mali x', 'charcoal kenya'])
      expect((await suggested(text)).country_commodities).toEqual([]);
  });

  it('has whole answers', async () => {
    expect(await suggested('gao')).toEqual({
      countries: [],
      commodities: [],
      markets: [
        {
          market_id: ids.gao,
          market: 'Marché de Gao',
          admin_unit: 'Gao',
          iso3_country_code: 'MLI',
          country_name: 'Mali',
          series: 1,
        },
      ],
      series: [
        {
          uuid: sampleUuid('D'),
          commodity: 'Charcoal',
          market: 'Marché de Gao',
          iso3_country_code: 'MLI',
          country_name: 'Mali',
          price_type: 'RETAIL',
          measure_unit: 'Kg',
          currency: 'XOF',
          source: 'Ministry of Agriculture',
          last_price_date: null,
        },
      ],
      country_commodities: [],
    });
    expect(await suggested('ken', '&limit=1')).toMatchObject({
      countries: [{ iso3_country_code: 'KEN', country_name: 'Kenya', series: 3 }],
      series: [{ uuid: sampleUuid('G'), last_price_date: '2026-11-20' }],
    });
    expect(await suggested('charc')).toMatchObject({
      commodities: [{ commodity_id: ids.charcoal, commodity: 'Charcoal', category: '', series: 1 }],
    });
  });

  it.each([
    // Most series first; of series the newest prices.
    ['rice', ['', 'Rice (white),Rice (paddy)', '', 'EBA']],
    ['RICE w', ['', 'Rice (white)', '', 'EA']],
    // The name itself comes before those that begin with it.
    ['wheat', ['', 'Wheat,Wheat flour', '', 'FC']],
    ['flour', ['', 'Wheat flour', '', 'C']],
    ['ice', ['', '', '', '']],
    ['MARCHE', ['', '', 'Marché de Gao', 'D']],
    ['marché mali', ['', '', 'Marché de Gao', 'D']],
    ['nairobi kenya', ['', '', 'Nairobi', 'GC']],
    ['ke', ['KEN', '', '', 'GBC']],
    ['ke rice', ['', '', '', 'B']],
    ['ml', ['MLI', '', '', 'ED']],
    ['a', ['AFG,USA', '', 'National Average', 'FEA']],
    ['%', ['', '', '', '']],
    [' ', ['', '', '', '']],
  ])('suggests for %j', async (q, expected) => expect(await shortly(q)).toEqual(expected));

  it('has at most as many of each kind as are asked for', async () => {
    expect(await shortly('rice', '&limit=1')).toEqual(['', 'Rice (white)', '', 'E']);
    expect(await shortly('ke', '&limit=20')).toEqual(['KEN', '', '', 'GBC']);
  });

  it('rejects what it cannot do', async () => {
    for (const [query, name, code] of [
      ['', 'q', 'required'],
      ['q=', 'q', 'required'],
      [`q=${'a'.repeat(61)}`, 'q', 'too_long'],
      ['q=a&q=b', 'q', 'repeated_parameter'],
      ['q=a&limit=21', 'limit', 'out_of_range'],
      ['q=a&limit=0', 'limit', 'invalid_integer'],
      ['q=a&page=1', 'page', 'unknown_parameter'],
    ] as const)
      expectProblem(await get(query), { status: 400, code: 'invalid', errors: [queryViolation(name, code)] });
  });

  it('bounds the suggestions, orders equal ones by name, and leaves out records without series', async () => {
    const app = await startTestApp();
    try {
      const read = async (q: string) =>
        (
          await app
            .http()
            .get(`/api/v1/Suggest/?q=${encodeURIComponent(q)}`)
            .expect(200)
        ).body as Suggestions;
      expect(await read('market')).toEqual(NOTHING);
      await createRecords(app.unitOfWork, async (factory) => {
        await factory.commodity({ name: 'Sorghum' });
        await factory.market({ name: 'Abéché', iso3_country_code: 'TCD', country_name: 'Chad' });
        const commodity_id = await factory.commodity({ name: 'أرز (مستورد)' });
        for (let number = 1; number <= 700; number++) {
          const market_id = await factory.market({ name: `Market ${String(701 - number).padStart(3, '0')}` });
          if (number % 7 === 0) await factory.series({ market_id, commodity_id });
        }
      });
      const { markets, series } = await read('market');
      expect(markets.map(({ market }) => market)).toEqual([
        'Market 001',
        'Market 008',
        'Market 015',
        'Market 022',
        'Market 029',
      ]);
      expect(series).toHaveLength(5);
      for (const text of ['sorghum', 'abeche', 'chad', 'tcd', 'market 002'])
        expect([text, await read(text)]).toEqual([text, NOTHING]);
      expect((await read('ارز')).commodities).toMatchObject([{ commodity: 'أرز (مستورد)', series: 100 }]);
    } finally {
      await app.close();
    }
  });
});
