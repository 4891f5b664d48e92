import { bearer, group, captureHeader, captureJson, type ListedRequest } from './request.js';
import { API, FPMA, TABLES, only, written, type Table } from './seeds.js';

/** The life of a record, from the first POST to the second DELETE, on every table. */
export function writes(): ListedRequest[] {
  return TABLES.flatMap((table) => [...life(table), ...preconditions(table), ...repeated(table)]);
}

function life(table: Table): ListedRequest[] {
  const { request, write } = group('writes');
  const list = `${API}/${table.name}/`;
  const record = `${list}{{new ${table.name}}}/`;
  const whole = { ...table.whole, ...table.other(500) };
  const least = only({ ...table.whole, ...table.other(501) }, table.required);
  const label = (text: string) => `${table.name} ${text}`;
  return [
    write('POST', list, {
      label: label('made'),
      body: written(table, whole),
      capture: captureJson({ [`new ${table.name}`]: 'id' }),
    }),
    write('POST', list, { label: label('made again'), body: written(table, whole) }),
    write('POST', list, { label: label('made from the least'), body: written(table, least) }),
    write('POST', list.slice(0, -1), {
      label: label('made at the address without slash'),
      body: written(table, { ...whole, ...table.other(502) }),
    }),
    write('POST', `${FPMA}/${table.name}/`, {
      label: label('made at the address of FPMA'),
      body: { ...whole, ...table.other(503) },
      headers: [['Accept-Encoding', 'br']],
    }),
    request('GET', record, { label: label('read'), repeat: true }),
    request('HEAD', record, { label: label('asked for its head') }),
    request('GET', `${list}?id={{new ${table.name}}}`, { label: label('found by id'), repeat: true }),
    request('GET', `${list}?id={{new ${table.name}}}&format=csv`, { label: label('as CSV'), repeat: true }),
    write('PUT', record, { label: label('replaced by the same'), body: written(table, whole) }),
    write('PUT', record, {
      label: label('replaced by the least'),
      body: written(table, { ...least, ...table.other(500) }),
    }),
    write('PATCH', record, { label: label('changed'), body: written(table, table.change) }),
    write('PATCH', record, { label: label('changed to the same'), body: written(table, table.change) }),
    write('PATCH', record, { label: label('not changed'), body: {} }),
    write('PATCH', record, {
      label: label('changed by a merge patch'),
      body: table.change,
      type: 'application/merge-patch+json',
    }),
    write('PATCH', record, { label: label('changed into another'), body: written(table, table.other(501)) }),
    write('PUT', record, {
      label: label('replaced by another'),
      body: written(table, { ...whole, ...table.other(501) }),
    }),
    request('GET', record, { label: label('read after the changes'), repeat: true }),
    write('DELETE', `${list}{{first ${table.name}}}/`, { label: label('of the sample deleted') }),
    write('DELETE', record, { label: label('deleted with a body'), body: { x: 1 } }),
    write('DELETE', record, { label: label('deleted a second time') }),
    write('PUT', record, { label: label('replaced after the end'), body: written(table, whole) }),
    request('GET', record, { label: label('read after the end') }),
  ];
}

function preconditions(table: Table): ListedRequest[] {
  const { write } = group('preconditions');
  const list = `${API}/${table.name}/`;
  const record = `${list}{{kept ${table.name}}}/`;
  const label = (text: string) => `${table.name} ${text}`;
  const keepTag = captureHeader('tag', 'etag');
  const tags = [
    '"0"',
    '"1"',
    '"2"',
    'W/{{tag}}',
    '{{tag}}',
    '"x", {{tag}}',
    '*',
    'garbage',
    '',
    '"1-br"',
    '{{tag}}, garbage',
  ];
  const variants = tags.flatMap((tag) => [
    ...['If-Match', 'If-None-Match'].flatMap((name) =>
      ['PUT', 'PATCH'].map((method) =>
        write(method, record, {
          label: label(`${method} ${name}: ${tag}`),
          body: written(table, method === 'PUT' ? { ...table.whole, ...table.other(510) } : table.change),
          headers: [[name, tag]],
          capture: (reply, json) => (reply.status === 200 ? keepTag(reply, json) : {}),
        }),
      ),
    ),
  ]);
  return [
    write('POST', list, {
      label: label('made'),
      body: written(table, { ...table.whole, ...table.other(510) }),
      capture: (reply, json) => ({
        ...keepTag(reply, json),
        ...captureJson({ [`kept ${table.name}`]: 'id' })(reply, json),
      }),
    }),
    ...variants,
    write('PATCH', record, {
      label: label('If-Match with a bad body'),
      body: { unknown: 1 },
      headers: [['If-Match', '"0"']],
    }),
    write('DELETE', record, { label: label('DELETE with an old tag'), headers: [['If-Match', '"0"']] }),
    write('DELETE', record, { label: label('DELETE If-None-Match: *'), headers: [['If-None-Match', '*']] }),
    write('DELETE', record, { label: label('DELETE with its tag'), headers: [['If-Match', '{{tag}}']] }),
    write('DELETE', record, { label: label('DELETE after the end'), headers: [['If-Match', '{{tag}}']] }),
    write('PUT', record, {
      label: label('PUT after the end, If-Match: *'),
      body: written(table, { ...table.whole, ...table.other(510) }),
      headers: [['If-Match', '*']],
    }),
  ];
}

/** `Idempotency-Key`. */
function repeated(table: Table): ListedRequest[] {
  const { request, write } = group('idempotency');
  const list = `${API}/${table.name}/`;
  const body = written(table, { ...table.whole, ...table.other(520) });
  const keyed = (label: string, key: string, content: object = body, target = list) =>
    write('POST', target, {
      label: `${table.name} ${label}`,
      body: content,
      headers: [['Idempotency-Key', key]],
    });
  const key = `key-${table.name}`;
  return [
    keyed('first', key),
    keyed('repeated', key),
    keyed('repeated in another order', key, Object.fromEntries(Object.entries(body).reverse())),
    keyed('repeated in read names', key, { ...table.whole, ...table.other(520) }),
    keyed('with another body', key, written(table, { ...table.whole, ...table.other(521) })),
    keyed('without slash', key, body, list.slice(0, -1)),
    keyed('with a parameter', key, body, `${list}?_=1`),
    keyed('at the address of FPMA', key, body, `${FPMA}/${table.name}/`),
    keyed('repeated with a bad body', key, { unknown: 1 }),
    keyed('of a rejection', `${key}-2`, { unknown: 1 }),
    keyed('after a rejection', `${key}-2`, written(table, { ...table.whole, ...table.other(522) })),
    keyed('duplicate under another key', `${key}-3`),
    keyed('empty key', ''),
    keyed('key with a blank', 'a b'),
    keyed('key that is not ASCII', 'ü'),
    keyed('key of 255', 'x'.repeat(255), written(table, { ...table.whole, ...table.other(523) })),
    keyed('key of 256', 'x'.repeat(256)),
    request('POST', list, { label: `${table.name} no token`, body, headers: [['Idempotency-Key', key]] }),
    write('PUT', `${list}{{own ${table.name}}}/`, {
      label: `${table.name} on a PUT`,
      body: written(table, { ...table.whole, ...table.other(0) }),
      headers: [['Idempotency-Key', key]],
    }),
    request('POST', list, {
      label: `${table.name} two keys`,
      body,
      headers: [...bearer('access'), ['Idempotency-Key', key], ['Idempotency-Key', 'other']],
    }),
  ];
}
