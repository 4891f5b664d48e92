import { placeholders } from '../../database/sql.js';
import type { ReadView } from '../../database/database.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { type Period, PERIODS } from '../periodicity.js';
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
import {
  type RemovedReference,
  type ReferenceDictionaries,
  readRemovedReferences,
} from './reference-dictionaries.js';
import { ColumnsBuilder, NO_SERIES, UuidIndex } from './series-columns.js';

/** Series read by one statement: some milliseconds of work for the embedded engine. */
const SERIES_PER_STATEMENT = 250;

/** The columns of a series, in the order of `SeriesRow`. Values: the revision. */
const SERIES_COLUMNS = [
  's.id',
  '? AS revision',
  's.uuid',
  's.currency',
  's.commodity_id',
  's.price_type_id',
  's.market_id',
  's.source_id',
  's.measure_unit_id',
  's.status',
];
/** The columns of a periodicity item. */
const ITEM_COLUMNS = ['start_day', 'end_day', 'calculated'];
/** The columns of the items of a series, each frequency in turn. */
const COLUMNS_OF_ITEMS = PERIODS.flatMap((period) => ITEM_COLUMNS.map((column) => `p${period}.${column}`));
/** Adds the items that are the same today. Values: the revision, for each frequency. */
const UNCHANGED_ITEMS = PERIODS.map(
  (period) =>
    `LEFT JOIN series_period p${period} ON p${period}.serie_id = s.id AND p${period}.period = ${period} AND p${period}.since <= ?`,
);

/** Whether a series join was in force. Values: the revision twice. */
const JOIN_IN_FORCE = 'j.since <= ? AND (j.until IS NULL OR j.until > ?)';
const BINDINGS_OF_JOINS = 2;
/** Whether a series that was known was listed: not joined into another. Values: as above. */
const IS_LISTED = `s.id NOT IN (SELECT j.from_id FROM series_join j WHERE ${JOIN_IN_FORCE})`;

const ALL_SERIES = seriesVersions.rowsKnownAt('s');

/** Where to read the series of a scope that were known at a revision. */
const SERIES_OF = {
  all: ALL_SERIES,
  observed: ALL_SERIES.map((rows) => ({ ...rows, known: `${rows.known} AND ${IS_OBSERVED}` })),
};

const SELECT_JOINS_IN_FORCE = `SELECT ${JOIN_COLUMNS} FROM ${PLACED_JOINS} WHERE ${JOIN_IN_FORCE} ORDER BY j.place, j.id`;
const selectJoinedUuids = (from: string, known: string) =>
  `SELECT s.uuid, s.id FROM ${from} s JOIN series_join j ON j.from_id = s.id WHERE ${known} AND ${JOIN_IN_FORCE}`;

/** One row per series, with its unchanged items. Values: the revision, and the last id read. */
const selectSeries = (from: string, known: string) =>
  `SELECT ${[...SERIES_COLUMNS, ...COLUMNS_OF_ITEMS].join(', ')} FROM ${from} s ${UNCHANGED_ITEMS.join(' ')}` +
  ` WHERE ${known} AND ${IS_LISTED} AND s.id > ? ORDER BY s.id LIMIT ${SERIES_PER_STATEMENT}`;
/** How many times the revision is bound in `selectSeries` before its conditions. */
const BINDINGS_OF_COLUMNS = 1 + PERIODS.length;

const countSeries = (from: string, known: string) =>
  `SELECT COUNT(*) FROM ${from} s WHERE ${known} AND ${IS_LISTED}`;

/** The items of series that have been changed or removed since. Values: ids, the revision twice. */
const SELECT_PAST_ITEMS =
  `SELECT serie_id, period, ${ITEM_COLUMNS.join(', ')} FROM ${periodVersions.past}` +
  ` WHERE serie_id IN (${placeholders(SERIES_PER_STATEMENT)}) AND since <= ? AND until > ?`;

type PastItem = [serieId: number, period: Period, start: number, end: number, calculated: number];

/**
 * Reads the series as they were known at a revision. Their reference records are those of today, or
 * the last state of a record that has been removed.
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
  for (const { from, known, bindings } of SERIES_OF[scope]) {
    const sql = selectSeries(from, known);
    const values = repeated(revision, BINDINGS_OF_COLUMNS + bindings + BINDINGS_OF_JOINS);
    for (let lastId = 0; ;) {
      const rows = await query<SeriesRow>(sql, [...values, lastId]);
      if (rows.length === 0) break;
      await setPastItems(query, revision, rows);
      for (const row of rows) {
        const series = valuesOf(row, dictionaries, currencies);
        if (series === null || !builder.add(series))
          throw new Error(`Series ${row[0]} refers to a missing record.`);
      }
      lastId = rows.at(-1)![0];
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
  const removed: RemovedReference[] = await readRemovedReferences(query, revision);
  return removed.length === 0 ? current : current.withRemoved(removed, timeSlice);
}

async function countAt(query: ReadView, scope: CatalogueScope, revision: number): Promise<number> {
  let count = 0;
  for (const { from, known, bindings } of SERIES_OF[scope]) {
    const values = repeated(revision, bindings + BINDINGS_OF_JOINS);
    const [row] = await query<[number]>(countSeries(from, known), values);
    count += Number(row![0]);
  }
  return count;
}

/** The joins that were in force, and the uuids of the series that they kept out of lists. */
async function joinedAt(query: ReadView, revision: number, aliases: SeriesAliases): Promise<JoinedSeries> {
  const joins = joinsOf(await query<JoinValues>(SELECT_JOINS_IN_FORCE, [revision, revision]));
  if (joins.rows.length === 0) return { ...NO_JOINED_SERIES, aliases };
  const uuids = new Map<string, number>();
  for (const { from, known, bindings } of ALL_SERIES) {
    const values = repeated(revision, bindings + BINDINGS_OF_JOINS);
    for (const [uuid, id] of await query<[string, number]>(selectJoinedUuids(from, known), values))
      uuids.set(uuid, joins.become(id));
  }
  return { joins, uuids, aliases };
}

/** Sets the items that series had at the revision and that have been changed or removed since. */
async function setPastItems(query: ReadView, revision: number, rows: readonly SeriesRow[]): Promise<void> {
  const lastId = rows.at(-1)![0];
  // Always as many ids, so that there is one statement to prepare: the last one is repeated.
  const ids = Array.from({ length: SERIES_PER_STATEMENT }, (_, index) => rows[index]?.[0] ?? lastId);
  const items = await query<PastItem>(SELECT_PAST_ITEMS, [...ids, revision, revision]);
  const rowOf = new Map(rows.map((row) => [row[0], row as unknown as (number | null)[]]));
  for (const [serieId, period, ...item] of items) {
    const start = SERIES_COLUMNS.length + ITEM_COLUMNS.length * PERIODS.indexOf(period);
    rowOf.get(serieId)!.splice(start, ITEM_COLUMNS.length, ...item);
  }
}

const repeated = (revision: number, times: number) => Array<number>(times).fill(revision);
