import type { RevisionArea } from '../database/data-revision.js';
import type { SqlValue } from '../database/database.js';
import type { Transaction } from '../database/unit-of-work.js';
import { Commodity } from '../reference/commodity/commodity.entity.js';
import { Cpi } from '../reference/cpi/cpi.entity.js';
import { FxRate } from '../reference/fx-rate/fx-rate.entity.js';
import { Market } from '../reference/market/market.entity.js';
import { MeasureUnit } from '../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../reference/price-type/price-type.entity.js';
import { Source } from '../reference/source/source.entity.js';
import type { ReferenceEntity } from '../reference/base/reference.entity.js';
import { TableStatements, type Values } from '../reference/base/reference-table.js';
import type { TableName, TableRow } from './formats/table-rows.js';
import { insertRows, isOneOf, pieces } from './statements.js';

/** What became of the records of a `writeRecords`. */
export interface WrittenRecords {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Commodities whose stored HS code differs from that of the input, and stays. */
  readonly hsCodesKept: readonly string[];
}

/** The entity of each table, and the part of the data that it belongs to. */
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
 * Stores records of a reference table by their unique keys: new ones are added, of others the given fields are changed where they
 * differ. An HS code that is stored stays. Each key may come once.
 */
export async function writeRecords(
  tx: Transaction,
  name: TableName,
  rows: readonly TableRow[],
): Promise<WrittenRecords> {
  const { table, area } = RECORD_TABLES[name];
  const keyOf = (record: Values) => table.uniqueKey.map((column) => String(record[column])).join('\n');
  const counts = { added: 0, changed: 0, unchanged: 0, hsCodesKept: [] as string[] };
  for (const piece of pieces(rows)) {
    const found = await tx.rows<Record<string, unknown>>(
      `${table.select(`WHERE ${isOneOf(tx, table.uniqueKey, piece.length)}`)}${tx.embedded ? '' : ' FOR UPDATE'}`,
      piece.flatMap(({ values }) => table.uniqueKey.map((column) => values[column] as SqlValue)),
    );
    const stored = new Map(found.map((row) => [keyOf(row), table.record(row)]));
    const missing = piece.filter(({ values }) => !stored.has(keyOf(values)));
    await insertRows(
      tx,
      table.name,
      table.own,
      missing.map(({ values, defaults }) => {
        const record = table.complete({ ...defaults, ...values });
        return table.own.map((column) => record[column] as SqlValue);
      }),
    );
    counts.added += missing.length;
    for (const { values } of piece) {
      const before = stored.get(keyOf(values));
      if (before === undefined) continue;
      const changes = { ...table.differences(before, { ...before, ...values }) };
      const code = (before as unknown as Values).hs_code;
      if ('hs_code' in changes && code !== null) {
        if (changes.hs_code !== null) counts.hsCodesKept.push(keyOf(values));
        delete (changes as Record<string, unknown>).hs_code;
      }
      if (Object.keys(changes).length === 0) {
        counts.unchanged++;
        continue;
      }
      await tx.execute(...table.update(before, changes));
      counts.changed++;
    }
  }
  if (counts.added + counts.changed > 0) tx.touch(area);
  return counts;
}
