import { Commodity } from '../../reference/commodity/commodity.entity.js';
import { Market } from '../../reference/market/market.entity.js';
import { MeasureUnit } from '../../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../../reference/price-type/price-type.entity.js';
import { Source } from '../../reference/source/source.entity.js';
import { TableStatements, type RecordValues } from '../../reference/base/table-statements.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../database/unit-of-work.js';
import type { SeriesDescriptor } from '../formats/series.js';
import { bulkInsert, inBatches, inCondition } from './statements.js';

/** A series of an input. */
export interface ImportedSeries {
  readonly uuid: string;
  /** Null where the input has only the uuid. */
  readonly descriptor: SeriesDescriptor | null;
}

/** A series as stored. */
export interface StoredSeries {
  readonly id: number;
  /** Bitmask of the periods whose points the source derives: `1 << period` for each. */
  readonly markedPeriods: number;
}

/** Stored series, and what was created for them. */
export interface ResolvedSeries {
  /** By uuid. */
  readonly stored: ReadonlyMap<string, StoredSeries>;
  /** The uuids of created series. */
  readonly created: readonly string[];
  /** Created records: the table, and the record's unique key. */
  readonly createdRecords: readonly (readonly [SeriesTable, string])[];
  /** Commodities whose stored HS code differs from the input's and was kept. */
  readonly keptHsCodes: readonly string[];
}

interface StoredSeriesRow {
  id: number;
  uuid: string;
  marked_periods: number;
}

const tables = {
  PriceType: new TableStatements(PriceType),
  Source: new TableStatements(Source),
  MeasureUnit: new TableStatements(MeasureUnit),
  Commodity: new TableStatements(Commodity),
  Market: new TableStatements(Market),
} as const;
type SeriesTable = keyof typeof tables;

const SERIES_COLUMNS = [
  'uuid',
  'commodity_id',
  'price_type_id',
  'market_id',
  'source_id',
  'measure_unit_id',
  'currency',
  'marked_periods',
  'since',
] as const;

/**
 * Finds the series of an input by uuid, and creates those that are missing with the records they
 * refer to. Only for these are records looked up by their unique keys: so a renamed record keeps
 * its series.
 */
export async function resolveSeries(
  transaction: Transaction,
  series: readonly ImportedSeries[],
  markedPeriods: (series: ImportedSeries) => number = () => 0,
): Promise<ResolvedSeries> {
  const stored = await findSeries(transaction, series);
  const described = series.filter(({ descriptor }) => descriptor !== null);
  const missing = described.filter(({ uuid }) => !stored.has(uuid));
  const createdRecords: [SeriesTable, string][] = [];
  const commodities = await findRecords(
    transaction,
    'Commodity',
    described.map(({ descriptor }) => descriptor!.commodity),
  );
  const keptHsCodes = differingHsCodes(described, commodities);
  if (missing.length > 0) {
    const ids = await resolveReferences(transaction, missing, createdRecords);
    await bulkInsert(
      transaction,
      'price_serie',
      SERIES_COLUMNS,
      missing.map((one) => [
        one.uuid,
        ...ids(one.descriptor!),
        one.descriptor!.currency,
        markedPeriods(one),
        transaction.revision,
      ]),
    );
    const created = await findSeries(transaction, missing);
    transaction.touchSeries(
      [...created.values()].map(({ id }) => id),
      { action: 'created' },
    );
    for (const [uuid, found] of created) stored.set(uuid, found);
  }
  return {
    stored,
    created: missing.map(({ uuid }) => uuid),
    createdRecords,
    keptHsCodes,
  };
}

async function findSeries(
  transaction: Transaction,
  series: readonly ImportedSeries[],
): Promise<Map<string, StoredSeries>> {
  const found = new Map<string, StoredSeries>();
  for (const batch of inBatches(series)) {
    const rows = await transaction.rows<StoredSeriesRow>(
      `SELECT id, uuid, marked_periods FROM price_serie WHERE ${inCondition(transaction, ['uuid'], batch.length)}`,
      batch.map(({ uuid }) => uuid),
    );
    for (const { id, uuid, marked_periods } of rows) found.set(uuid, { id, markedPeriods: marked_periods });
  }
  return found;
}

/**
 * Finds or creates the records that series refer to.
 * @returns the ids of a series' references, in the order of `SERIES_COLUMNS`
 */
async function resolveReferences(
  transaction: Transaction,
  series: readonly ImportedSeries[],
  created: [SeriesTable, string][],
): Promise<(descriptor: SeriesDescriptor) => number[]> {
  const described = series.map(({ descriptor }) => descriptor!);
  const needed: Record<SeriesTable, RecordValues[]> = {
    Commodity: described.map(({ commodity }) => commodity),
    PriceType: described.map(({ price_type }) => ({ name: price_type })),
    Market: described.map(({ market }) => market as unknown as RecordValues),
    Source: described.map(({ source }) => source),
    MeasureUnit: described.map(({ measure_unit }) => ({ ...measure_unit })),
  };
  const ids = {} as Record<SeriesTable, Map<string, number>>;
  for (const name of Object.keys(needed) as SeriesTable[]) {
    let found = await findRecords(transaction, name, needed[name]);
    const missing = distinct(name, needed[name]).filter((record) => !found.has(recordKey(name, record)));
    if (missing.length > 0) {
      const table = tables[name];
      const columns = [...table.ownColumns, 'since'];
      await bulkInsert(
        transaction,
        table.name,
        columns,
        missing.map((record) => {
          const complete: RecordValues = { ...table.withDefaults(record), since: transaction.revision };
          return columns.map((column) => complete[column] as SqlValue);
        }),
      );
      const inserted = await findRecords(transaction, name, missing);
      for (const { id } of inserted.values()) transaction.touchRecord(table.name, id as number, 'created');
      found = new Map([...found, ...inserted]);
      created.push(...missing.map((record) => [name, recordKey(name, record)] as [SeriesTable, string]));
      transaction.touch('references');
    }
    ids[name] = new Map([...found].map(([key, { id }]) => [key, id as number]));
  }
  return ({ commodity, price_type, market, source, measure_unit }) => [
    ids.Commodity.get(recordKey('Commodity', commodity))!,
    ids.PriceType.get(recordKey('PriceType', { name: price_type }))!,
    ids.Market.get(recordKey('Market', market as unknown as RecordValues))!,
    ids.Source.get(recordKey('Source', source))!,
    ids.MeasureUnit.get(recordKey('MeasureUnit', { ...measure_unit }))!,
  ];
}

/** The stored records with the unique keys of the given ones, by key. */
async function findRecords(
  transaction: Transaction,
  name: SeriesTable,
  records: readonly RecordValues[],
): Promise<Map<string, RecordValues>> {
  const table = tables[name];
  const found = new Map<string, RecordValues>();
  for (const batch of inBatches(distinct(name, records))) {
    const rows = await transaction.rows<Record<string, unknown>>(
      table.select(`WHERE ${inCondition(transaction, table.uniqueKey, batch.length)}`),
      batch.flatMap((record) => table.uniqueKey.map((column) => record[column] as SqlValue)),
    );
    for (const row of rows) found.set(recordKey(name, row), row);
  }
  return found;
}

function distinct(name: SeriesTable, records: readonly RecordValues[]): RecordValues[] {
  return [...new Map(records.map((record) => [recordKey(name, record), record])).values()];
}

function recordKey(name: SeriesTable, record: RecordValues): string {
  return tables[name].uniqueKey.map((column) => String(record[column])).join('\n');
}

/** The commodities whose HS code in the input differs from the stored one. */
function differingHsCodes(
  series: readonly ImportedSeries[],
  commodities: ReadonlyMap<string, RecordValues>,
): string[] {
  const differing = new Set<string>();
  for (const { descriptor } of series) {
    const { name, hs_code } = descriptor!.commodity;
    const stored = commodities.get(recordKey('Commodity', { name }))?.hs_code ?? null;
    if (hs_code !== null && stored !== null && stored !== hs_code) differing.add(name);
  }
  return [...differing];
}
