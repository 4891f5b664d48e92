import { gzipSync } from 'node:zlib';
import { bearer, group, captureJson, type Headers, type ListedRequest } from './request.js';
import { fieldValues } from './field-values.js';
import { API, TABLES, only, written, type Field, type Table } from './seeds.js';

const KIB = 1024;

/** A body, and how it is sent. */
interface Sample {
  label: string;
  body: string | Buffer | object;
  type?: string | null;
  chunked?: boolean;
  headers?: Headers;
  query?: string;
}

const METHODS = ['POST', 'PUT', 'PATCH'] as const;
type Method = (typeof METHODS)[number];

/** B1 to B17 on every table, with every method that takes a body, with and without a token. */
export function bodies(): ListedRequest[] {
  return TABLES.flatMap((table) => [
    makeOwn(table),
    ...METHODS.flatMap((method) =>
      samples(table, method).flatMap((sample) => [
        send(table, method, sample, true),
        send(table, method, sample, false),
      ]),
    ),
    ...ids(table),
  ]);
}

/** A record that the samples change, so that those of the sample data stay as they are. */
function makeOwn(table: Table): ListedRequest {
  return group('bodies').write('POST', `${API}/${table.name}/`, {
    label: `${table.name} to be changed`,
    body: written(table, { ...table.whole, ...table.other(0) }),
    capture: captureJson({ [`own ${table.name}`]: 'id' }),
  });
}

function send(table: Table, method: Method, sample: Sample, signedIn: boolean): ListedRequest {
  const { request } = group('bodies');
  const one = method === 'POST' ? '' : `{{own ${table.name}}}/`;
  return request(method, `${API}/${table.name}/${one}${sample.query ?? ''}`, {
    label: `${method} ${table.name} ${sample.label}${signedIn ? '' : ', no token'}`,
    body: sample.body,
    ...(sample.type === undefined ? {} : { type: sample.type }),
    ...(sample.chunked === undefined ? {} : { chunked: sample.chunked }),
    headers: [...(signedIn ? bearer('access') : []), ...(sample.headers ?? [])],
  });
}

/** Numbers the records that samples make, for each of them its own unique fields. */
class Numbers {
  private next = 1;
  constructor(private readonly table: Table) {}

  /** A good body in read names. */
  good(method: Method): Record<string, unknown> {
    const { whole, other, required, change } = this.table;
    if (method === 'PATCH') return { ...change };
    return only({ ...whole, ...other(method === 'POST' ? this.next++ : 0) }, required);
  }
}

function samples(table: Table, method: Method): Sample[] {
  const numbers = new Numbers(table);
  const good = () => written(table, numbers.good(method));
  const text = () => JSON.stringify(good());
  return [
    ...mediaTypes(text),
    ...sizes(good),
    ...notJson(),
    ...notObjects(table),
    ...names(table, good),
    ...bothNames(table, good),
    ...identities(table, method, good),
    ...missing(table, good),
    ...Object.entries(table.fields).flatMap(([name, field]) => values(table, name, field, good)),
    ...outside(text),
  ];
}

/** B5. */
function mediaTypes(text: () => string): Sample[] {
  const types = [
    null,
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/json',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/vnd.api+json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=UTF-8',
    'application/json;charset="utf-8"',
    'APPLICATION/JSON',
    'application/json; version=1',
    'json',
    '',
    'application/json, text/plain',
  ];
  return [
    ...types.map((type) => ({ label: `as ${type}`, body: text(), type })),
    { label: 'without a type and empty', body: '', type: null },
    { label: 'compressed', body: gzipSync(text()), headers: [['Content-Encoding', 'gzip']] },
    { label: 'said to be gzip', body: text(), headers: [['Content-Encoding', 'gzip']] },
    { label: 'Content-Encoding: identity', body: text(), headers: [['Content-Encoding', 'identity']] },
    { label: 'Accept rules JSON out', body: text(), headers: [['Accept', 'text/html']] },
    { label: 'Accept asks for CSV', body: text(), headers: [['Accept', 'text/csv']] },
    { label: 'Accept-Encoding: br', body: text(), headers: [['Accept-Encoding', 'br']] },
    { label: 'in chunks', body: text(), chunked: true },
  ];
}

/** B6. */
function sizes(good: () => object): Sample[] {
  const ofSize = (bytes: number) => {
    const text = JSON.stringify({ ...good(), padding: '' });
    return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`);
  };
  return [
    { label: 'of 100 KiB', body: ofSize(100 * KIB) },
    { label: 'of 100 KiB and a byte', body: ofSize(100 * KIB + 1) },
    { label: 'of 200 KiB', body: ofSize(200 * KIB) },
    { label: 'of 100 KiB in chunks', body: ofSize(100 * KIB), chunked: true },
    { label: 'of 200 KiB in chunks', body: ofSize(200 * KIB), chunked: true },
  ];
}

/** B7. */
function notJson(): Sample[] {
  const texts = [
    '',
    '  \n ',
    '{"a":1',
    '{"a":"x',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":1}\n{',
    '{"a":1}}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '{"a":"\t"}',
    '{a:1}',
    '{"a" 1}',
    '{"a":1 // comment\n}',
    '{"a":1,"a":2}',
    '\ufeff{}',
    'undefined',
    'tru',
  ];
  return [
    ...texts.map((body) => ({ label: `not JSON ${JSON.stringify(body)}`, body })),
    { label: 'not UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    { label: 'in UTF-16', body: Buffer.from('{"a":1}', 'utf16le') },
    { label: 'a NUL byte', body: Buffer.from('{"a":"\0"}') },
    { label: 'a password that must not be repeated', body: '{"password":"hunter2 hunter2",}' },
  ];
}

/** B8. */
function notObjects(table: Table): Sample[] {
  const [name = ''] = Object.keys(table.fields);
  const field = `${table.prefix}_${name}`;
  return [
    ...['[]', '[{}]', '"text"', '5', 'null', 'true', '""'].map((body) => ({
      label: `no object ${body}`,
      body,
    })),
    { label: '14,000 arrays', body: '['.repeat(14_000) },
    { label: '14,000 closed arrays', body: '['.repeat(14_000) + ']'.repeat(14_000) },
    { label: '14,000 objects', body: '{"a":'.repeat(14_000) + '1' + '}'.repeat(14_000) },
    { label: 'a field 14,000 deep', body: `{"${field}":${'['.repeat(14_000)}${']'.repeat(14_000)}}` },
  ];
}

/** B9. */
function names(table: Table, good: () => object): Sample[] {
  const more = (text: string) => `${JSON.stringify(good()).slice(0, -1)},${text}}`;
  const [name = ''] = Object.keys(table.fields);
  return [
    ...['"unknown":1', '"__proto__":{"x":1}', '"constructor":1', '"prototype":{}', '"":1', '"id ":1'].map(
      (text) => ({
        label: `with ${text}`,
        body: more(text),
      }),
    ),
    { label: 'a field in capitals', body: more(`"${name.toUpperCase()}":1`) },
    { label: 'a field misspelt', body: more(`"${table.prefix}_${name}e":1`) },
    { label: 'a field of another table', body: more('"source_licence":"x"') },
    {
      label: '21 unknown fields',
      body: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`u${n}`, n])),
    },
    { label: 'a long name', body: { ['x'.repeat(300)]: 1 } },
  ];
}

/** B10. */
function bothNames(table: Table, good: () => Record<string, unknown>): Sample[] {
  const [name = ''] = Object.keys(table.change);
  const value = table.change[name];
  const different = typeof value === 'number' ? value + 1 : `${String(value)}1`;
  return [
    { label: 'in read names', body: readNames(table, good()) },
    { label: 'both names, equal', body: { ...good(), [`${table.prefix}_${name}`]: value, [name]: value } },
    {
      label: 'both names, different',
      body: { ...good(), [`${table.prefix}_${name}`]: value, [name]: different },
    },
    { label: 'both names, one null', body: { ...good(), [`${table.prefix}_${name}`]: value, [name]: null } },
    {
      label: 'every field under both names',
      body: { ...good(), ...written(table, table.whole), ...table.whole, ...table.other(9999) },
    },
  ];
}

function readNames({ prefix }: Table, body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name.slice(prefix.length + 1), value]),
  );
}

/** B11. */
function identities(table: Table, method: Method, good: () => object): Sample[] {
  const own = `{{own ${table.name}}}`;
  const id = (text: string, name = `${table.prefix}_id`) =>
    `{"${name}":${text},${JSON.stringify(good()).slice(1)}`;
  return [
    { label: 'its own id', body: id(own) },
    { label: 'its own id as read', body: id(own, 'id') },
    { label: 'its own id twice', body: `{"id":${own},${id(own).slice(1)}` },
    { label: 'another id', body: id('999999') },
    { label: 'another id as read', body: id('999999', 'id') },
    { label: 'two ids', body: `{"id":1,${id('2').slice(1)}` },
    { label: 'an id that is text', body: id(`"${method === 'POST' ? '1' : own}"`) },
    { label: 'an id that is null', body: id('null') },
    { label: 'an id that is no integer', body: id('1.5') },
  ];
}

/** B13. */
function missing(table: Table, good: () => Record<string, unknown>): Sample[] {
  return [
    { label: 'no field at all', body: {} },
    ...table.required.map((name) => ({
      label: `without ${name}`,
      body: omit(good(), `${table.prefix}_${name}`),
    })),
    ...Object.keys(table.fields).map((name) => ({
      label: `${name} null`,
      body: { ...good(), [`${table.prefix}_${name}`]: null },
    })),
    {
      label: 'every field null',
      body: written(table, Object.fromEntries(Object.keys(table.fields).map((name) => [name, null]))),
    },
  ];
}

/** B12, B14 and B15: one value after the other. */
function values(table: Table, name: string, field: Field, good: () => Record<string, unknown>): Sample[] {
  const key = `${table.prefix}_${name}`;
  return fieldValues(field).map((value) => {
    const rest = omit(good(), key);
    const body = `{"${key}":${value}${Object.keys(rest).length > 0 ? ',' : ''}${JSON.stringify(rest).slice(1)}`;
    return { label: `${name} ${value.slice(0, 60)}${value.length > 60 ? `… ${value.length}` : ''}`, body };
  });
}

function omit(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
}

/** B17, and what else comes with a request. */
function outside(text: () => string): Sample[] {
  return [
    { label: 'X-HTTP-Method-Override', body: text(), headers: [['X-HTTP-Method-Override', 'GET']] },
    { label: 'a token in the query', body: text(), query: '?token={{access}}' },
    { label: 'an unknown parameter', body: text(), query: '?expand=1' },
    { label: 'an unknown parameter and a bad body', body: '{"unknown":1}', query: '?expand=1&x=%zz' },
    { label: 'format=json', body: text(), query: '?format=json' },
    { label: 'format=csv', body: text(), query: '?format=csv' },
    { label: '_=1', body: text(), query: '?_=1' },
  ];
}

const BAD_IDS = ['abc', '0', '-0', '01', '1.0', '1e3', '99999999999999999999', '2147483647'];

/** B1 and B16. */
function ids(table: Table): ListedRequest[] {
  const { request, write } = group('ids');
  const body = written(table, only({ ...table.whole, ...table.other(0) }, table.required));
  return BAD_IDS.flatMap((id) => {
    const target = `${API}/${table.name}/${id}/`;
    return [
      request('GET', target),
      write('PUT', target, { body }),
      write('PATCH', target, { body: written(table, table.change) }),
      write('PATCH', target, { label: `PATCH ${target} with a bad body`, body: { unknown: 1 } }),
      write('DELETE', target),
      request('DELETE', target, { label: `DELETE ${target}, no token` }),
      request('PUT', target, { label: `PUT ${target}, no token`, body }),
    ];
  });
}
