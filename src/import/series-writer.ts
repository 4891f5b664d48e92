import { Commodity } from '../reference/commodity/commodity.entity.js';
import { Market } from '../reference/market/market.entity.js';
import { MeasureUnit } from '../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../reference/price-type/price-type.entity.js';
import { Source } from '../reference/source/source.entity.js';
import { TableStatements, type Values } from '../reference/base/reference-table.js';
import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../database/unit-of-work.js';
import type { SeriesDescriptor } from './formats/series.js';
import type { TableName } from './formats/table-rows.js';
import { insertRows, isOneOf, pieces } from './statements.js';

/** A series of an input. */
export interface ImportedSeries {
  readonly uuid: string;
  /** Null where the input gives no more than the uuid. */
  readonly descriptor: SeriesDescriptor | null;
}

/** What is stored of a series. */
export interface StoredSeries {
  readonly id: number;
  /** Bits `1 << period` of the frequencies whose points the source derives. */
  readonly markedPeriods: number;
}

/** Series as they are stored now, and what was made for them. */
export interface ResolvedSeries {
  /** By uuid. */
  readonly stored: ReadonlyMap<string, StoredSeries>;
  /** The uuids of series that were made. */
  readonly made: readonly string[];
  /** Records that were made: the table, and the record's unique key. */
  readonly records: readonly (readonly [TableName, string])[];
  /** Commodities whose stored HS code differs from that of the input, and stays. */
  readonly hsCodesKept: readonly string[];
}

interface SeriesRow {
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
] as const;

/**
 * Finds the series of an input by their uuids, and makes those that are not stored, with the records they refer to. Only for these
 * are records looked for, by their unique keys: so a record that was renamed keeps its series.
 */
export async function resolveSeries(
  tx: Transaction,
  series: readonly ImportedSeries[],
  markedPeriods: (series: ImportedSeries) => number = () => 0,
): Promise<ResolvedSeries> {
  const stored = await findSeries(tx, series);
  const described = series.filter((one) => one.descriptor !== null);
  const missing = described.filter((one) => !stored.has(one.uuid));
  const records: [TableName, string][] = [];
  const commodities = await findRecords(
    tx,
    'Commodity',
    described.map(({ descriptor }) => descriptor!.commodity),
  );
  const hsCodesKept = differingCodes(described, commodities);
  if (missing.length > 0) {
    const ids = await referencesOf(tx, missing, records);
    await insertRows(
      tx,
      'price_serie',
      SERIES_COLUMNS,
      missing.map((one) => [one.uuid, ...ids(one.descriptor!), one.descriptor!.currency, markedPeriods(one)]),
    );
    const made = await findSeries(tx, missing);
    tx.touchSeries([...made.values()].map(({ id }) => id));
    for (const [uuid, found] of made) stored.set(uuid, found);
  }
  return { stored, made: missing.map(({ uuid }) => uuid), records, hsCodesKept };
}

async function findSeries(
  tx: Transaction,
  series: readonly ImportedSeries[],
): Promise<Map<string, StoredSeries>> {
  const found = new Map<string, StoredSeries>();
  for (const piece of pieces(series)) {
    const rows = await tx.rows<SeriesRow>(
      `SELECT id, uuid, marked_periods FROM price_serie WHERE ${isOneOf(tx, ['uuid'], piece.length)}`,
      piece.map(({ uuid }) => uuid),
    );
    for (const { id, uuid, marked_periods } of rows) found.set(uuid, { id, markedPeriods: marked_periods });
  }
  return found;
}

/** The records that series refer to, made where they are missing. Gives the ids of a series, in the order of its columns. */
async function referencesOf(
  tx: Transaction,
  series: readonly ImportedSeries[],
  made: [TableName, string][],
): Promise<(descriptor: SeriesDescriptor) => number[]> {
  const described = series.map(({ descriptor }) => descriptor!);
  const wanted: Record<SeriesTable, Values[]> = {
    Commodity: described.map(({ commodity }) => commodity),
    PriceType: described.map(({ price_type }) => ({ name: price_type })),
    Market: described.map(({ market }) => market as unknown as Values),
    Source: described.map(({ source }) => source),
    MeasureUnit: described.map(({ measure_unit }) => ({ ...measure_unit })),
  };
  const ids = {} as Record<SeriesTable, Map<string, number>>;
  for (const name of Object.keys(wanted) as SeriesTable[]) {
    let found = await findRecords(tx, name, wanted[name]);
    const missing = distinct(name, wanted[name]).filter((record) => !found.has(keyOf(name, record)));
    if (missing.length > 0) {
      const table = tables[name];
      const columns = table.own;
      await insertRows(
        tx,
        table.name,
        columns,
        missing.map((record) => {
          const complete = table.complete(record);
          return columns.map((column) => complete[column] as SqlValue);
        }),
      );
      found = new Map([...found, ...(await findRecords(tx, name, missing))]);
      made.push(...missing.map((record) => [name, keyOf(name, record)] as [TableName, string]));
      tx.touch('references');
    }
    ids[name] = new Map([...found].map(([key, { id }]) => [key, id as number]));
  }
  return ({ commodity, price_type, market, source, measure_unit }) => [
    ids.Commodity.get(keyOf('Commodity', commodity))!,
    ids.PriceType.get(keyOf('PriceType', { name: price_type }))!,
    ids.Market.get(keyOf('Market', market as unknown as Values))!,
    ids.Source.get(keyOf('Source', source))!,
    ids.MeasureUnit.get(keyOf('MeasureUnit', { ...measure_unit }))!,
  ];
}

/** The stored records that have the unique keys of the given ones, by key. */
async function findRecords(
  tx: Transaction,
  name: SeriesTable,
  records: readonly Values[],
): Promise<Map<string, Values>> {
  const table = tables[name];
  const found = new Map<string, Values>();
  for (const piece of pieces(distinct(name, records))) {
    const rows = await tx.rows<Record<string, unknown>>(
      table.select(`WHERE ${isOneOf(tx, table.uniqueKey, piece.length)}`),
      piece.flatMap((record) => table.uniqueKey.map((column) => record[column] as SqlValue)),
    );
    for (const row of rows) found.set(keyOf(name, row), row);
  }
  return found;
}

function distinct(name: SeriesTable, records: readonly Values[]): Values[] {
  return [...new Map(records.map((record) => [keyOf(name, record), record])).values()];
}

function keyOf(name: SeriesTable, record: Values): string {
  return tables[name].uniqueKey.map((column) => String(record[column])).join('\n');
}

/** The commodities that have another HS code in the input than the one that is stored. */
function differingCodes(
  series: readonly ImportedSeries[],
  commodities: ReadonlyMap<string, Values>,
): string[] {
  const differing = new Set<string>();
  for (const { descriptor } of series) {
    const { name, hs_code } = descriptor!.commodity;
    const stored = commodities.get(keyOf('Commodity', { name }))?.hs_code ?? null;
    if (hs_code !== null && stored !== null && stored !== hs_code) differing.add(name);
  }
  return [...differing];
}
