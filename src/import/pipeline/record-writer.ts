import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import { assignments, quoteIdentifier } from '../../database/sql.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { ImportMode } from '../../ledger/corrections/correction.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { hasAliases } from '../../reference/base/alias-key.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { DatabaseRow, RecordValues } from '../../reference/base/table-statements.js';
import type { FormerRecords } from '../../reference/base/former-records.js';
import { reinstateAliases } from '../../reference/base/reinstated-aliases.js';
import { Cpi } from '../../reference/cpi/cpi.entity.js';
import { Market } from '../../reference/market/market.entity.js';
import type { ReplacedValue } from '../formats/replaced-values.js';
import { mendBasePeriods } from './base-periods.js';
import { findAliases } from './aliased-records.js';
import { withCountryNames } from './country-names.js';
import type { TableRecord } from '../formats/table-rows.js';
import { supersedeRecord } from '../../reference/base/record-versions.js';
import { rowsOfOwnSource } from './record-sources.js';
import { mergeRowsWithCorrections, type CorrectedRows } from './record-corrections.js';
import { ROWS_PER_STATEMENT, inCondition, insertRecords, markCreated } from './statements.js';

/** The result of `writeRecords`. */
interface WrittenRecords {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows that differ from a stored record, of an import that only adds. */
  readonly alreadyStored: number;
  readonly corrections: CorrectedRows;
  /** Rows with another value for a rate or an index that is of another source. */
  readonly keptOtherSource: number;
  /** Commodities whose stored HS code differs from the input's and was kept. */
  readonly keptHsCodes: readonly string[];
  /** Names of countries in the input that are stored as others, and stored base periods mended. */
  readonly replaced: readonly ReplacedValue[];
}

/** How an import writes records. */
interface RecordWriting {
  readonly mode: ImportMode;
  /** Whether it may change rates and indices of other sources. */
  readonly replace: boolean;
  readonly former: FormerRecords;
}

const toValues = (record: ReferenceEntity) => record as unknown as RecordValues;

/**
 * Inserts or updates records of a reference table by their unique keys, or by aliases. An update
 * changes only the fields that the input has and that differ, and never a stored HS code or the
 * name of a country. `rows` must not repeat a key.
 */
export async function writeRecords(
  transaction: Transaction,
  referenceTable: ReferenceTable,
  allRows: readonly TableRecord[],
  { mode, replace, former }: RecordWriting,
): Promise<WrittenRecords> {
  const { statements: table, dto } = referenceTable;
  const named =
    dto.entity === Market ? await withCountryNames(transaction, allRows) : { rows: allRows, replaced: [] };
  const replaced =
    dto.entity === Cpi && mode !== 'fill_only'
      ? await mendBasePeriods(transaction, named.rows)
      : named.replaced;
  const own = await rowsOfOwnSource(transaction, referenceTable, named.rows, replace);
  const corrections = await mergeRowsWithCorrections(transaction, referenceTable, own.rows, mode);
  const { rows } = corrections;
  const keyOf = (record: RecordValues) => table.uniqueKey.map((column) => String(record[column])).join('\n');
  const counts = { added: 0, changed: 0, unchanged: 0, alreadyStored: 0, keptHsCodes: [] as string[] };
  for (const batch of batchesOf(rows, ROWS_PER_STATEMENT)) {
    const readStored = async () => {
      const found = await transaction.rows<Record<string, unknown>>(
        table.select(`WHERE ${inCondition(transaction, table.uniqueKey, batch.length)}`),
        batch.flatMap(({ values }) => table.uniqueKey.map((column) => values[column] as SqlValue)),
      );
      return new Map(found.map((row) => [keyOf(row), table.record(row)]));
    };
    let stored = await readStored();
    const unknown = () => batch.map(({ values }) => values).filter((values) => !stored.has(keyOf(values)));
    if (hasAliases(table) && unknown().length > 0 && (await reinstateAliases(transaction, table, unknown())))
      stored = await readStored();
    const others = unknown();
    const repeated = await addAliased(transaction, table, others, stored, keyOf);
    const isKnown = (key: string) => stored.has(key) || repeated.has(key);
    const missing = batch.filter(({ values }) => !isKnown(keyOf(values)));
    await insertRecords(
      transaction,
      table,
      missing.map(({ values, defaults }) => ({ ...defaults, ...values })),
      keyOf,
      former,
    );
    await markCreated(
      transaction,
      table,
      missing.map(({ values }) => values),
    );
    counts.added += missing.length;
    for (const { values } of batch) {
      const before = stored.get(keyOf(values));
      if (repeated.has(keyOf(values))) counts.unchanged++;
      if (before === undefined) continue;
      // Its own key, which differs where it was found by an alias.
      const key = Object.fromEntries(table.uniqueKey.map((name) => [name, toValues(before)[name]]));
      const changes = { ...table.differences(before, { ...before, ...values, ...key }) };
      const code = toValues(before).hs_code;
      if ('hs_code' in changes && code !== null) {
        if (changes.hs_code !== null) counts.keptHsCodes.push(keyOf(values));
        delete (changes as Record<string, unknown>).hs_code;
      }
      if (Object.keys(changes).length === 0) {
        counts.unchanged++;
        continue;
      }
      if (mode === 'fill_only') {
        counts.alreadyStored++;
        continue;
      }
      await supersedeRecord(transaction, table, before);
      await updateRecord(transaction, table.name, before, changes);
      transaction.markRecordModified(table.name, before.id, 'changed');
      counts.changed++;
    }
  }
  if (counts.added + counts.changed > 0) transaction.markModified(dto.entity.area);
  const unchanged = counts.unchanged + allRows.length - own.rows.length;
  const { keptOtherSource } = own;
  return { ...counts, unchanged, corrections, keptOtherSource, replaced };
}

/** Changes a record that is locked. Not by TypeORM: the command runs without entities. */
async function updateRecord(
  transaction: Transaction,
  table: string,
  { id, version }: ReferenceEntity,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const values = { ...changes, version: version + 1, since: transaction.revision };
  const set = assignments(Object.keys(values));
  await transaction.execute(`UPDATE ${quoteIdentifier(table)} SET ${set} WHERE id = ?`, [
    ...(Object.values(values) as SqlValue[]),
    id,
  ]);
}

/**
 * Adds the records that have aliases as their keys in the input.
 * @param stored records that were found by their own keys
 * @returns the keys of records that the input has under another key, too: that one counts
 */
async function addAliased(
  transaction: Transaction,
  table: ReferenceTable['statements'],
  records: readonly RecordValues[],
  stored: Map<string, ReferenceEntity>,
  keyOf: (record: RecordValues) => string,
): Promise<ReadonlySet<string>> {
  const repeated = new Set<string>();
  if (records.length === 0 || !hasAliases(table)) return repeated;
  const known = new Set([...stored.values()].map(({ id }) => id));
  for (const alias of await findAliases(transaction, table, records)) {
    const [row] = await transaction.rows<DatabaseRow>(table.select('WHERE id = ?'), [alias.record_id]);
    if (row === undefined) continue;
    if (known.has(alias.record_id)) repeated.add(keyOf(alias));
    else stored.set(keyOf(alias), table.record(row));
    known.add(alias.record_id);
  }
  return repeated;
}
