import { correctionsOfRecords } from '../../ledger/corrections/correction-store.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { wholeCode } from '../../lib/codes/whole-code.js';
import { correctionKey } from '../../reference/base/record-corrections.js';
import { changeRecordsAlike } from '../../reference/base/record-versions.js';
import {
  TableStatements,
  type DatabaseRow,
  type RecordValues,
} from '../../reference/base/table-statements.js';
import { Cpi } from '../../reference/cpi/cpi.entity.js';
import type { ReplacedValue } from '../formats/replaced-values.js';
import type { TableRecord } from '../formats/table-rows.js';

const table = new TableStatements(Cpi);

/**
 * Gives stored indices whose base period is written otherwise (`2019.0`, `2019=100`) the one of an
 * input, so that an index does not go on under another one. Corrected ones stay as they are, and so
 * do those of which there is one with the other base period already.
 * @returns what was stored, and as what it is read
 */
export async function mendBasePeriods(
  transaction: Transaction,
  rows: readonly TableRecord[],
): Promise<ReplacedValue[]> {
  const replaced: ReplacedValue[] = [];
  const indices = new Map(
    rows.map(({ values: { iso3_country_code, item, base_period } }) => {
      const key = [iso3_country_code, item ?? 'general', base_period] as [string, string, string];
      return [key.join('\n'), key];
    }),
  );
  for (const [country, item, base] of indices.values()) {
    if (!/^\d+$/.test(base)) continue;
    const found = await transaction.rows<DatabaseRow>(
      table.select(
        'WHERE iso3_country_code = ? AND item = ? AND base_period LIKE ? AND date NOT IN' +
          ` (${table.selectColumns(['date'], 'WHERE iso3_country_code = ? AND item = ? AND base_period = ?')})`,
      ),
      [country, item, `${base}_%`, country, item, base],
    );
    const damaged = found
      .map((row) => table.record(row))
      .filter(({ base_period }) => base_period !== base && wholeCode(base_period) === base);
    if (damaged.length === 0) continue;
    const keyOf = (record: Cpi) => correctionKey(table, record as unknown as RecordValues);
    const corrected = await correctionsOfRecords(transaction, table.name, damaged.map(keyOf));
    const dates = new Set<string>();
    const mended = damaged.filter((record) => {
      if (corrected.has(keyOf(record)) || dates.has(record.date)) return false;
      dates.add(record.date);
      return true;
    });
    if (mended.length === 0) continue;
    await changeRecordsAlike(transaction, table, mended, { base_period: base });
    transaction.markModified(Cpi.area);
    const stored = new Set(mended.map(({ base_period }) => base_period));
    replaced.push(...[...stored].map((value) => ({ column: 'base_period', value, read_as: base })));
  }
  return replaced;
}
