import { group, type ListedRequest } from './request.js';
import { API, FPMA, SERIES } from './seeds.js';

/** What chooses points, on prices alone. */
const POINTS = [
  '',
  'periodicity=daily',
  'periodicity=weekly,MONTHLY',
  'periodicity=hourly',
  'start_date=2026-11-01',
  'end_date=2021-03-01',
  'start_date=2026-10-01&end_date=2026-10-31',
  'startdate=2026-10-01&enddate=2026-10-31',
  'start_date=2026-10-01&startdate=2026-10-01',
  'start_date=2026-10-01&startdate=2026-10-02',
  'end_date=2026-10-01&enddate=2026-10-02',
  'start_date=2026-10-02&enddate=2026-10-01',
  'startdate=2026-10-02&end_date=2026-10-01',
  'start_date=2099-01-01',
  'start_date=2023-02-30',
  'startdate=',
  'latest=1',
  'latest=3&periodicity=monthly',
  'latest=2&end_date=2026-01-01',
  'latest=',
  'latest=0',
  'latest=-1',
  'latest=1.5',
  'latest=1e2',
  'latest=1&latest=2',
  'latest=2147483647',
  'latest=2147483648',
  'data_from=2026-01-01',
  'newerThan=2+months+ago',
  'iso3_country_codes=XAA',
  'uuids=x',
  'page=1',
  'page_size=5',
  'format=json',
  'format=csv',
  'format=ndjson',
  'format=xml',
  'fromat=csv',
  '_=1',
];

/** Points of single series, and of series that are named. */
export function points(): ListedRequest[] {
  const { read } = group('points');
  const series = Object.entries(SERIES);
  const named = (...uuids: string[]) => `${API}/PriceSeriePrice/?uuid__in=${uuids.join(',')}`;
  return [
    ...['daily', 'derived', 'ended'].flatMap((name) => {
      const uuid = SERIES[name as keyof typeof SERIES];
      return [`${API}/PriceSeriePrice/${uuid}/`, `${FPMA}/FpmaSeriePrice/${uuid}/`].flatMap((address) =>
        POINTS.map((query) =>
          read(`${address}?${query}`, { label: `${address.split('/').at(-3)} ${name} ${query}` }),
        ),
      );
    }),
    ...series.flatMap(([name, uuid]) => [
      read(`${API}/PriceSeriePrice/${uuid}/?latest=4`, { label: `the newest of ${name}` }),
      read(`${API}/PriceSeriePrice/${uuid}/?latest=4&format=csv`, { label: `the newest of ${name} as CSV` }),
      read(`${API}/PriceSerie/${uuid}/`, { label: `the entry of ${name}` }),
      read(`${API}/PriceSeriePrice/${uuid.toUpperCase()}/?latest=1`, { label: `${name} in capitals` }),
    ]),
    ...POINTS.map((query) =>
      read(`${named(SERIES.daily, SERIES.weekly)}&${query}`, { label: `of two series ${query}` }),
    ),
    read(named(SERIES.unknown)),
    read(named(SERIES.daily, SERIES.unknown, 'x')),
    read(`${named(SERIES.daily)}&uuid__in=${SERIES.weekly}&page_size=1`),
    read(`${named(SERIES.daily, SERIES.weekly)}&page=2&page_size=1`),
    read(`${named(SERIES.daily)}&uuids=${SERIES.weekly}`),
    read(`${named(...Array<string>(500).fill(SERIES.ended))}&latest=1`, { label: '500 uuids' }),
    read(`${named(...Array<string>(501).fill(SERIES.ended))}&latest=1`, { label: '501 uuids' }),
    read(`${API}/PriceSeriePrice/?uuid__in=`, { label: 'no uuid', repeat: false }),
    ...[
      'x',
      '123',
      SERIES.daily.slice(0, -1),
      `${SERIES.daily}x`,
      SERIES.daily.replaceAll('-', ''),
      '%7B%7D',
    ].flatMap((uuid) =>
      ['PriceSerie', 'PriceSeriePrice', 'FpmaSeriePrice'].map((resource) =>
        read(`${API}/${resource}/${uuid}/`),
      ),
    ),
    ...['0', '01', '1', '-1', 'x', '{{point}}0', '99999999999999999999', '1e3'].map((id) =>
      read(`${API}/PriceSeriePrice/${SERIES.daily}/${id}/`),
    ),
    read(`${API}/PriceSeriePrice/${SERIES.weekly}/{{point}}/`),
    read(`${API}/PriceSeriePrice/${SERIES.daily}/{{point}}/?latest=1`),
    read(`${API}/PriceSerie/${SERIES.daily}/?expand=1`),
  ];
}
