import { encoded, group, type ListedRequest } from './request.js';
import { API, FPMA, SERIES } from './seeds.js';

/** What only the FPMA-compatible addresses know, and what they ignore. */
export function fpma(): ListedRequest[] {
  const { read } = group('fpma');
  const many = Array.from({ length: 25 }, (_, index) => `p${index}`).join('&');
  const queries = [
    'iso3_country_code=XAA',
    'iso3_country_code=xaa',
    'iso3_country_code=KE',
    'iso3_country_code=XAA&iso3_country_code=XAB',
    'iso3_country_code=XAA&iso3_country_codes=XAB',
    'commodity=1',
    'commodity=0',
    'commodity=1,2',
    'commodity=999',
    `commodity_name=${encoded('Rice (imported)')}`,
    `commodity_name=${encoded('rice (imported)')}`,
    `commodity_name=%20Sugar%20`,
    'commodity_name__icontains=RICE',
    'commodity_name__icontains=%20',
    'commodity_name__icontains=zzz',
    'limit=5',
    'limit=5&caf%C3%A9=1&limit=6',
    'ordering=-last_price_date&fields=uuid',
    many,
    '__proto__=1&constructor[x]=2',
    'x%0Ay=1',
    'x=%zz',
    'format=csv',
    'format=json',
    'format=xml',
    'page_size=20000',
    'page_size=99999999999',
    'page_size=0',
    'page=2',
    'page=0&limit=1',
    'start_date=2023-02-30&limit=1',
    'newerThan=1+day+ago&olderThan=2+days+ago',
    'iso3_country_cods=XAA',
    `uuid__in=${SERIES.daily}`,
    `uuid__in=${SERIES.daily}&page_size=1`,
    `uuid__in=${SERIES.daily},x`,
    `uuid=${SERIES.daily}`,
  ];
  const resources = ['FpmaSerie/', 'FpmaSerieDomestic', 'FpmaSerieInternational/', 'FpmaSeriePrice/'];
  return [API, FPMA].flatMap((prefix) =>
    resources.flatMap((resource) =>
      queries.map((query) => {
        const few = resource.startsWith('FpmaSeriePrice') && !query.includes('uuid__in') ? '&latest=1' : '';
        return read(`${prefix}/${resource}?${query}${few}`);
      }),
    ),
  );
}
