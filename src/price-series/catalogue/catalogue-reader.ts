import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ReadView } from '../../database/database.js';
import {
  CatalogueSnapshot,
  type JoinedSeries,
  NO_JOINED_SERIES,
  type SeriesAliases,
} from './catalogue-snapshot.js';
import {
  SERIES_REFERENCE_TABLES,
  ReferenceDictionaries,
  type SeriesReferenceTable,
} from './reference-dictionaries.js';
import { type CatalogueScope, IS_OBSERVED } from '../series-status.js';
import { SELECT_JOINS, SeriesJoins } from '../joins/series-joins.js';
import { ColumnsBuilder, NO_SERIES, type SeriesValues, UuidIndex, uuidWords } from './series-columns.js';

/** Series read by one statement: some milliseconds of work for the embedded engine. */
const SERIES_PER_STATEMENT = 250;
const ALIASES_PER_STATEMENT = 1000;

/** Series with their periodicity items, all in one row, so that LIMIT counts series. */
const SELECT_SERIES = `
  SELECT s.id, s.revision, s.uuid, s.currency, s.commodity_id, s.price_type_id, s.market_id, s.source_id, s.measure_unit_id, s.status,
    d.start_day, d.end_day, d.calculated, w.start_day, w.end_day, w.calculated, m.start_day, m.end_day, m.calculated
  FROM price_serie s
  LEFT JOIN series_period d ON d.serie_id = s.id AND d.period = 1
  LEFT JOIN series_period w ON w.serie_id = s.id AND w.period = 2
  LEFT JOIN series_period m ON m.serie_id = s.id AND m.period = 3`;

/** The statements of a refresh, for series that meet a condition. */
const statementsOf = (condition: string) => ({
  revisions: 'SELECT reference_revision, series_revision FROM data_revision WHERE id = 1',
  /**
   * Of all series, and of those that were not observed. SQLite counts a table without looking at
   * its rows only where a SELECT has nothing else.
   */
  count: 'SELECT (SELECT COUNT(*) FROM price_serie), (SELECT COUNT(*) FROM price_serie WHERE status > 0)',
  joins: SELECT_JOINS,
  /** Differs between any two states of the table. */
  aliasFingerprint: 'SELECT COUNT(*), MAX(since) FROM series_alias',
  /** Parameters: the last uuid read. */
  aliases: `SELECT uuid, serie_id FROM series_alias WHERE uuid > ? ORDER BY uuid LIMIT ${ALIASES_PER_STATEMENT}`,
  joinedUuids:
    'SELECT s.uuid, s.id FROM price_serie s JOIN series_join j ON j.from_id = s.id WHERE j.until IS NULL',
  /** Parameters: the last id read. */
  all: `${SELECT_SERIES} WHERE s.id > ? AND ${condition} ORDER BY s.id LIMIT ${SERIES_PER_STATEMENT}`,
  /** Parameters: the revision of the last series read, twice, and its id. */
  changed: `${SELECT_SERIES} WHERE s.revision >= ? AND (s.revision > ? OR s.id > ?) AND ${condition}
  ORDER BY s.revision, s.id LIMIT ${SERIES_PER_STATEMENT}`,
});

/** The statements for observed series, and for those of every status. */
export const catalogueStatements = { observed: statementsOf(IS_OBSERVED), all: statementsOf('1 = 1') };

/** A series as `SELECT_SERIES` has it: numbers are its records' ids, its status and its items. */
export type SeriesRow = [
  id: number,
  revision: number,
  uuid: string,
  currency: string,
  ...numbers: (number | null)[],
];

/** The data revisions that last changed reference tables and series. */
interface Revisions {
  references: number;
  series: number;
}

/**
 * Reads the series. Given the previous snapshot, only what has changed since is read: the series
 * with a newer revision, and the reference tables that differ.
 * @param query runs all statements in one consistent view of the database
 * @param previous of the same scope
 */
export async function readCatalogue(
  query: ReadView,
  scope: CatalogueScope,
  previous: CatalogueSnapshot | null,
): Promise<CatalogueSnapshot> {
  const timeSlice = new TimeSlice();
  const [row] = await query<[number, number]>(catalogueStatements[scope].revisions);
  const revisions = { references: Number(row![0]), series: Number(row![1]) };
  const changed = previous && (await readChanges(query, scope, previous, revisions, timeSlice));
  return (
    changed ??
    readAll(query, scope, previous?.dictionaries ?? ReferenceDictionaries.none, revisions, timeSlice)
  );
}

async function readAll(
  query: ReadView,
  scope: CatalogueScope,
  previous: ReferenceDictionaries,
  revisions: Revisions,
  timeSlice: TimeSlice,
): Promise<CatalogueSnapshot> {
  const dictionaries = await ReferenceDictionaries.read(query, previous, timeSlice);
  const currencies = new CurrencyList([]);
  const joined = await readJoined(query, NO_JOINED_SERIES);
  const { count, unobserved } = await countSeries(query, scope, joined.joins);
  const builder = new ColumnsBuilder(NO_SERIES, count);
  for (let lastId = 0; ;) {
    const rows = await query<SeriesRow>(catalogueStatements[scope].all, [lastId]);
    for (const row of rows) {
      lastId = row[0];
      if (joined.joins.isJoined(row[0])) continue;
      const values = valuesOf(row, dictionaries, currencies);
      if (values === null || !builder.add(values))
        throw new Error(`Series ${row[0]} refers to a missing record.`);
    }
    await timeSlice.yield();
    if (rows.length < SERIES_PER_STATEMENT) break;
  }
  const columns = await builder.sorted(dictionaries.marketIndex.countryOf, timeSlice);
  return new CatalogueSnapshot(
    { scope, unobserved, asOf: null },
    revisions,
    dictionaries,
    columns,
    currencies.list,
    await UuidIndex.of(columns, timeSlice),
    joined,
  );
}

/** The new snapshot, built from the previous one; null if everything has to be read anew. */
async function readChanges(
  query: ReadView,
  scope: CatalogueScope,
  previous: CatalogueSnapshot,
  revisions: Revisions,
  timeSlice: TimeSlice,
): Promise<CatalogueSnapshot | null> {
  const sameReferences = revisions.references === previous.revisions.references;
  const dictionaries = sameReferences
    ? previous.dictionaries
    : await ReferenceDictionaries.read(query, previous.dictionaries, timeSlice);
  const sameSeries = revisions.series === previous.revisions.series;
  const joined = sameSeries ? previous.joined : await readJoined(query, previous.joined);
  const { count, unobserved } = sameSeries
    ? { count: previous.size, unobserved: previous.shows.unobserved }
    : await countSeries(query, scope, joined.joins);
  // Series were deleted or joined into others: columns cannot shrink.
  if (count < previous.size) return null;
  await timeSlice.yield();

  const builder = new ColumnsBuilder(previous.columns, count);
  await remapReferences(builder, previous.dictionaries, dictionaries, timeSlice);
  const currencies = new CurrencyList(previous.currencies);
  const build: CatalogueBuild = { builder, dictionaries, currencies, joined };
  if (!sameSeries && !(await applyChangedSeries(query, scope, previous, build, timeSlice))) return null;
  // Series were inserted without a new revision, or some were deleted or joined into others.
  if (builder.length !== count) return null;
  const columns = await builder.sorted(dictionaries.marketIndex.countryOf, timeSlice);
  // A column is copied when its first value changes: one that was not has the uuids of before.
  const sameRows = columns.uuid0 === previous.columns.uuid0;
  const uuids = sameRows ? previous.uuids.withColumns(columns) : await UuidIndex.of(columns, timeSlice);
  const shows = { scope, unobserved, asOf: null };
  return new CatalogueSnapshot(shows, revisions, dictionaries, columns, currencies.list, uuids, joined);
}

/** What a refreshed snapshot is built from. */
interface CatalogueBuild {
  readonly builder: ColumnsBuilder;
  readonly dictionaries: ReferenceDictionaries;
  readonly currencies: CurrencyList;
  readonly joined: JoinedSeries;
}

/**
 * Adds or replaces the series that have changed since the previous snapshot.
 * @returns false if the changes do not fit it, and everything has to be read anew
 */
async function applyChangedSeries(
  query: ReadView,
  scope: CatalogueScope,
  previous: CatalogueSnapshot,
  { builder, dictionaries, currencies, joined }: CatalogueBuild,
  timeSlice: TimeSlice,
): Promise<boolean> {
  let [lastRevision, lastId] = [previous.revisions.series + 1, 0];
  for (;;) {
    const values = [lastRevision, lastRevision, lastId];
    const rows = await query<SeriesRow>(catalogueStatements[scope].changed, values);
    for (const row of rows) {
      [lastId, lastRevision] = [row[0], Number(row[1])];
      if (joined.joins.isJoined(lastId)) continue;
      const series = valuesOf(row, dictionaries, currencies);
      if (series === null || !upsert(builder, previous.uuids, series)) return false;
    }
    await timeSlice.yield();
    if (rows.length < SERIES_PER_STATEMENT) return true;
  }
}

/** The joins in force, and the uuids of the series that are not listed because of them. */
async function readJoined(query: ReadView, previous: JoinedSeries): Promise<JoinedSeries> {
  const aliases = await readAliases(query, previous.aliases);
  const joins = joinsOf(await query<JoinValues>(catalogueStatements.all.joins));
  if (joins.rows.length === 0) return { ...NO_JOINED_SERIES, aliases };
  const uuids = await query<[string, number]>(catalogueStatements.all.joinedUuids);
  return { joins, uuids: new Map(uuids.map(([uuid, id]) => [uuid, joins.become(id)])), aliases };
}

/** The columns of a join, in the order of `JOIN_COLUMNS`. */
export type JoinValues = [
  from: number,
  into: number,
  factor: number,
  prefer: string,
  ...days: (number | null)[],
];

/** Joins from rows in the order in which they were made. */
export function joinsOf(rows: readonly JoinValues[]): SeriesJoins {
  return new SeriesJoins(
    rows.map(([from_id, into_id, factor, prefer, start_day, end_day]) => ({
      from_id,
      into_id,
      factor,
      prefer,
      start_day: start_day!,
      end_day: end_day!,
    })),
  );
}

/** The aliases of series; read anew only where some were added or removed. */
async function readAliases(query: ReadView, previous: SeriesAliases): Promise<SeriesAliases> {
  const [values] = await query<unknown[]>(catalogueStatements.all.aliasFingerprint);
  const fingerprint = values!.join(' ');
  if (fingerprint === previous.fingerprint) return previous;
  const ids = new Map<string, number>();
  for (let lastUuid = ''; ;) {
    const rows = await query<[uuid: string, id: number]>(catalogueStatements.all.aliases, [lastUuid]);
    for (const [uuid, id] of rows) ids.set(uuid.toLowerCase(), id);
    if (rows.length < ALIASES_PER_STATEMENT) return { fingerprint, ids };
    lastUuid = rows.at(-1)![0];
  }
}

/** Replaces a series, or adds a new one. @returns false if there is no capacity for it */
function upsert(builder: ColumnsBuilder, uuids: UuidIndex, values: SeriesValues): boolean {
  const row = uuids.find([values.uuid0, values.uuid1, values.uuid2, values.uuid3]);
  if (row < 0) return builder.add(values);
  builder.set(row, values);
  return true;
}

/** Replaces the old dictionary indexes in the columns with the new ones. */
async function remapReferences(
  builder: ColumnsBuilder,
  before: ReferenceDictionaries,
  after: ReferenceDictionaries,
  timeSlice: TimeSlice,
): Promise<void> {
  for (const table of SERIES_REFERENCE_TABLES) {
    const indexes = newIndexes(before, after, table);
    if (indexes !== null) builder.remap(table, indexes);
    await timeSlice.yield();
  }
}

/** The new index of each record, by its old index; null if all are the same. */
function newIndexes(
  before: ReferenceDictionaries,
  after: ReferenceDictionaries,
  table: SeriesReferenceTable,
): Uint32Array | null {
  const [old, current] = [before.of(table), after.of(table)];
  if (old === current) return null;
  // No series refers to a removed record any more: its rows are those of changed series.
  const indexes = Uint32Array.from(old.records, ({ id }) => current.indexOf(id) ?? 0);
  return indexes.every((index, oldIndex) => index === oldIndex) ? null : indexes;
}

/** The column values of a row, or null if it refers to a record not in the dictionaries. */
export function valuesOf(
  row: SeriesRow,
  dictionaries: ReferenceDictionaries,
  currencies: CurrencyList,
): SeriesValues | null {
  const [id, revision, uuid, currency, ...numbers] = row;
  const [commodityId, priceTypeId, marketId, sourceId, measureUnitId, status, ...items] = numbers;
  // A frequency without points has NULL, which becomes 0.
  const [start1, end1, calculated1, start2, end2, calculated2, start3, end3, calculated3] = items.map(Number);
  const commodity = dictionaries.of('commodity').indexOf(commodityId!);
  const price_type = dictionaries.of('price_type').indexOf(priceTypeId!);
  const market = dictionaries.of('market').indexOf(marketId!);
  const source = dictionaries.of('source').indexOf(sourceId!);
  const measure_unit = dictionaries.of('measure_unit').indexOf(measureUnitId!);
  if (
    commodity === undefined ||
    price_type === undefined ||
    market === undefined ||
    source === undefined ||
    measure_unit === undefined
  ) {
    return null;
  }
  const words = uuidWords(uuid);
  if (words === null) throw new Error(`The uuid of series ${id} is invalid.`);
  return {
    id,
    uuid0: words[0],
    uuid1: words[1],
    uuid2: words[2],
    uuid3: words[3],
    commodity,
    price_type,
    market,
    source,
    measure_unit,
    currency: currencies.indexOf(currency),
    status: status!,
    start1: start1!,
    end1: end1!,
    start2: start2!,
    end2: end2!,
    start3: start3!,
    end3: end3!,
    // A bit `1 << period` for each frequency.
    calculated: (calculated1! << 1) | (calculated2! << 2) | (calculated3! << 3),
    last_day: Math.max(end1!, end2!, end3!),
    revision: Number(revision),
  };
}

/** The number of listed series of a scope, and that of all series that were not observed. */
async function countSeries(
  query: ReadView,
  scope: CatalogueScope,
  joins: SeriesJoins,
): Promise<{ count: number; unobserved: number }> {
  const [row] = await query<[number, number]>(catalogueStatements[scope].count);
  const [all, unobserved] = row!.map(Number) as [number, number];
  return { count: (scope === 'all' ? all : all - unobserved) - joins.rows.length, unobserved };
}

/** Dictionary encoding of currencies. Copy on write: that of the previous snapshot stays intact. */
export class CurrencyList {
  private readonly indexes: Map<string, number>;

  constructor(public list: readonly string[]) {
    this.indexes = new Map(list.map((currency, index) => [currency, index]));
  }

  indexOf(currency: string): number {
    let index = this.indexes.get(currency);
    if (index === undefined) {
      index = this.list.length;
      this.list = [...this.list, currency];
      this.indexes.set(currency, index);
    }
    return index;
  }
}
