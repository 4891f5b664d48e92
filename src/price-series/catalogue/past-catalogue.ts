import { placeholders } from '../../database/sql.js';
import type { ReadView } from '../../database/database.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { PERIODS } from '../periodicity.js';
import { seriesVersions } from '../series-attributes.js';
import { periodVersions } from '../series-periods.js';
import { type CatalogueScope, IS_OBSERVED } from '../series-status.js';
import { JOIN_COLUMNS, PLACED_JOINS } from '../joins/series-joins.js';
import {
  CatalogueSnapshot,
  type JoinedSeries,
  NO_JOINED_SERIES,
  type SeriesAliases,
} from './catalogue-snapshot.js';
import { CurrencyList, joinsOf, type JoinValues, type SeriesRow, valuesOf } from './catalogue-reader.js';
import { type GoneRecord, type ReferenceDictionaries, readGoneRecords } from './reference-dictionaries.js';
import { ColumnsBuilder, NO_SERIES, UuidIndex } from './series-columns.js';

/** Series read by one statement: some milliseconds of work for the embedded engine. */
const SERIES_PER_STATEMENT = 250;

const SERIES =
  's.id, ? AS revision, s.uuid, s.currency, s.commodity_id, s.price_type_id, s.market_id, s.source_id, s.measure_unit_id, s.status';
const ITEMS = PERIODS.map((period) => `p${period}.start_day, p${period}.end_day, p${period}.calculated`);
const JOINS = PERIODS.map(
  (period) =>
    `LEFT JOIN series_period p${period} ON p${period}.serie_id = s.id AND p${period}.period = ${period} AND p${period}.since <= ?`,
);
const ids = placeholders(SERIES_PER_STATEMENT);

/** The joins that were in force. Values: the revision twice. */
const JOINS_AT = 'j.since <= ? AND (j.until IS NULL OR j.until > ?)';
/** The series that were listed, among those that were known. Values: the revision twice. */
const LISTED = `s.id NOT IN (SELECT j.from_id FROM series_join j WHERE ${JOINS_AT})`;

/** The places of series that were known at a revision. */
const ALL = seriesVersions.rowsKnownAt('s');

/** The same for the series of a scope. */
const PLACES = {
  all: ALL,
  observed: ALL.map((place) => ({ ...place, known: `${place.known} AND ${IS_OBSERVED}` })),
};

const SELECT_JOINS_AT = `SELECT ${JOIN_COLUMNS} FROM ${PLACED_JOINS} WHERE ${JOINS_AT} ORDER BY j.place, j.id`;
const selectJoinedUuids = (from: string, known: string) =>
  `SELECT s.uuid, s.id FROM ${from} s JOIN series_join j ON j.from_id = s.id WHERE ${known} AND ${JOINS_AT}`;

/** One row per series, with the items that it still has. */
const selectSeries = (from: string, known: string) =>
  `SELECT ${SERIES}, ${ITEMS.join(', ')} FROM ${from} s ${JOINS.join(' ')}` +
  ` WHERE ${known} AND ${LISTED} AND s.id > ? ORDER BY s.id LIMIT ${SERIES_PER_STATEMENT}`;

const countSeries = (from: string, known: string) =>
  `SELECT COUNT(*) FROM ${from} s WHERE ${known} AND ${LISTED}`;

/** The items that these series had then, and have no more. Values: ids, the revision twice. */
const SELECT_PAST_ITEMS =
  `SELECT serie_id, period, start_day, end_day, calculated FROM ${periodVersions.past}` +
  ` WHERE serie_id IN (${ids}) AND since <= ? AND until > ?`;

type PastItem = [serieId: number, period: number, start: number, end: number, calculated: number];

/**
 * Reads the series as they were known at a revision, with the records of today; those of records
 * that have gone are the last ones.
 * @param query runs all statements in one consistent view of the database
 * @param current a snapshot whose dictionaries are up to date
 */
export async function readCatalogueAt(
  query: ReadView,
  scope: CatalogueScope,
  revision: number,
  current: CatalogueSnapshot,
): Promise<CatalogueSnapshot> {
  const timeSlice = new TimeSlice();
  const dictionaries = await dictionariesAt(query, revision, current.dictionaries, timeSlice);
  const currencies = new CurrencyList([]);
  const counts = {
    all: await countAt(query, 'all', revision),
    observed: await countAt(query, 'observed', revision),
  };
  const builder = new ColumnsBuilder(NO_SERIES, counts[scope]);
  for (const { from, known, bindings } of PLACES[scope]) {
    const at = Array<number>(bindings + 2).fill(revision);
    for (let after = 0; ;) {
      const sql = selectSeries(from, known);
      const rows = await query<SeriesRow>(sql, [revision, revision, revision, revision, ...at, after]);
      if (rows.length === 0) break;
      await addPastItems(query, revision, rows);
      for (const row of rows) {
        const series = valuesOf(row, dictionaries, currencies);
        if (series === null || !builder.add(series))
          throw new Error(`Series ${row[0]} refers to a missing record.`);
      }
      after = rows.at(-1)![0];
      await timeSlice.yield();
      if (rows.length < SERIES_PER_STATEMENT) break;
    }
  }
  const columns = await builder.sorted(dictionaries.marketIndex.countryOf, timeSlice);
  const revisions = { references: current.revisions.references, series: revision };
  const uuids = await UuidIndex.of(columns, timeSlice);
  const joined = await joinedAt(query, revision, current.joined.aliases);
  const shows = { scope, unobserved: counts.all - counts.observed, asOf: revision };
  return new CatalogueSnapshot(shows, revisions, dictionaries, columns, currencies.list, uuids, joined);
}

async function dictionariesAt(
  query: ReadView,
  revision: number,
  current: ReferenceDictionaries,
  timeSlice: TimeSlice,
): Promise<ReferenceDictionaries> {
  const gone: GoneRecord[] = await readGoneRecords(query, revision);
  return gone.length === 0 ? current : current.with(gone, timeSlice);
}

async function countAt(query: ReadView, scope: CatalogueScope, revision: number): Promise<number> {
  let count = 0;
  for (const { from, known, bindings } of PLACES[scope]) {
    const at = Array<number>(bindings + 2).fill(revision);
    const [row] = await query<[number]>(countSeries(from, known), at);
    count += Number(row![0]);
  }
  return count;
}

/** The joins that were in force, and the uuids of the series that they left out of lists. */
async function joinedAt(query: ReadView, revision: number, aliases: SeriesAliases): Promise<JoinedSeries> {
  const joins = joinsOf(await query<JoinValues>(SELECT_JOINS_AT, [revision, revision]));
  if (joins.rows.length === 0) return { ...NO_JOINED_SERIES, aliases };
  const uuids = new Map<string, number>();
  for (const { from, known, bindings } of ALL) {
    const at = Array<number>(bindings + 2).fill(revision);
    for (const [uuid, id] of await query<[string, number]>(selectJoinedUuids(from, known), at))
      uuids.set(uuid, joins.become(id));
  }
  return { joins, uuids, aliases };
}

/** Index of the first item in a row. */
const FIRST_ITEM = 10;

/** Sets the items that the series had at the revision and that have been changed or removed. */
async function addPastItems(query: ReadView, revision: number, rows: readonly SeriesRow[]): Promise<void> {
  const last = rows.at(-1)![0];
  const wanted = Array.from({ length: SERIES_PER_STATEMENT }, (_, index) => rows[index]?.[0] ?? last);
  const items = await query<PastItem>(SELECT_PAST_ITEMS, [...wanted, revision, revision]);
  const byId = new Map(rows.map((row) => [row[0], row as unknown as (number | null)[]]));
  for (const [serieId, period, ...item] of items)
    byId.get(serieId)!.splice(FIRST_ITEM + 3 * (period - 1), 3, ...item);
}
