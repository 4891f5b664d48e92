import { TimeSlice } from '../common/scheduling/time-slice.js';
import type { ReadView, SqlValue } from '../database/database.js';
import { CatalogueSnapshot } from './catalogue-snapshot.js';
import { REFERENCE_TABLES, ReferenceFacts, type SeriesReferenceTable } from './reference-facts.js';
import { ColumnsDraft, NO_SERIES, type SeriesValues, UuidIndex, uuidWords } from './series-columns.js';

/** Series that one statement reads: some milliseconds of work for the embedded engine. */
const SERIES_PER_STATEMENT = 250;

/** A series with its three possible periodicity items in one row, so that a limit counts series. */
const SELECT_SERIES = `
  SELECT s.id, s.revision, s.uuid, s.currency, s.commodity_id, s.price_type_id, s.market_id, s.source_id, s.measure_unit_id,
    d.start_day, d.end_day, d.calculated, w.start_day, w.end_day, w.calculated, m.start_day, m.end_day, m.calculated
  FROM price_serie s
  LEFT JOIN series_period d ON d.serie_id = s.id AND d.period = 1
  LEFT JOIN series_period w ON w.serie_id = s.id AND w.period = 2
  LEFT JOIN series_period m ON m.serie_id = s.id AND m.period = 3`;

/** The statements that a refresh consists of. */
export const catalogueStatements = {
  revisions: 'SELECT reference_revision, series_revision FROM data_revision WHERE id = 1',
  count: 'SELECT COUNT(*) FROM price_serie',
  /** Values: the last id read. */
  all: `${SELECT_SERIES} WHERE s.id > ? ORDER BY s.id LIMIT ${SERIES_PER_STATEMENT}`,
  /** Values: the revision to begin with; the revision and the id of the last series read. */
  changed: `${SELECT_SERIES} WHERE s.revision >= ? AND (s.revision > ? OR s.id > ?)
  ORDER BY s.revision, s.id LIMIT ${SERIES_PER_STATEMENT}`,
} as const;

type SeriesRow = [
  id: number,
  revision: number,
  uuid: string,
  currency: string,
  ...numbers: (number | null)[],
];

interface Revisions {
  references: number;
  series: number;
}

/**
 * The state of the series that `arrays` sees. Of a known earlier state only what changed since is read: series by the revision that
 * changed them, reference tables that are not as they were. Others get a turn in between.
 */
export async function readCatalogue(
  arrays: ReadView,
  known: CatalogueSnapshot | null,
): Promise<CatalogueSnapshot> {
  const pace = new TimeSlice();
  const [row] = await arrays<[number, number]>(catalogueStatements.revisions);
  const revisions = { references: Number(row![0]), series: Number(row![1]) };
  const changed = known && (await readChanges(arrays, known, revisions, pace));
  return changed ?? readAll(arrays, known?.facts ?? ReferenceFacts.none, revisions, pace);
}

async function readAll(
  arrays: ReadView,
  knownFacts: ReferenceFacts,
  revisions: Revisions,
  pace: TimeSlice,
): Promise<CatalogueSnapshot> {
  const facts = await ReferenceFacts.read(arrays, knownFacts, pace);
  const currencies = new Currencies([]);
  const draft = new ColumnsDraft(NO_SERIES, await countSeries(arrays));
  for (let after = 0; ;) {
    const rows = await arrays<SeriesRow>(catalogueStatements.all, [after]);
    for (const row of rows) {
      const values = valuesOf(row, facts, currencies);
      if (values === null || !draft.add(values))
        throw new Error(`Series ${row[0]} refers to a missing record.`);
      after = row[0];
    }
    await pace.yield();
    if (rows.length < SERIES_PER_STATEMENT) break;
  }
  const columns = await draft.ordered(facts.marketIndex.countryOf, pace);
  return new CatalogueSnapshot(revisions, facts, columns, currencies.list, await UuidIndex.of(columns, pace));
}

/** The new state made from the known one, or null where that does not lead there. */
async function readChanges(
  arrays: ReadView,
  known: CatalogueSnapshot,
  revisions: Revisions,
  pace: TimeSlice,
): Promise<CatalogueSnapshot | null> {
  const sameReferences = revisions.references === known.revisions.references;
  const facts = sameReferences ? known.facts : await ReferenceFacts.read(arrays, known.facts, pace);
  const sameSeries = revisions.series === known.revisions.series;
  const count = sameSeries ? known.size : await countSeries(arrays);
  if (count < known.size) return null;
  await pace.yield();

  const draft = new ColumnsDraft(known.columns, count);
  await translate(draft, known.facts, facts, pace);
  const currencies = new Currencies(known.currencies);
  let last: [revision: number, id: number] = [known.revisions.series, 0];
  for (let more = !sameSeries; more;) {
    const from = last[1] === 0 ? last[0] + 1 : last[0];
    const rows = await arrays<SeriesRow>(catalogueStatements.changed, [from, ...last] satisfies SqlValue[]);
    for (const row of rows) {
      const values = valuesOf(row, facts, currencies);
      if (values === null || !put(draft, known.uuids, values)) return null;
      last = [Number(row[1]), row[0]];
    }
    await pace.yield();
    more = rows.length === SERIES_PER_STATEMENT;
  }
  // Series were added that no revision tells of, or others deleted.
  if (draft.length !== count) return null;
  const columns = await draft.ordered(facts.marketIndex.countryOf, pace);
  const samePlaces = columns.uuid0 === known.columns.uuid0;
  const uuids = samePlaces ? known.uuids.over(columns) : await UuidIndex.of(columns, pace);
  return new CatalogueSnapshot(revisions, facts, columns, currencies.list, uuids);
}

/** @returns false where there is no room for a new series */
function put(draft: ColumnsDraft, known: UuidIndex, values: SeriesValues): boolean {
  const place = known.find([values.uuid0, values.uuid1, values.uuid2, values.uuid3]);
  if (place < 0) return draft.add(values);
  draft.set(place, values);
  return true;
}

/** Puts the places that records have now for those that they had before. */
async function translate(
  draft: ColumnsDraft,
  before: ReferenceFacts,
  after: ReferenceFacts,
  pace: TimeSlice,
): Promise<void> {
  for (const table of REFERENCE_TABLES) {
    const places = newPlaces(before, after, table);
    if (places !== null) draft.translate(table, places);
    await pace.yield();
  }
}

/** The new place of each record by its old one, or null where all kept theirs. A record that is gone was in no series. */
function newPlaces(
  before: ReferenceFacts,
  after: ReferenceFacts,
  table: SeriesReferenceTable,
): Uint32Array | null {
  const [old, now] = [before.of(table), after.of(table)];
  if (old === now) return null;
  const places = Uint32Array.from(old.records, ({ id }) => now.placeOf(id) ?? 0);
  return places.every((place, index) => place === index) ? null : places;
}

/** A row as values of the columns, or null where it refers to a record that is not in the facts. */
function valuesOf(row: SeriesRow, facts: ReferenceFacts, currencies: Currencies): SeriesValues | null {
  const [id, revision, uuid, currency, commodityId, priceTypeId, marketId, sourceId, measureUnitId, ...days] =
    row;
  const [start1, end1, calculated1, start2, end2, calculated2, start3, end3, calculated3] = days.map(Number);
  const commodity = facts.of('commodity').placeOf(commodityId!);
  const price_type = facts.of('price_type').placeOf(priceTypeId!);
  const market = facts.of('market').placeOf(marketId!);
  const source = facts.of('source').placeOf(sourceId!);
  const measure_unit = facts.of('measure_unit').placeOf(measureUnitId!);
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
  if (words === null) throw new Error(`Series ${id} has no valid uuid.`);
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
    currency: currencies.placeOf(currency),
    start1: start1!,
    end1: end1!,
    start2: start2!,
    end2: end2!,
    start3: start3!,
    end3: end3!,
    calculated: (calculated1! << 1) | (calculated2! << 2) | (calculated3! << 3),
    last_day: Math.max(end1!, end2!, end3!),
    revision: Number(revision),
  };
}

async function countSeries(arrays: ReadView): Promise<number> {
  const [row] = await arrays<[number]>(catalogueStatements.count);
  return Number(row![0]);
}

/** The currencies of series, each under its place; one that is new is added to a list of its own. */
class Currencies {
  private readonly places: Map<string, number>;

  constructor(public list: readonly string[]) {
    this.places = new Map(list.map((currency, place) => [currency, place]));
  }

  placeOf(currency: string): number {
    let place = this.places.get(currency);
    if (place === undefined) {
      place = this.list.length;
      this.list = [...this.list, currency];
      this.places.set(currency, place);
    }
    return place;
  }
}
