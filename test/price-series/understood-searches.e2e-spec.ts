import { randomUUID } from 'node:crypto';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Suggestions {
  countries: { iso3_country_code: string }[];
  commodities: { commodity: string }[];
  markets: { market: string }[];
  series: { commodity: string; market: string }[];
  country_commodities: { commodity: string; iso3_country_code: string }[];
}

const markets = {
  nairobi: { name: 'Nairobi', iso3_country_code: 'KEN', country_name: 'Kenya', admin_unit: 'Nairobi' },
  lodwar: { name: 'Lodwar', iso3_country_code: 'KEN', country_name: 'Kenya', admin_unit: 'Rift Valley' },
  moundou: { name: 'Moundou', iso3_country_code: 'TCD', country_name: 'Chad' },
  jacmel: { name: 'Jacmel', iso3_country_code: 'HTI', country_name: 'Haiti' },
  abidjan: { name: 'Abidjan', iso3_country_code: 'CIV', country_name: "Cote d'Ivoire" },
  rizal: { name: 'Rizal', iso3_country_code: 'PHL', country_name: 'Philippines' },
};
const goods = [
  ['Maize (white)', 'nairobi'],
  ['Maize (white)', 'lodwar'],
  ['Beans (red)', 'lodwar'],
  ['Rice (imported)', 'moundou'],
  ['Millet', 'moundou'],
  ['Rice (local)', 'jacmel'],
  ['Oil (palm)', 'abidjan'],
  ['Potatoes', 'abidjan'],
  ['Rice', 'rizal'],
] as const;

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
  await storeSeries(
    service.unitOfWork,
    goods.map(([name, market]) => ({
      uuid: randomUUID(),
      commodity: { name },
      market: markets[market],
      points: { monthly: [[name === 'Beans (red)' ? '2024-06-01' : '2024-05-01', 1]] },
    })),
  );
});
afterAll(() => service.close());

const suggested = async (q: string) =>
  (
    await service
      .http()
      .get(`/api/v1/Suggest/?q=${encodeURIComponent(q)}`)
      .expect(200)
  ).body as Suggestions;

/** What comes first: a commodity in a country, a country, a commodity, a market, a series. */
async function first(q: string): Promise<string> {
  const { country_commodities, countries, commodities, markets: found, series } = await suggested(q);
  return (
    country_commodities.map((each) => `${each.commodity} in ${each.iso3_country_code}`)[0] ??
    countries.map((each) => each.iso3_country_code)[0] ??
    commodities.map((each) => each.commodity)[0] ??
    found.map((each) => each.market)[0] ??
    series.map((each) => `${each.commodity} at ${each.market}`)[0] ??
    ''
  );
}

describe('a search that finds nothing word for word', () => {
  it.each([
    // Questions.
    ['how much is rice in haiti', 'Rice (local) in HTI'],
    ['price of maize in kenya', 'Maize (white) in KEN'],
    ['What does rice cost in Chad today?', 'Rice (imported) in TCD'],
    ['prix du riz au tchad', 'Rice (imported) in TCD'],
    ['¿Cuánto cuesta el arroz en Haití?', 'Rice (local) in HTI'],
    ['quanto custa o arroz no Chade', 'Rice (imported) in TCD'],
    ['سعر الأرز في تشاد', 'Rice (imported) in TCD'],
    // Currencies, price types and sources; all prices are retail ones of a ministry in shillings.
    ['maize kes', 'Maize (white)'],
    ['rice in haiti, in shillings', 'Rice (local) in HTI'],
    ['riz au détail haïti', 'Rice (local) in HTI'],
    ['KES', 'Beans (red) at Lodwar'],
    ['retail ministry', 'Beans (red) at Lodwar'],
    ['maize cfa', ''],
    // Punctuation.
    ['maize, kenya?', 'Maize (white) in KEN'],
    // Food and countries in other languages.
    ['mais kenya', 'Maize (white) in KEN'],
    ['maíz Kenia', 'Maize (white) in KEN'],
    ['milho', 'Maize (white)'],
    ['corn', 'Maize (white)'],
    ['haricots', 'Beans (red)'],
    ['petit mil', 'Millet'],
    ['huile de palme', 'Oil (palm)'],
    ['pommes de terre', 'Potatoes'],
    ['Tchad', 'TCD'],
    ['Costa de Marfil', 'CIV'],
    ['riz Tchad', 'Rice (imported) in TCD'],
    // Beginnings of words in other languages.
    ['tcha', 'TCD'],
    ['haric', 'Beans (red)'],
    ['تش', 'TCD'],
    ['ha', 'HTI'],
    // Slips.
    ['maze', 'Maize (white)'],
    ['mazie', 'Maize (white)'],
    ['keyna', 'KEN'],
    ['ryce hait', 'Rice (local) in HTI'],
    ['nairoby', 'Nairobi'],
    ['haricotes', 'Beans (red)'],
    ['tchat', 'TCD'],
    // Regions.
    ['rift valley', 'Beans (red) at Lodwar'],
    ['maize rift valley', 'Maize (white) at Lodwar'],
    ['maize rift vally', 'Maize (white) at Lodwar'],
    // What is called so is taken as it is, and what is like nothing is not guessed.
    ['riz', 'Rizal'],
    ['price', ''],
    ['mz', ''],
    ['maize xyzzy', ''],
    ['maize haiti', ''],
    ['how much is', ''],
  ])('is understood: %j', async (q, expected) => expect(await first(q)).toBe(expected));

  it('stays as it is in the filter of series', async () => {
    for (const text of ['maze', 'price of maize', 'mais kenya']) {
      const { body } = await service
        .http()
        .get(`/api/v1/PriceSerie/?search=${encodeURIComponent(text)}`)
        .expect(200);
      expect(body).toEqual({ count: 0, next: null, previous: null, results: [] });
    }
  });
});
