import { correctionsOfRecords, endCorrections } from '../../ledger/corrections/correction-store.js';
import { mergeCorrection, type ImportMode } from '../../ledger/corrections/correction.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { correctionKey } from '../../reference/base/record-corrections.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import type { TableRecord } from '../formats/table-rows.js';
import type { SupersededCorrection } from './import-report.dto.js';

/** The records of an input after the corrections that stand. */
export interface CorrectedRows {
  /** Those that may be stored. */
  readonly rows: readonly TableRecord[];
  /** Rows that a correction keeps from being stored. */
  readonly unchanged: number;
  readonly confirmed: number;
  readonly superseded: readonly SupersededCorrection[];
}

/**
 * Merges rates or indices of an input with the corrections that stand, and ends those on which the
 * source has spoken anew. Other tables have no corrections.
 */
export async function mergeRowsWithCorrections(
  transaction: Transaction,
  { statements, dto: { entity } }: ReferenceTable,
  rows: readonly TableRecord[],
  mode: ImportMode,
): Promise<CorrectedRows> {
  const column = entity.correctedColumn;
  const none = { rows, unchanged: 0, confirmed: 0, superseded: [] };
  if (column === null) return none;
  const keys = rows.map(({ values }) => correctionKey(statements, values));
  const corrections = await correctionsOfRecords(transaction, statements.name, keys);
  if (corrections.size === 0) return none;
  const ended = { confirms: [] as number[], supersedes: [] as number[] };
  const superseded: SupersededCorrection[] = [];
  const allowed = rows.filter(({ values }, index) => {
    const correction = corrections.get(keys[index]!);
    if (correction === undefined) return true;
    const { id, base, ours, recordId } = correction;
    const overruled = mode === 'overrule_corrections' ? null : (base?.value ?? null);
    const value = values[column] as number;
    const outcome = mode === 'fill_only' ? 'keeps' : mergeCorrection(overruled, ours?.value ?? null, value);
    if (outcome === 'keeps') return false;
    ended[outcome].push(id);
    // Its value stays, but a finding that the correction has ended is no longer corrected.
    if (outcome === 'confirms') transaction.markRecordModified(statements.name, recordId, 'changed');
    if (outcome === 'supersedes')
      superseded.push({
        id,
        uuid: null,
        periodicity: null,
        date: values.date as string,
        table: entity.name,
        record_id: recordId,
        value: ours?.value ?? null,
        base: base?.value ?? null,
        source_value: value,
      });
    return true;
  });
  if (ended.confirms.length > 0) {
    await endCorrections(transaction, ended.confirms, 'confirmed');
    transaction.markModified(entity.area);
  }
  if (ended.supersedes.length > 0) await endCorrections(transaction, ended.supersedes, 'superseded');
  return {
    rows: allowed,
    unchanged: rows.length - allowed.length,
    confirmed: ended.confirms.length,
    superseded,
  };
}
