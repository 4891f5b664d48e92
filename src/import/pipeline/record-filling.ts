import type { Transaction } from '../../ledger/unit-of-work.js';
import { supersedeRecord } from '../../reference/base/record-versions.js';
import { wholeCode } from '../../lib/codes/whole-code.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import type { ReplacedValue } from '../formats/replaced-values.js';
import type { SeriesDescriptor } from '../formats/series.js';
import {
  SERIES_TABLES,
  isEmpty,
  seriesTables,
  type FoundRecord,
  type SeriesRecords,
  type SeriesTable,
} from './series-records.js';
import { WithSchema } from '../../platform/validation/field.js';
import { Id, Text } from '../../platform/validation/fields.js';

/** A field of a stored record for which an input has another value, which is not stored. */
export class AttributeConflict {
  @Text() readonly table!: string;
  @Id() readonly record_id!: number;
  @Text() readonly field!: string;
  @WithSchema<unknown>({ type: ['string', 'number'] }) readonly stored!: unknown;
  @WithSchema<unknown>({ type: ['string', 'number'] }) readonly given!: unknown;
}

/** What an input's attributes of records have done. */
export interface FilledRecords {
  /** Filled fields: the table, the record's id and the field. */
  readonly filled: readonly string[];
  readonly conflicts: readonly AttributeConflict[];
  /** Values that are stored in another form: codes with leading zeros, names of countries. */
  readonly replaced: readonly ReplacedValue[];
}

/**
 * Fills the empty fields of stored records with the values that an input has for them, but for
 * those that a maintainer has written. Never replaces a value.
 */
export async function fillRecords(
  transaction: Transaction,
  records: SeriesRecords,
  series: readonly SeriesDescriptor[],
): Promise<FilledRecords> {
  const filled: string[] = [];
  const conflicts: AttributeConflict[] = [];
  const replaced: ReplacedValue[] = [];
  for (const table of SERIES_TABLES) {
    const changes = new Map<FoundRecord, Record<string, unknown>>();
    for (const descriptor of series) {
      const found = records.of(table, descriptor);
      if (found === undefined) continue;
      const changed = changes.get(found) ?? {};
      const given = seriesTables[table].of(descriptor);
      const stored = { ...(found.record as unknown as RecordValues), ...changed };
      for (const field of seriesTables[table].entity.filledFields) {
        if (isEmpty(given[field]) || given[field] === stored[field]) continue;
        // Stored with the decimals of a spreadsheet (`7001.0`): the same code.
        if (field === 'code' && wholeCode(String(stored[field])) === given[field]) continue;
        if (field === 'code' && hasLostZeros(String(given[field]), String(stored[field])))
          replaced.push({ column: field, value: String(given[field]), read_as: String(stored[field]) });
        else if (!isEmpty(stored[field]))
          conflicts.push({
            table,
            record_id: found.record.id,
            field,
            stored: stored[field],
            given: given[field],
          });
        else if (!found.maintained.includes(field)) {
          changed[field] = given[field];
          filled.push(`${table} ${found.record.id} ${field}`);
        }
      }
      if (Object.keys(changed).length > 0) changes.set(found, changed);
    }
    for (const [{ record }, changed] of changes) await change(transaction, table, record, changed);
  }
  return { filled, conflicts, replaced };
}

/** Whether a code is another one that has lost its leading zeros, as in a spreadsheet. */
const hasLostZeros = (code: string, stored: string): boolean =>
  /^[1-9]\d*$/.test(code) && /^0\d+$/.test(stored) && stored.replace(/^0+/, '') === code;

async function change(
  transaction: Transaction,
  table: SeriesTable,
  record: FoundRecord['record'],
  changes: RecordValues,
): Promise<void> {
  const { statements, entity } = seriesTables[table];
  await supersedeRecord(transaction, statements, record);
  await statements.update(transaction.manager, record, changes, transaction.revision);
  transaction.markRecordModified(statements.name, record.id, 'changed');
  transaction.markModified(entity.area);
}
