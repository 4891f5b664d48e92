import BetterSqlite3 from 'better-sqlite3';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { dayFromIso, isoFromDay } from '../src/lib/dates/calendar-date.js';
import { toSignificantDigits } from '../src/lib/numbers/significant-digits.js';
import {
  Conversion,
  DOLLAR_RATES,
  monthlyIndices,
  monthlyRates,
  type MonthlyValues,
} from '../src/prices/derive/conversion.js';
import { derive, newestFirst, StoredPoints } from '../src/prices/derive/derivation.js';
import { parsePointId, pointId } from '../src/prices/store/point-id.js';
import { MONTHLY, PERIOD_NAMES, type Period } from '../src/price-series/periodicity.js';

/*
 * The floors that the service is measured against, one process for both.
 *
 *   node floor.js PORT DATABASE_URL
 *
 * A: a finished reply, sent by a bare node:http server; the parent sends them as
 *    {path, status, headers, body} messages.
 * B: the service's own URLs, served by hand-written code that runs SQL through the bare driver,
 *    without a framework, a cache or error handling; writes also without checks of their token,
 *    their body and the record.
 *
 * /delay returns the event loop delay of this process since it was last read, in milliseconds at
 * the 99th percentile. While the floor is idle, that is the delay caused by the machine.
 */

type Value = string | number;
type Query = (sql: string, values: readonly Value[]) => Promise<unknown[][]>;

function driver(url: string): Query {
  if (url.startsWith('sqlite:')) {
    const database = new BetterSqlite3(url.slice('sqlite:'.length), { readonly: true });
    const statements = new Map<string, BetterSqlite3.Statement>();
    return async (sql, values) => {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = database.prepare(sql).raw(true)));
      return statement.all(...values) as unknown[][];
    };
  }
  const pool = createPool({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    connectionLimit: 10,
    rowsAsArray: true,
  });
  return async (sql, values) => (await pool.query<RowDataPacket[][]>(sql, [...values]))[0];
}

type Write = (statements: readonly (readonly [sql: string, values: readonly Value[]])[]) => Promise<number>;

/** Runs statements in a transaction. Returns the id that the first one has created. */
function writer(url: string): Write {
  if (url.startsWith('sqlite:')) {
    const database = new BetterSqlite3(url.slice('sqlite:'.length), { timeout: 5000 });
    database.pragma('synchronous = FULL');
    const prepared = new Map<string, BetterSqlite3.Statement>();
    const run = (sql: string, values: readonly Value[] = []) => {
      let statement = prepared.get(sql);
      if (statement === undefined) prepared.set(sql, (statement = database.prepare(sql)));
      return Number(statement.run(...values).lastInsertRowid);
    };
    return async (statements) => {
      run('BEGIN IMMEDIATE');
      const [id] = statements.map(([sql, values]) => run(sql, values));
      run('COMMIT');
      return id!;
    };
  }
  const pool = createPool({ uri: url.replace(/^mariadb:/, 'mysql:'), connectionLimit: 10 });
  return async (statements) => {
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    let id = 0;
    for (const [sql, values] of statements) {
      const [{ insertId }] = await connection.query<ResultSetHeader>(sql, [...values]);
      id ||= insertId;
    }
    await connection.commit();
    connection.release();
    return id;
  };
}

const FROM_SERIES = 'FROM price_serie s JOIN market m ON m.id = s.market_id';
const ENTRY = `SELECT s.id, s.uuid, m.iso3_country_code, m.country_name, c.name, c.id, c.hs_code, c.category, t.name, t.id, m.name, m.id,
  m.type, m.admin_unit, m.admin_unit2, m.latitude, m.longitude, o.name, o.id, s.currency, u.name, u.id, u.conversion_factor,
  m.regional_average
  ${FROM_SERIES} JOIN commodity c ON c.id = s.commodity_id JOIN price_type t ON t.id = s.price_type_id
  JOIN source o ON o.id = s.source_id JOIN measure_unit u ON u.id = s.measure_unit_id`;

const placeholders = (values: readonly unknown[]) => values.map(() => '?').join(',');

/** The conditions for the parameters that the benchmark generates. */
function conditions(query: URLSearchParams): { where: string; values: Value[] } {
  const terms: string[] = [];
  const values: Value[] = [];
  const list = (name: string, column: string, read: (item: string) => Value) => {
    const items = query.get(name)?.split(',').map(read);
    if (items === undefined) return;
    terms.push(`${column} IN (${placeholders(items)})`);
    values.push(...items);
  };
  list('iso3_country_codes', 'm.iso3_country_code', String);
  list('price_types_ids', 's.price_type_id', Number);
  list('sources_ids', 's.source_id', Number);
  list('commodity_ids', 's.commodity_id', Number);
  list('uuid__in', 's.uuid', String);
  const periodicity = query.get('periodicity');
  if (periodicity !== null) {
    terms.push('EXISTS (SELECT 1 FROM series_period p WHERE p.serie_id = s.id AND p.period = ?)');
    values.push({ daily: 1, weekly: 2, monthly: 3 }[periodicity]!);
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

interface Entry {
  id: number;
  currency: string;
  country: string;
  factor: number | null;
  view: Record<string, unknown>;
}

async function entries(query: Query, ids: readonly number[]): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const rows = await query(
    `${ENTRY} WHERE s.id IN (${placeholders(ids)}) ORDER BY m.iso3_country_code, s.uuid`,
    ids,
  );
  const periods = await query(
    `SELECT serie_id, period, start_day, end_day, calculated FROM series_period WHERE serie_id IN (${placeholders(ids)}) ORDER BY serie_id, period`,
    ids,
  );
  const bySerie = new Map<number, unknown[]>();
  const last = new Map<number, number>();
  for (const [serie, period, start, end, calculated] of periods as [
    number,
    Period,
    number,
    number,
    number,
  ][]) {
    const items = bySerie.get(serie) ?? [];
    bySerie.set(serie, items);
    const item = { period: PERIOD_NAMES[period], start_date: isoFromDay(start), end_date: isoFromDay(end) };
    items.push(calculated ? { ...item, calculated: true } : item);
    last.set(serie, Math.max(last.get(serie) ?? 0, end));
  }
  return rows.map((row) => {
    const r = row as (string & number)[];
    const id = r[0]!;
    return {
      id,
      currency: r[19]!,
      country: r[2]!,
      factor: r[22]!,
      view: {
        uuid: r[1],
        iso3_country_code: r[2],
        country_name: r[3],
        commodity: r[4],
        commodity_id: r[5],
        hs_code: r[6] ?? '',
        category: r[7],
        price_type: r[8],
        price_type_id: r[9],
        market: r[10],
        market_id: r[11],
        market_type: r[12],
        admin_unit: r[13],
        admin_unit2: r[14],
        latitude: r[15],
        longitude: r[16],
        source: r[17],
        source_id: r[18],
        currency: r[19],
        measure_unit: r[20],
        measure_unit_id: r[21],
        conversion_factor: r[22],
        regional_average: Boolean(r[23]),
        last_price_date: last.has(id) ? isoFromDay(last.get(id)!) : null,
        periodicity: bySerie.get(id) ?? [],
      },
    };
  });
}

async function list(query: Query, url: URL): Promise<unknown> {
  const { where, values } = conditions(url.searchParams);
  const page = Number(url.searchParams.get('page') ?? 1);
  const size = Number(url.searchParams.get('page_size') ?? 100);
  const [[count]] = (await query(`SELECT COUNT(*) ${FROM_SERIES} ${where}`, values)) as [[number]];
  const keys = await query(
    `SELECT s.id ${FROM_SERIES} ${where} ORDER BY m.iso3_country_code, s.uuid LIMIT ? OFFSET ?`,
    [...values, size, (page - 1) * size],
  );
  const found = await entries(
    query,
    keys.map(([id]) => id as number),
  );
  const linkTo = (pairs: string[]) =>
    `${url.origin}${url.pathname}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  const link = (to: number) => {
    const pairs = url.search
      .slice(1)
      .split('&')
      .filter((pair) => pair !== '');
    const isPage = (pair: string) => decodeURIComponent(pair).startsWith('page=');
    if (to === 1) return linkTo(pairs.filter((pair) => !isPage(pair)));
    const withPage = pairs.some(isPage) ? pairs : [...pairs, 'page='];
    return linkTo(withPage.map((pair) => (isPage(pair) ? `page=${to}` : pair)));
  };
  return {
    count,
    next: page * size < count ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    results: found.map(({ view }) => view),
  };
}

async function storedPoints(query: Query, found: readonly Entry[]): Promise<Map<number, StoredPoints>> {
  const stored = new Map(found.map(({ id }) => [id, new StoredPoints()]));
  const points = await query(
    `SELECT serie_id, period, day, value, calculated, comment FROM observation WHERE serie_id IN (${placeholders(found)}) ORDER BY serie_id, period, day`,
    found.map(({ id }) => id),
  );
  for (const [serie, period, day, value, calculated, comment] of points) {
    stored
      .get(serie as number)!
      .add(period as Period, day as number, value as number, Boolean(calculated), comment as string | null);
  }
  return stored;
}

/** The monthly prices of some series, by month. */
async function table(query: Query, url: URL): Promise<unknown> {
  const { where, values } = conditions(url.searchParams);
  const keys = await query(`SELECT s.id ${FROM_SERIES} ${where}`, values);
  const found = await entries(
    query,
    keys.map(([id]) => id as number),
  );
  const stored = await storedPoints(query, found);
  const days = new Set<number>();
  const columns = found.map(({ id }) => {
    const column = new Map<number, number>();
    newestFirst(derive(stored.get(id)!), (served, index) => {
      if (served.period !== MONTHLY || served.isPartial(index)) return;
      days.add(served.days[index]!);
      column.set(served.days[index]!, toSignificantDigits(served.values[index]!));
    });
    return column;
  });
  const newest = [...days].sort((one, other) => other - one);
  const labels = found.map(
    ({ view: { country_name, market, commodity, price_type, currency, measure_unit } }) =>
      [country_name, market, commodity, price_type, `${currency}/${measure_unit}`].join(' · '),
  );
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return {
    dates: newest.map(isoFromDay),
    columns: found.map(({ view: { uuid, ...series } }, index) => {
      const label = labels[index]!;
      const isAlone = counts.get(label) === 1;
      return { uuid, label: isAlone ? label : `${label} [${(uuid as string).slice(0, 8)}]`, ...series };
    }),
    values: newest.map((day) => columns.map((column) => column.get(day) ?? null)),
  };
}

/** @param latest the most points of each frequency */
async function prices(query: Query, uuids: readonly string[], latest = Infinity): Promise<unknown[]> {
  const keys = await query(`SELECT id FROM price_serie WHERE uuid IN (${placeholders(uuids)})`, uuids);
  const found = await entries(
    query,
    keys.map(([id]) => id as number),
  );
  const rates = new Map<string, MonthlyValues>();
  const indices = new Map<string, MonthlyValues>();
  for (const { currency, country } of found) {
    if (!rates.has(currency)) {
      const rows = await query(
        "SELECT date, rate, period FROM fx_rate WHERE currency = ? AND rate_type = 'official' ORDER BY date",
        [currency],
      );
      const dated = rows.map(([date, rate, period]) => ({
        day: dayFromIso(date as string)!,
        rate: rate as number,
        period: period as 'daily' | 'monthly',
      }));
      rates.set(currency, currency === 'USD' ? DOLLAR_RATES : monthlyRates(dated));
    }
    if (!indices.has(country)) {
      const rows = await query(
        "SELECT date, value, base_period FROM cpi WHERE iso3_country_code = ? AND item = 'general' ORDER BY date",
        [country],
      );
      indices.set(
        country,
        monthlyIndices(
          rows.map(([date, value, base]) => ({
            day: dayFromIso(date as string)!,
            value: value as number,
            basePeriod: base as string,
          })),
        ),
      );
    }
  }
  const stored = await storedPoints(query, found);
  return found.map(({ id, currency, country, factor, view }) => {
    const conversion = new Conversion(rates.get(currency)!, indices.get(country)!);
    const datapoints: unknown[] = [];
    const counts = [0, 0, 0, 0];
    newestFirst(derive(stored.get(id)!), (served, index) => {
      if (++counts[served.period]! > latest) return;
      const day = served.days[index]!;
      const value = served.values[index]!;
      const point = {
        id: pointId(id, served.period, day),
        price_value: value,
        price_value_real: conversion.real(value, served.period, day),
        price_value_dollar: conversion.dollar(value, served.period, day),
        conversion_factor: factor,
        date: isoFromDay(day),
        periodicity: PERIOD_NAMES[served.period],
        comment: served.comments?.[index] ?? '',
      };
      datapoints.push(
        served.calculated
          ? { ...point, calculated: true, ...(served.isPartial(index) ? { partial: true } : {}) }
          : point,
      );
    });
    return { uuid: view.uuid, series: view, datapoints };
  });
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, Value>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, Value>;
}

const AUDIT =
  'INSERT INTO audit_log (`at`, account_id, token_id, request_id, table_name, record_id, action, `after`) VALUES (?, 1, ?, ?, ?, ?, ?, ?)';
const audit = (...values: Value[]): [string, Value[]] => [
  AUDIT,
  [new Date().toISOString(), '', '', ...values],
];

async function createCommodity(body: Record<string, Value>): Promise<unknown> {
  const { commodity_name: name = '', commodity_category: category = '' } = body;
  const id = await write([
    ['INSERT INTO commodity (name, category) VALUES (?, ?)', [name, category]],
    audit('commodity', 0, 'create', JSON.stringify(body)),
    ['UPDATE data_revision SET reference_revision = revision + 1, revision = revision + 1', []],
  ]);
  return { id, name, hs_code: null, category };
}

async function changePrice(id: number, body: Record<string, Value>): Promise<unknown> {
  const { serieId, period, day } = parsePointId(id)!;
  const { price_value = 0 } = body;
  await write([
    [
      'UPDATE observation SET value = ? WHERE serie_id = ? AND period = ? AND day = ?',
      [price_value, serieId, period, day],
    ],
    audit('observation', id, 'update', JSON.stringify(body)),
    ['UPDATE price_serie SET revision = (SELECT revision + 1 FROM data_revision) WHERE id = ?', [serieId]],
    ['UPDATE data_revision SET series_revision = revision + 1, revision = revision + 1', []],
  ]);
  return { id, price_value, date: isoFromDay(day), periodicity: PERIOD_NAMES[period] };
}

interface FixedReply {
  path: string;
  status: number;
  headers: string[];
  body: string;
}

const [port, databaseUrl] = process.argv.slice(2) as [string, string];
const query = driver(databaseUrl);
const write = writer(databaseUrl);
const fixedReplies = new Map<string, { status: number; headers: string[]; body: Buffer }>();

async function replyTo(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url!, `http://${request.headers.host}`);
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (request.method === 'POST') return createCommodity(await bodyOf(request));
  if (request.method === 'PATCH') return changePrice(Number(segments[4]), await bodyOf(request));
  if (segments[2] === 'PriceSerie') return list(query, url);
  if (segments[2] === 'PriceTable') return table(query, url);
  if (segments[3] !== undefined) {
    const latest = Number(url.searchParams.get('latest') ?? Infinity);
    return (await prices(query, [segments[3]], latest))[0];
  }
  const results = await prices(query, url.searchParams.get('uuid__in')!.split(','));
  return { count: results.length, next: null, previous: null, results };
}

const loopDelay = monitorEventLoopDelay({ resolution: 10 });
loopDelay.enable();

const handle = async (request: IncomingMessage, response: ServerResponse) => {
  const body = Buffer.from(JSON.stringify(await replyTo(request)));
  response.writeHead(request.method === 'POST' ? 201 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(body);
};

// The address of a table of 500 series is longer than Node takes by default.
createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  if (request.url === '/delay') {
    response.end(String(loopDelay.percentile(99) / 1e6));
    loopDelay.reset();
    return;
  }
  const fixedReply = fixedReplies.get(request.url!);
  if (fixedReply === undefined) {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
    return;
  }
  response.writeHead(fixedReply.status, fixedReply.headers);
  response.end(fixedReply.body);
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'));

process.on('message', ({ path, status, headers, body }: FixedReply) => {
  fixedReplies.set(path, { status, headers, body: Buffer.from(body, 'base64') });
  process.send?.('stored');
});
// The parent process has exited.
process.on('disconnect', () => process.exit(0));
