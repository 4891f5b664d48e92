import { bearer, encoded, group, captureHeader, type Headers, type ListedRequest } from './request.js';
import { API, FPMA, SERIES } from './seeds.js';

/** Resources of every kind there is, each with few rows. */
const RESOURCES: Readonly<Record<string, { target: string; headers?: Headers }>> = {
  'a table': { target: `${API}/Commodity/` },
  'a page of a table': { target: `${API}/Market/?page_size=3` },
  'a record': { target: `${API}/Commodity/{{first Commodity}}/` },
  series: { target: `${API}/PriceSerie/` },
  'a page of series': { target: `${API}/PriceSerie/?page_size=2&page=2` },
  'one series': { target: `${API}/PriceSerie/${SERIES.daily}/` },
  prices: { target: `${API}/PriceSeriePrice/?iso3_country_codes=XAA&latest=3` },
  'a page of prices': { target: `${API}/PriceSeriePrice/?latest=1&page_size=2` },
  'prices of one series': { target: `${API}/PriceSeriePrice/${SERIES.daily}/?latest=5` },
  'one price': { target: `${API}/PriceSeriePrice/${SERIES.daily}/{{point}}/` },
  'series for FPMA': { target: `${FPMA}/FpmaSerie/?iso3_country_codes=XAB` },
  'prices for FPMA': { target: `${FPMA}/FpmaSeriePrice/?uuid__in=${SERIES.daily},${SERIES.weekly}&latest=2` },
  'the audit trail': { target: `${API}/AuditLog/?page_size=2`, headers: bearer('access') },
  me: { target: '/api/auth/me/', headers: bearer('access') },
  'the API document': { target: '/openapi.json' },
  'a problem': { target: '/problems/throttled' },
  'the page': { target: '/docs' },
  'a picture': { target: '/docs/favicon-32x32.png' },
  health: { target: '/health/ready' },
};

const FORMATS = ['json', 'csv', 'ndjson', 'JSON', 'xml', 'json,csv', 'csv&format=csv', '&format=json', ''];

const ACCEPTS = [
  '',
  '*/*',
  'application/json',
  'text/csv',
  'application/x-ndjson',
  'application/ndjson',
  'TEXT/CSV',
  'text/*',
  'application/*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/csv;q=0.5, application/json',
  'text/csv, application/json',
  'application/json;q=0.5, text/csv;q=0.5',
  'application/json;q=0, */*',
  'application/json;q=0',
  'application/json; q=0.000',
  'text/csv;q=2, application/x-ndjson;q=0.1',
  'application/json;q=x',
  'application/json;indent=4',
  'application/problem+json',
  'application/json; charset=utf-16',
  'text/html',
  'image/*',
  'garbage',
  ';;,,',
  '*',
  'application/json/extra',
];

const ENCODINGS = [
  'br',
  'gzip',
  'gzip, deflate, br',
  'gzip;q=1.0, br;q=0.5',
  'br;q=0, *',
  'identity',
  'deflate',
  '*',
  '*;q=0',
  'identity;q=0',
  'identity;q=0, br;q=0, gzip;q=0',
  'br;q=0',
  'BR',
  'x-gzip',
  'zstd',
  'gzip;q=x',
  ';;,',
  '',
];

const ENTITY_TAGS = [
  '{{tag}}',
  'W/{{tag}}',
  '"other", {{tag}}',
  '"other",W/{{tag}}',
  '{{plain tag}}-br"',
  '{{plain tag}}-gzip"',
  '*',
  '"other"',
  'W/"other"',
  'other',
  '{{plain tag}}',
  '""',
  '',
  ',',
];

/** Forms of replies: by `format`, by `Accept`, compressed, and unchanged. */
export function formats(): ListedRequest[] {
  return Object.entries(RESOURCES).flatMap(([name, resource]) => [
    ...byName(name, resource.target, resource.headers),
    ...byAccept(name, resource.target, resource.headers),
    ...compressed(name, resource.target, resource.headers),
    ...unchanged(name, resource.target, resource.headers),
  ]);
}

function byName(name: string, target: string, headers: Headers = []): ListedRequest[] {
  const { read } = group('format');
  return FORMATS.flatMap((format) => [
    read(`${target}${target.includes('?') ? '&' : '?'}format=${format}`, {
      label: `${name} as ${format}`,
      headers,
    }),
    read(`${target}${target.includes('?') ? '&' : '?'}format=${format}`, {
      label: `${name} as ${format}, while Accept asks for CSV`,
      headers: [...headers, ['Accept', 'text/csv']],
    }),
  ]);
}

function byAccept(name: string, target: string, headers: Headers = []): ListedRequest[] {
  const { read, request } = group('accept');
  return [
    ...ACCEPTS.map((accept) =>
      read(target, { label: `${name}, ${accept}`, headers: [...headers, ['Accept', accept]] }),
    ),
    request('HEAD', target, { label: `${name}, HEAD as CSV`, headers: [...headers, ['Accept', 'text/csv']] }),
    request('HEAD', target, {
      label: `${name}, HEAD as a picture`,
      headers: [...headers, ['Accept', 'image/png']],
    }),
    read(target, {
      label: `${name}, two headers`,
      headers: [...headers, ['Accept', 'text/html'], ['Accept', 'text/csv']],
    }),
  ];
}

function compressed(name: string, target: string, headers: Headers = []): ListedRequest[] {
  const { read, request } = group('encoding');
  return [
    ...ENCODINGS.map((accepted) =>
      read(target, { label: `${name}, ${accepted}`, headers: [...headers, ['Accept-Encoding', accepted]] }),
    ),
    ...['br', 'gzip'].map((accepted) =>
      request('HEAD', target, {
        label: `${name}, HEAD ${accepted}`,
        headers: [...headers, ['Accept-Encoding', accepted]],
      }),
    ),
    read(target, {
      label: `${name}, two headers`,
      headers: [...headers, ['Accept-Encoding', 'gzip'], ['Accept-Encoding', 'br']],
    }),
  ];
}

function unchanged(name: string, target: string, headers: Headers = []): ListedRequest[] {
  const { read, request } = group('conditional');
  return [
    request('GET', target, {
      label: `${name}, its tag`,
      headers,
      capture: (reply, json) => {
        const { tag = '' } = captureHeader('tag', 'etag')(reply, json);
        return { tag: tag || '"none"', 'plain tag': (tag || '"none"').slice(0, -1) };
      },
    }),
    ...ENTITY_TAGS.map((tags) =>
      read(target, {
        label: `${name}, If-None-Match: ${tags}`,
        headers: [...headers, ['If-None-Match', tags]],
      }),
    ),
    request('HEAD', target, {
      label: `${name}, HEAD unchanged`,
      headers: [...headers, ['If-None-Match', '{{tag}}']],
    }),
    read(target, {
      label: `${name}, unchanged and compressed`,
      headers: [...headers, ['If-None-Match', '{{tag}}'], ['Accept-Encoding', 'br, gzip']],
    }),
    read(target, { label: `${name}, If-Match on a read`, headers: [...headers, ['If-Match', '"other"']] }),
    read(target, {
      label: `${name}, If-Modified-Since`,
      headers: [...headers, ['If-Modified-Since', 'Sat, 21 Nov 2099 12:00:00 GMT']],
    }),
    read(target, { label: `${name}, Range`, headers: [...headers, ['Range', 'bytes=0-9']] }),
  ];
}

/** Whole lists, which are streamed, in every format, plain and compressed. */
export function longReplies(): ListedRequest[] {
  const { read, request } = group('long');
  const targets = [
    `${API}/PriceSeriePrice/`,
    `${FPMA}/FpmaSeriePrice/`,
    `${API}/FxRate/`,
    `${API}/Cpi/?page_size=10000`,
    `${API}/PriceSerie/?page_size=10000`,
    `${API}/PriceSeriePrice/${SERIES.derived}/`,
    `${API}/PriceSeriePrice/?periodicity=monthly&start_date=2024-01-01&admin_units=${encoded('Upper delta')}`,
  ];
  return targets.flatMap((target) =>
    ['json', 'csv', 'ndjson'].flatMap((format) => {
      const address = `${target}${target.includes('?') ? '&' : '?'}format=${format}`;
      return [
        read(address),
        read(address, { label: `GET ${address} br`, headers: [['Accept-Encoding', 'br']] }),
        read(address, { label: `GET ${address} gzip`, headers: [['Accept-Encoding', 'gzip']] }),
        request('HEAD', address, { headers: [['Accept-Encoding', 'gzip']] }),
      ];
    }),
  );
}
