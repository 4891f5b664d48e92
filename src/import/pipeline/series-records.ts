import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { ReferenceEntity, ReferenceEntityClass } from '../../reference/base/reference.entity.js';
import {
  TableStatements,
  type DatabaseRow,
  type RecordValues,
} from '../../reference/base/table-statements.js';
import { Commodity } from '../../reference/commodity/commodity.entity.js';
import { Market } from '../../reference/market/market.entity.js';
import { MeasureUnit } from '../../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../../reference/price-type/price-type.entity.js';
import { Source } from '../../reference/source/source.entity.js';
import type { SeriesDescriptor } from '../formats/series.js';
import type { CountryNames } from './country-names.js';
import { findAliases } from './aliased-records.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import { aliasStatements } from '../../reference/base/alias-key.js';
import { FormerRecords } from '../../reference/base/former-records.js';
import { reinstateAliases } from '../../reference/base/reinstated-aliases.js';
import { ROWS_PER_STATEMENT, inCondition, insertRecords, markCreated } from './statements.js';

/** A table of records that series refer to. */
class SeriesRecordTable {
  readonly statements: TableStatements<ReferenceEntity>;

  constructor(
    readonly entity: ReferenceEntityClass,
    /** The record that a series names. */
    readonly of: (series: SeriesDescriptor) => RecordValues,
  ) {
    this.statements = new TableStatements(entity);
  }

  key(record: RecordValues): string {
    return this.statements.uniqueKey.map((column) => String(record[column])).join('\n');
  }

  /** The records that series name, each once; what one leaves empty is from the others. */
  distinct(series: readonly SeriesDescriptor[]): RecordValues[] {
    const records = new Map<string, Record<string, unknown>>();
    for (const record of series.map(this.of)) {
      const key = this.key(record);
      const first = records.get(key);
      if (first === undefined) records.set(key, { ...record });
      else
        for (const field of this.entity.filledFields) if (isEmpty(first[field])) first[field] = record[field];
    }
    return [...records.values()];
  }
}

/** Whether a field of a record has no value. */
export const isEmpty = (value: unknown): boolean => value === '' || value === null;

/** The country of the record of a market. */
const countryOf = ({ iso3_country_code, country_name }: RecordValues) => ({
  iso3_country_code: iso3_country_code as string,
  country_name: country_name as string,
});

/** In the order of the columns of a series. */
export const seriesTables = {
  Commodity: new SeriesRecordTable(Commodity, ({ commodity }) => commodity),
  PriceType: new SeriesRecordTable(PriceType, ({ price_type }) => ({ name: price_type })),
  Market: new SeriesRecordTable(Market, ({ market }) => market as unknown as RecordValues),
  Source: new SeriesRecordTable(Source, ({ source }) => source),
  MeasureUnit: new SeriesRecordTable(MeasureUnit, ({ measure_unit }) => ({ ...measure_unit })),
} as const;

export type SeriesTable = keyof typeof seriesTables;

export const SERIES_TABLES = Object.keys(seriesTables) as SeriesTable[];

/** A stored record that an input names. */
export interface FoundRecord {
  readonly record: ReferenceEntity;
  /** The fields that maintainers have written. */
  readonly maintained: readonly string[];
  /** Whether it has aliases, so that its texts may have changed. */
  hasAlias: boolean;
}

/** The stored records of one table, by the keys under which the input names them. */
type FoundRecords = Map<string, FoundRecord>;

/** Whether there are aliases, or were some. */
const ANY_ALIAS =
  'SELECT 1 FROM (SELECT id FROM alias UNION ALL' +
  ` SELECT record_id FROM ${RECORD_VERSIONS} WHERE table_name = '${aliasStatements.name}') a LIMIT 1`;

/** The stored records that series of an input name: found by key, then by alias. */
export class SeriesRecords {
  private readonly found = {} as Record<SeriesTable, FoundRecords>;

  private constructor(private readonly transaction: Transaction) {}

  /** Finds the records that these series name. */
  static async find(transaction: Transaction, series: readonly SeriesDescriptor[]): Promise<SeriesRecords> {
    const records = new SeriesRecords(transaction);
    const aliases = await transaction.rows(ANY_ALIAS);
    for (const table of SERIES_TABLES) {
      const named = seriesTables[table].distinct(series);
      records.found[table] = await records.byKey(table, named);
      if (aliases.length === 0) continue;
      const { found } = records;
      const others = named.filter((record) => !found[table].has(seriesTables[table].key(record)));
      for (const [key, one] of await records.byAlias(table, others)) found[table].set(key, one);
      const unknown = others.filter((record) => !found[table].has(seriesTables[table].key(record)));
      if (
        unknown.length > 0 &&
        (await reinstateAliases(transaction, seriesTables[table].statements, unknown))
      )
        for (const again of [await records.byKey(table, unknown), await records.byAlias(table, unknown)])
          for (const [key, one] of again) found[table].set(key, one);
      await records.markAliased(table);
    }
    return records;
  }

  /** The record of a table that a series names, or undefined. */
  of(table: SeriesTable, series: SeriesDescriptor): FoundRecord | undefined {
    return this.found[table].get(seriesTables[table].key(seriesTables[table].of(series)));
  }

  /** The records that a series names, in the order of `seriesTables`; null if one is missing. */
  allOf(series: SeriesDescriptor): FoundRecord[] | null {
    const records = SERIES_TABLES.map((table) => this.of(table, series));
    return records.every((record) => record !== undefined) ? records : null;
  }

  /** Creates the missing records that series name. @returns their tables and keys */
  async create(
    series: readonly SeriesDescriptor[],
    countries: CountryNames,
  ): Promise<[SeriesTable, string][]> {
    const { transaction } = this;
    const created: [SeriesTable, string][] = [];
    for (const table of SERIES_TABLES) {
      const { statements, entity } = seriesTables[table];
      const keyOf = (record: RecordValues) => seriesTables[table].key(record);
      const missing = seriesTables[table]
        .distinct(series)
        .filter((record) => !this.found[table].has(keyOf(record)));
      if (missing.length === 0) continue;
      const named =
        table === 'Market'
          ? missing.map((market) => ({ ...market, country_name: countries.of(countryOf(market)) }))
          : missing;
      await insertRecords(transaction, statements, named, keyOf, new FormerRecords());
      await markCreated(transaction, statements, missing);
      for (const [key, one] of await this.byKey(table, missing)) this.found[table].set(key, one);
      created.push(...missing.map((record): [SeriesTable, string] => [table, keyOf(record)]));
      transaction.markModified(entity.area);
    }
    return created;
  }

  private async byKey(table: SeriesTable, records: readonly RecordValues[]): Promise<FoundRecords> {
    const { uniqueKey } = seriesTables[table].statements;
    const found: FoundRecords = new Map();
    for (const batch of batchesOf(records, ROWS_PER_STATEMENT)) {
      const condition = inCondition(this.transaction, uniqueKey, batch.length);
      const values = batch.flatMap((record) => uniqueKey.map((column) => record[column] as SqlValue));
      for (const one of await this.select(table, condition, values))
        found.set(seriesTables[table].key(one.record as unknown as RecordValues), one);
    }
    return found;
  }

  private async byAlias(table: SeriesTable, records: readonly RecordValues[]): Promise<FoundRecords> {
    const found: FoundRecords = new Map();
    const aliases = await findAliases(this.transaction, seriesTables[table].statements, records);
    for (const batch of batchesOf(aliases, ROWS_PER_STATEMENT)) {
      const ids = batch.map(({ record_id }) => record_id);
      const rows = await this.select(table, inCondition(this.transaction, ['id'], ids.length), ids);
      const byId = new Map(rows.map((one) => [one.record.id, one]));
      for (const alias of batch) {
        const one = byId.get(alias.record_id);
        if (one !== undefined) found.set(seriesTables[table].key(alias), one);
      }
    }
    return found;
  }

  private async select(
    table: SeriesTable,
    condition: string,
    values: readonly SqlValue[],
  ): Promise<FoundRecord[]> {
    const { statements, entity } = seriesTables[table];
    const more = entity.filledFields.length > 0 ? ['maintained_fields'] : [];
    const rows = await this.transaction.rows<DatabaseRow & { maintained_fields?: string }>(
      statements.select(`WHERE ${condition}`, more),
      values,
    );
    return rows.map((row) => ({
      record: statements.record(row),
      maintained: row.maintained_fields?.split(',') ?? [],
      hasAlias: false,
    }));
  }

  /** Notes which of the found records have aliases. */
  private async markAliased(table: SeriesTable): Promise<void> {
    const { name } = seriesTables[table].statements;
    const found = [...this.found[table].values()];
    for (const batch of batchesOf(found, ROWS_PER_STATEMENT)) {
      const rows = await this.transaction.rows<{ record_id: number }>(
        'SELECT DISTINCT record_id FROM alias WHERE table_name = ? AND ' +
          inCondition(this.transaction, ['record_id'], batch.length),
        [name, ...batch.map(({ record }) => record.id)],
      );
      const aliased = new Set(rows.map(({ record_id }) => record_id));
      for (const one of batch) one.hasAlias = aliased.has(one.record.id);
    }
  }
}
