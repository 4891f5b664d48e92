import type { RevisionArea } from '../../database/revision/data-revision.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../database/unit-of-work.js';
import { Commodity } from '../../reference/commodity/commodity.entity.js';
import { Cpi } from '../../reference/cpi/cpi.entity.js';
import { FxRate } from '../../reference/fx-rate/fx-rate.entity.js';
import { Market } from '../../reference/market/market.entity.js';
import { MeasureUnit } from '../../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../../reference/price-type/price-type.entity.js';
import { Source } from '../../reference/source/source.entity.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import { TableStatements, type RecordValues } from '../../reference/base/table-statements.js';
import type { TableName, TableRow } from '../formats/table-rows.js';
import { bulkInsert, inBatches, inCondition } from './statements.js';

/** The result of `writeRecords`. */
export interface WrittenRecords {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Commodities whose stored HS code differs from the input's and was kept. */
  readonly keptHsCodes: readonly string[];
}

/** The SQL statements of each table, and the revision area it belongs to. */
export const RECORD_TABLES: Readonly<
  Record<TableName, { readonly table: TableStatements<ReferenceEntity>; readonly area: RevisionArea }>
> = {
  PriceType: { table: new TableStatements(PriceType), area: 'references' },
  Source: { table: new TableStatements(Source), area: 'references' },
  MeasureUnit: { table: new TableStatements(MeasureUnit), area: 'references' },
  Commodity: { table: new TableStatements(Commodity), area: 'references' },
  Market: { table: new TableStatements(Market), area: 'references' },
  FxRate: { table: new TableStatements(FxRate), area: 'rates' },
  Cpi: { table: new TableStatements(Cpi), area: 'rates' },
};

/**
 * Inserts or updates records of a reference table by their unique keys. An update changes only the
 * fields that the input has and that differ, and never a stored HS code. `rows` must not repeat a
 * key.
 */
export async function writeRecords(
  transaction: Transaction,
  name: TableName,
  rows: readonly TableRow[],
): Promise<WrittenRecords> {
  const { table, area } = RECORD_TABLES[name];
  const keyOf = (record: RecordValues) => table.uniqueKey.map((column) => String(record[column])).join('\n');
  const counts = { added: 0, changed: 0, unchanged: 0, keptHsCodes: [] as string[] };
  for (const batch of inBatches(rows)) {
    const found = await transaction.rows<Record<string, unknown>>(
      `${table.select(`WHERE ${inCondition(transaction, table.uniqueKey, batch.length)}`)}${transaction.embedded ? '' : ' FOR UPDATE'}`,
      batch.flatMap(({ values }) => table.uniqueKey.map((column) => values[column] as SqlValue)),
    );
    const stored = new Map(found.map((row) => [keyOf(row), table.record(row)]));
    const missing = batch.filter(({ values }) => !stored.has(keyOf(values)));
    await bulkInsert(
      transaction,
      table.name,
      table.ownColumns,
      missing.map(({ values, defaults }) => {
        const record = table.withDefaults({ ...defaults, ...values });
        return table.ownColumns.map((column) => record[column] as SqlValue);
      }),
    );
    counts.added += missing.length;
    for (const { values } of batch) {
      const before = stored.get(keyOf(values));
      if (before === undefined) continue;
      const changes = { ...table.differences(before, { ...before, ...values }) };
      const code = (before as unknown as RecordValues).hs_code;
      if ('hs_code' in changes && code !== null) {
        if (changes.hs_code !== null) counts.keptHsCodes.push(keyOf(values));
        delete (changes as Record<string, unknown>).hs_code;
      }
      if (Object.keys(changes).length === 0) {
        counts.unchanged++;
        continue;
      }
      await transaction.execute(...table.update(before, changes));
      counts.changed++;
    }
  }
  if (counts.added + counts.changed > 0) transaction.touch(area);
  return counts;
}
