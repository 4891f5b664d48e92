import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { group, type ListedRequest } from './request.js';
import { API, FPMA } from './seeds.js';

/** The importer's own fixtures, from the sources: this file is in `dist/test/answers/list`. */
const fixtures = join(import.meta.dirname, '../../../../test/fixtures/import');

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

const PRICES =
  'uuid,iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const row = (date: string, price: string) =>
  `2d1f1b7e-41d5-5b7c-9a61-0f3f5c9f3a10,KEN,Maize,RETAIL,Kitui,Ministry,KES,90 kg,${date},monthly,${price}`;
const csv = (...rows: string[]) => [PRICES, ...rows, ''].join('\r\n');

const IMPORT = `${API}/Import/`;

/**
 * Uploads: every fixture as a dry run, for good, and again; and everything that can be wrong with
 * one.
 */
export function imports(): ListedRequest[] {
  return [...ownFiles(), ...fixtureFiles(), ...rejected(), ...sizes()];
}

function fixtureFiles(): ListedRequest[] {
  const { write } = group('import');
  return ['ok', 'not-ok'].flatMap((folder) =>
    readdirSync(join(fixtures, folder))
      .sort()
      .flatMap((file) => {
        const [, stem = '', extension = ''] = /^(.*)\.(\w+)$/.exec(file) ?? [];
        const format = stem === 'records_with_faults' ? 'Commodity' : (stem.split('_')[0] ?? '');
        const known = /^(wfp|prices|fpma|fx|cpi|[A-Z].*)$/.test(format) ? format : 'prices';
        const country = /ken|lka|ind/.exec(stem)?.[0];
        const query = `?format=${known}${country === undefined ? '' : `&country=${country}`}`;
        const send = (label: string, more = '') =>
          write('POST', `${IMPORT}${query}${more}`, {
            label: `${folder}/${file} ${label}`,
            body: readFileSync(join(fixtures, folder, file)),
            type: TYPES[extension] ?? null,
          });
        return [send('tried', '&dry_run=true'), send('stored'), send('stored again')];
      }),
  );
}

function ownFiles(): ListedRequest[] {
  const { write } = group('import');
  const good = csv(row('2026-01-01', '50'), row('2026-02-01', '0'), row('2026-03-01', '52.5'));
  const packed = gzipSync(good);
  return [
    write('POST', `${IMPORT}?format=prices&dry_run=true`, {
      label: 'prices tried',
      body: good,
      type: 'text/csv',
    }),
    write('POST', `${IMPORT}?format=prices`, { label: 'prices', body: good, type: 'text/csv' }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'prices in chunks',
      body: good,
      type: 'text/csv',
      chunked: true,
    }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'prices as gzip',
      body: packed,
      type: 'application/gzip',
    }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'prices encoded by gzip',
      body: packed,
      type: 'text/csv',
      headers: [['Content-Encoding', 'gzip']],
    }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'prices changed',
      body: csv(row('2026-01-01', '51'), row('2026-01-01', '52'), row('2026-01-01', '51')),
      type: 'text/csv; charset=utf-8',
    }),
    write('POST', `${IMPORT.slice(0, -1)}?format=prices&dry_run=1`, {
      label: 'without slash',
      body: good,
      type: 'text/csv',
    }),
    write('POST', `${FPMA}/Import/?format=prices`, {
      label: 'at the address of FPMA',
      body: good,
      type: 'text/csv',
    }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'with a mark at its start',
      body: `\ufeff${good}`,
      type: 'text/csv',
    }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'lines end in LF',
      body: good.replaceAll('\r', ''),
      type: 'text/csv',
    }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'with an Idempotency-Key',
      body: good,
      type: 'text/csv',
      headers: [['Idempotency-Key', 'import']],
    }),
  ];
}

function rejected(): ListedRequest[] {
  const { request, write } = group('import rejected');
  const good = csv(row('2026-01-01', '50'));
  const send = (
    label: string,
    query: string,
    body: string | Buffer = good,
    type: string | null = 'text/csv',
  ) => write('POST', `${IMPORT}${query}`, { label, body, type });
  return [
    send('no format', ''),
    send('an unknown format', '?format=xlsx'),
    send('a format in another case', '?format=PRICES'),
    send('two formats', '?format=prices&format=wfp'),
    send('many faults', '?format=xlsx&dry_run=perhaps&fromat=x&period=yearly&country=K1'),
    send('an unknown parameter', '?format=prices&fromat=x'),
    send('bad encoding', '?format=prices&source=%zz'),
    send(
      'an option of another format',
      '?format=prices&country=KEN&source=x&period=daily&include_forecast=true',
    ),
    send('a header of nothing', '?format=wfp', 'a,b,c\r\n1,2,3\r\n'),
    send('no JSON', '?format=fpma', '{"x":', 'application/json'),
    send('JSON of nothing', '?format=fpma', '{"x":1}', 'application/json'),
    send('JSON for a CSV format', '?format=prices', '[]', 'application/json'),
    send('empty', '?format=prices', ''),
    send('a header alone', '?format=prices', `${PRICES}\r\n`),
    send('an open quote', '?format=prices', `${PRICES}\r\n"x`),
    send('too few columns', '?format=prices', `${PRICES}\r\na,b\r\n`),
    send('not UTF-8', '?format=prices', Buffer.from(`${PRICES}\r\n\xff\xfe\r\n`, 'latin1')),
    send('a NUL', '?format=prices', `${PRICES}\r\n\0\r\n`),
    send('no gzip', '?format=prices', 'no gzip', 'application/gzip'),
    send('cut gzip', '?format=prices', gzipSync(good).subarray(0, 40), 'application/gzip'),
    send('as XML', '?format=prices', good, 'application/xml'),
    send('without a type', '?format=prices', good, null),
    send('as a form', '?format=prices', 'format=prices', 'application/x-www-form-urlencoded'),
    send('in another charset', '?format=prices', good, 'text/csv; charset=utf-16'),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'in another encoding',
      body: good,
      type: 'text/csv',
      headers: [['Content-Encoding', 'br']],
    }),
    write('POST', `${IMPORT}?format=prices`, {
      label: 'Accept rules JSON out',
      body: good,
      type: 'text/csv',
      headers: [['Accept', 'text/html']],
    }),
    request('POST', `${IMPORT}?format=prices`, { label: 'without a token', body: good, type: 'text/csv' }),
    request('POST', `${IMPORT}?format=xlsx`, {
      label: 'without a token, and bad',
      body: good,
      type: 'text/xml',
    }),
    write('GET', IMPORT, { label: 'GET is not offered' }),
  ];
}

/** One byte more than the recorder's own setting of IMPORT_MAX_BYTES. */
const TOO_MUCH = 300 * 1024 + 1;

function sizes(): ListedRequest[] {
  const { request, write } = group('import rejected');
  const long = `${PRICES}\r\n`.padEnd(TOO_MUCH, `${row('2026-01-01', '50')}\r\n`);
  const target = `${IMPORT}?format=prices&dry_run=true`;
  return [
    write('POST', target, { label: 'too much', body: long, type: 'text/csv' }),
    write('POST', target, { label: 'too much in chunks', body: long, type: 'text/csv', chunked: true }),
    write('POST', target, {
      label: 'too much when unpacked',
      body: gzipSync(long),
      type: 'application/gzip',
    }),
    write('POST', target, { label: 'just not too much', body: long.slice(0, -1), type: 'text/csv' }),
    request('POST', target, { label: 'too much without a token', body: long, type: 'text/csv' }),
  ];
}
