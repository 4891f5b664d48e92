import { group, type ListedRequest } from './request.js';
import { API, FPMA } from './seeds.js';

const PAGES = [
  'page=1',
  'page=2',
  'page=1&page_size=2',
  'page=2&page_size=2',
  'page=3&page_size=2',
  'page_size=1',
  'page_size=1000',
  'page_size=10000',
  'page_size=10001',
  'page_size=99999999999999999999',
  'page=9999',
  'page=999999999999999999999999',
  'page=9999&page_size=1',
  'page=&page_size=',
  ...['0', '-1', '1.5', 'abc', '1e2', '%2B1', '+1', '01', ',', '1,2'].flatMap((value) => [
    `page=${value}`,
    `page_size=${value}`,
  ]),
  'page=1&page=1',
  'page_size=2&page_size=3',
  'page=2&page_size=2&search=a',
  'search=a&page_size=2&page=2&_=5',
  'page=2&page_size=2&search=%61%7c&x=1',
  'page=1&search=zzzz',
  'page=2&search=zzzz',
  'format=csv&page_size=2&page=2',
  'format=csv&page=9999',
  'format=ndjson&page_size=2',
];

/** Pages of every kind of list. */
export function pages(): ListedRequest[] {
  const { read } = group('page');
  const lists = [
    ...['PriceSerie', 'PriceSerieDomestic', 'PriceSerieInternational', 'Commodity', 'FxRate'].map(
      (name) => `${API}/${name}/`,
    ),
    `${API}/PriceSeriePrice/`,
    `${FPMA}/PriceSerie`,
    `${FPMA}/FpmaSerie/`,
    `${FPMA}/FpmaSerieInternational/`,
    `${FPMA}/FpmaSeriePrice/`,
  ];
  return lists.flatMap((address) => {
    const few = address.includes('SeriePrice') ? '&latest=1' : '';
    return PAGES.map((query) => read(`${address}?${query}${few}`, { label: `${address}?${query}` }));
  });
}
