import { QueryPairs } from '../validation/query-pairs.js';
import { contentDisposition } from './file-name.js';

const uuid = '1b61a5d0-a83c-539c-81c3-a6f8b973543f';

describe('names of files', () => {
  it.each([
    ['/api/v1/PriceSerie/', '', 'PriceSerie.csv'],
    ['/api/v1/PriceSerie', 'format=csv&_=17', 'PriceSerie.csv'],
    ['/giews/v4/price_module/api/v1/FpmaSerie/', '', 'FpmaSerie.csv'],
    [`/api/v1/PriceSeriePrice/${uuid}/`, '', `PriceSeriePrice_${uuid}.csv`],
    ['/api/v1/PriceSeriePrice/differences/', 'from=r1', 'PriceSeriePrice_differences_from-r1.csv'],
    ['/items', 'page=2&page_size=5', 'items_page-2_page_size-5.csv'],
    ['/', '', 'data.csv'],
    [
      '/api/v1/PriceSerie/',
      'iso3_country_codes=KEN,MLI&newerThan=2+months+ago&search=&as_of=2026-11-20',
      'PriceSerie_iso3_country_codes-KEN-MLI_newerThan-2-months-ago_as_of-2026-11-20.csv',
    ],
    ['/api/v1/PriceSerie/', 'admin_units=%22a%5C..%2Fb%22', 'PriceSerie_admin_units-a-..-b.csv'],
    ['/api/v1/PriceSerie/', 'search=%22%0d%0aX:', 'PriceSerie.csv'],
    ['/api/v1/PriceSerie/', 'search=%25', 'PriceSerie_search.csv'],
  ])('%s?%s is saved as %s', (path, query, name) =>
    expect(contentDisposition(path, new QueryPairs(query), 'csv')).toBe(`attachment; filename="${name}"`),
  );

  it.each([
    ['maïs', 'PriceSerie_search-mais.csv', 'PriceSerie_search-ma%C3%AFs.csv'],
    ['mai\u0308s', 'PriceSerie_search-mais.csv', 'PriceSerie_search-ma%C3%AFs.csv'],
    ['أرز', 'PriceSerie_search.csv', 'PriceSerie_search-%D8%A3%D8%B1%D8%B2.csv'],
    ['ဆန်', 'PriceSerie_search.csv', 'PriceSerie_search-%E1%80%86%E1%80%94%E1%80%BA.csv'],
  ])('%s has a name in ASCII, too', (word, ascii, encoded) =>
    expect(
      contentDisposition('/api/v1/PriceSerie/', new QueryPairs(`search=${encodeURIComponent(word)}`), 'csv'),
    ).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`),
  );

  it('are cut where they are long', () => {
    const query = new QueryPairs(`search=${'ab'.repeat(100)}`);
    expect(contentDisposition('/api/v1/PriceSerie/', query, 'csv')).toBe(
      `attachment; filename="PriceSerie_search-${'ab'.repeat(51)}.csv"`,
    );
  });
});
