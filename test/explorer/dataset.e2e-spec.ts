import { randomUUID } from 'node:crypto';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { page } from './pages.js';

const HOSTILE = '</script><script>alert(1)</script>"\'&';
const source = { name: HOSTILE, url: 'https://data.example.org/?a=1&b=2' };
const [one, other] = ['1', '2'].map((end) => `00000000-0000-4000-8000-00000000000${end}`) as [string, string];

let service: TestApp;
let maize: number;
beforeAll(async () => {
  service = await startTestApp();
  const points = { monthly: [['2024-01-01', 5] as const, ['2024-02-01', 6] as const] };
  const place = { iso3_country_code: 'CHD', country_name: HOSTILE };
  await storeSeries(service.unitOfWork, [
    { uuid: one, commodity: { name: HOSTILE }, market: { name: 'a', ...place }, source, points },
    { uuid: other, commodity: { name: HOSTILE }, market: { name: 'سوق', ...place }, source, points },
    {
      uuid: randomUUID(),
      source,
      commodity: { name: 'Rice' },
      market: { name: 'b', iso3_country_code: 'TCD', country_name: 'Chad' },
    },
  ]);
  const { body } = await service.http().get(`/api/v1/PriceSerie/?iso3_country_codes=CHD`).expect(200);
  maize = (body as { results: { commodity_id: number }[] }).results[0]!.commodity_id;
});
afterAll(() => service.close());

interface Dataset {
  description: string;
  distribution: { contentUrl: string }[];
}

/** The descriptions of data that a page has. */
const datasetsOf = async (address: string) =>
  [...(await page(service, address)).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, block]) => JSON.parse(block!) as Dataset,
  );

/** What a description says of a list of the API: both formats, on this server. */
const downloads = (name: string, path: string) =>
  [
    ['application/json', ''],
    ['text/csv', `${path.includes('?') ? '&' : '?'}format=csv`],
  ].map(([encodingFormat, format]) => ({
    '@type': 'DataDownload',
    name,
    encodingFormat,
    contentUrl: expect.stringMatching(
      new RegExp(`^http://[^/]+/api/v1/${(path + format!).replace(/[.?+]/g, '\\$&')}$`),
    ) as string,
  }));

/** The same of all prices of a selection. */
const prices = (query: string) => [
  ...downloads('All prices, a row each', `PriceSeriePrice/?${query}`),
  ...downloads('Monthly prices, dates down and series across', `PriceTable/?${query}&goods=false`),
];

const dataset = (name: string, description: string, path: string, rest: object) => ({
  '@context': 'https://schema.org/',
  '@type': 'Dataset',
  name,
  description,
  url: expect.stringMatching(new RegExp(`^http://[^/]+${path.replace('?', '\\?')}$`)) as string,
  isAccessibleForFree: true,
  ...rest,
});

it('pages describe their data to search engines, whatever the names', async () => {
  expect(await datasetsOf('/warnings?month=2024-02')).toEqual([
    dataset(
      'Warnings, 2024-02',
      'How many food prices of each country are high: high by IFPA, or alert or crisis by ALPS, of those that either can rate.',
      '/warnings?month=2024-02',
      {
        temporalCoverage: '2024-02',
        distribution: [
          ...downloads(
            'High prices beside a month and a year before',
            'PriceWarningChange/?month=2024-02&sort=old%2C-share%2C-rated',
          ),
          ...downloads('Warnings', 'PriceWarning/?month=2024-02'),
        ],
      },
    ),
  ]);
  expect(await datasetsOf(`/commodities/${maize}`)).toEqual([
    dataset(
      `Prices of ${HOSTILE} by country, published by ${HOSTILE}`,
      `${HOSTILE}: 2 price series of 1 country. Food price data in tables, as JSON and CSV.`,
      `/commodities/${maize}`,
      {
        distribution: [
          ...prices(`commodity_ids=${maize}`),
          ...downloads(
            'Newest prices and their changes',
            `PriceChange/?commodity_ids=${maize}&by=country&min_matched=1&goods=false`,
          ),
          ...downloads(
            'The same in US dollars',
            `PriceChange/?commodity_ids=${maize}&by=country&measure=usd&min_matched=1&goods=false`,
          ),
          ...downloads('Aggregates', `PriceAggregate/?commodity_ids=${maize}&by=country&goods=false`),
          ...downloads('Series', `PriceSerie/?commodity_ids=${maize}`),
        ],
      },
    ),
  ]);
  const [label, otherLabel] = ['a', 'سوق'].map(
    (market) => `${HOSTILE} · ${market} · ${HOSTILE} · RETAIL · KES/Kg`,
  );
  expect(await datasetsOf(`/compare?uuids=${one},${other}`)).toEqual([
    dataset(
      `${HOSTILE} in 2 markets, ${HOSTILE} (retail)`,
      `Prices of 1 · ${label}, 2 · ${otherLabel}.`,
      `/compare?uuids=${one}%2C${other}`,
      {
        distribution: [
          ...downloads('Prices', `PriceTable/?uuid__in=${one}%2C${other}&measure=nominal&per=unit`),
          ...downloads(
            'Ratio',
            `PriceCompare/?uuids=${one}%2C${other}&formula=ratio&measure=nominal&per=unit`,
          ),
        ],
      },
    ),
  ]);
  expect(await datasetsOf('/countries/TCD')).toEqual([
    dataset(
      `Food prices of Chad, published by ${HOSTILE}`,
      'Chad: 1 price series of 1 market. Food price data in tables, as JSON and CSV.',
      '/countries/TCD',
      {
        spatialCoverage: { '@type': 'Place', name: 'Chad', identifier: 'TCD' },
        distribution: expect.any(Array) as object[],
      },
    ),
  ]);
  expect(await datasetsOf('/browse?iso3_country_codes=TCD&order=market')).toEqual([
    dataset(
      'Food price series, Country Chad',
      '1 price series: Country Chad. Food price data in tables, as JSON and CSV.',
      '/browse?iso3_country_codes=TCD',
      {
        distribution: [
          ...prices('iso3_country_codes=TCD'),
          ...downloads('Series', 'PriceSerie/?iso3_country_codes=TCD'),
        ],
      },
    ),
  ]);
  expect(await datasetsOf('/data')).toEqual([
    dataset(
      'Food prices from market to market: all series',
      'Prices of 3 series as published, indicators of unusual prices, exchange rates and consumer ' +
        'price indices, as JSON and CSV.',
      '/data',
      {
        creator: [{ '@type': 'Organization', name: HOSTILE, url: source.url }],
        distribution: [
          ...downloads('All prices', 'PriceSeriePrice/'),
          ...downloads('All series', 'PriceSerie/'),
          ...downloads('Newest indicators of all series', 'PriceSerieIndicator/'),
          ...downloads('Exchange rates', 'FxRate/'),
          ...downloads('Consumer price indices', 'Cpi/'),
          ...downloads('What looks wrong', 'Finding/'),
        ],
      },
    ),
  ]);
});

it('what they name is there, and pages without data describe none', async () => {
  const { headers } = await service.http().get('/api/v1/Country/').expect(200);
  for (const address of [
    '/countries/CHD',
    `/countries/CHD?as_of=r${headers['data-revision']}`,
    `/series/${one}`,
    `/compare?uuids=${one}`,
    '/warnings',
    '/browse?search=rice',
    '/data',
  ]) {
    const [{ description, distribution }] = (await datasetsOf(address)) as [Dataset];
    // Search engines want 50 to 5000 characters.
    expect([address, description.length >= 50]).toEqual([address, true]);
    expect(distribution.length).toBeGreaterThan(0);
    for (const { contentUrl } of distribution) {
      const { pathname, search } = new URL(contentUrl);
      expect([contentUrl, (await service.http().get(pathname + search)).status]).toEqual([contentUrl, 200]);
    }
  }
  for (const address of ['/compare', '/browse?search=nothing']) expect(await datasetsOf(address)).toEqual([]);
});
