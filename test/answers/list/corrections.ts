import { bearer, group, captureHeader, captureJson, type ListedRequest } from './request.js';
import { API, FPMA, PREFIXES, SERIES } from './seeds.js';

const BODIES: readonly (string | object)[] = [
  { price_value: 0.61 },
  { price_value: 0.61 },
  { price_value: 0.62, comment: 'Checked  ' },
  { comment: '' },
  { comment: 'é 🌾' },
  {},
  { price_value: null },
  { price_value: '0.5' },
  { price_value: 0 },
  { price_value: -1 },
  '{"price_value":1e400}',
  '{"price_value":1.2345678901234567}',
  '{"price_value":1e-101}',
  '{"price_value":true}',
  { comment: null },
  { comment: 5 },
  { comment: 'x'.repeat(501) },
  { comment: 'x'.repeat(5001) },
  { comment: 'a\u0000b' },
  { id: 1 },
  { date: '2026-01-01' },
  { periodicity: 'daily' },
  { price_value_dollar: 1 },
  { calculated: true },
  { unknown: 1 },
  { price_valu: 1 },
  '[]',
  '{"price_value":',
  '',
];

/** Corrections of single prices, and what is read afterwards. */
export function corrections(): ListedRequest[] {
  const { request, write, read } = group('corrections');
  const address = (uuid: string, id: string) => `${API}/PriceSeriePrice/${uuid}/${id}/`;
  const own = address(SERIES.daily, '{{point}}');
  const point = (name: string, uuid: string, periodicity: string) =>
    request('GET', `${API}/PriceSeriePrice/${uuid}/?periodicity=${periodicity}&latest=1`, {
      label: `the point ${name}`,
      capture: captureJson({ [name]: 'datapoints.0.id' }),
    });
  const reads = (when: string) => [
    read(own, { label: `the point ${when}` }),
    read(`${API}/PriceSeriePrice/${SERIES.daily}/?latest=2`, { label: `the prices ${when}` }),
    read(`${API}/PriceSerie/${SERIES.daily}/`, { label: `the series ${when}` }),
    read(`${FPMA}/FpmaSeriePrice/${SERIES.daily}/?latest=2`, { label: `the prices for FPMA ${when}` }),
    read(`${API}/PriceSeriePrice/?uuid__in=${SERIES.daily}&latest=2&format=csv`, {
      label: `the prices as CSV ${when}`,
    }),
  ];
  const tags = ['{{tag}}', '"other"', 'W/{{tag}}', '*', 'garbage'];
  return [
    point('derived', SERIES.daily, 'weekly'),
    point('derived month', SERIES.derived, 'monthly'),
    point('week', SERIES.weekly, 'weekly'),
    ...reads('before'),
    ...PREFIXES.map((prefix) =>
      write('PATCH', `${prefix}/PriceSeriePrice/${SERIES.daily}/{{point}}`, { body: { price_value: 0.6 } }),
    ),
    request('PATCH', own, { label: 'without a token', body: { price_value: 1 } }),
    request('DELETE', own, { label: 'deleted without a token' }),
    ...BODIES.map((body, index) =>
      write('PATCH', own, { label: `body ${index} ${JSON.stringify(body).slice(0, 60)}`, body }),
    ),
    write('PATCH', own, { label: 'as text', body: '{"price_value":1}', type: 'text/plain' }),
    write('PATCH', own, {
      label: 'as a merge patch',
      body: '{"price_value":0.64}',
      type: 'application/merge-patch+json',
      capture: captureHeader('tag', 'etag'),
    }),
    ...tags.map((tag) =>
      write('PATCH', own, {
        label: `If-Match: ${tag}`,
        body: { price_value: 0.65 },
        headers: [['If-Match', tag]],
      }),
    ),
    write('PATCH', own, {
      label: 'If-None-Match: *',
      body: { price_value: 0.65 },
      headers: [['If-None-Match', '*']],
    }),
    write('PATCH', `${own}?x=1`, { label: 'an unknown parameter', body: { price_value: 0.65 } }),
    write('PUT', own, { label: 'PUT is not offered', body: { price_value: 0.65 } }),
    ...reads('after the changes'),
    ...[
      ['a derived week', address(SERIES.daily, '{{derived}}')],
      ['a derived month', address(SERIES.derived, '{{derived month}}')],
      ['a point of another series', address(SERIES.weekly, '{{point}}')],
      ['an unknown point', address(SERIES.daily, '1')],
      ['an id that is none', address(SERIES.daily, 'x')],
      ['an unknown series', address(SERIES.unknown, '{{point}}')],
      ['a series that is none', address('x', '{{point}}')],
    ].flatMap(([label = '', target = '']) => [
      request('GET', target, { label: `${label} read` }),
      write('PATCH', target, { label: `${label} changed`, body: { price_value: 1 } }),
      write('PATCH', target, { label: `${label} changed badly`, body: { price_value: -1 } }),
      write('DELETE', target, { label: `${label} deleted` }),
    ]),
    request('GET', address(SERIES.weekly, '{{week}}'), {
      label: 'a week read',
      capture: captureHeader('tag', 'etag'),
    }),
    write('DELETE', address(SERIES.weekly, '{{week}}'), {
      label: 'a week deleted with another tag',
      headers: [['If-Match', '"other"']],
    }),
    request('DELETE', address(SERIES.weekly, '{{week}}'), {
      label: 'a week deleted',
      headers: [...bearer('access'), ['If-Match', '{{tag}}']],
    }),
    write('DELETE', address(SERIES.weekly, '{{week}}'), { label: 'a week deleted again' }),
    read(`${API}/PriceSeriePrice/${SERIES.weekly}/?latest=3`, { label: 'the rest of the weeks' }),
    write('DELETE', own, { label: 'the point deleted' }),
    ...reads('after the end'),
  ];
}
