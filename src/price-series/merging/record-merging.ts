import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import type { OperationResult } from '../../ledger/changes/operation-result.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { NotFound, ReferenceMissing, ValidationError } from '../../platform/errors/api-error.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';
import { addAlias, aliasIdsOf, moveAliases } from '../../reference/base/aliases.js';
import type { Author } from '../../reference/base/base-reference.service.js';
import { removeRecords } from '../../reference/base/record-versions.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { DatabaseRow, RecordValues, TableStatements } from '../../reference/base/table-statements.js';
import { countSeriesOf } from '../series-store.js';
import { supersedeSeries } from '../series-versions.js';
import type { MergeRule } from './merge-rules.js';

/** A table whose records series refer to, and which of them may be merged. */
export interface MergedTable<E extends ReferenceEntity = ReferenceEntity> {
  /** Its path segment. */
  readonly name: string;
  readonly statements: TableStatements<E>;
  readonly rule: MergeRule<E>;
}

/** Two records, and what refers to the first. */
interface Plan {
  from: ReferenceEntity;
  counts: { series: number; aliases: number };
}

/** Merges records: what refers to one refers to another one afterwards, and it is gone. */
@Injectable()
export class RecordMerging {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * What merging a record would change.
   * @throws as `merge`
   */
  tryOut(table: MergedTable, id: number, into: number): Promise<OperationResult> {
    return this.unitOfWork.run(async (transaction) => {
      const { counts } = await plan(transaction, table, id, into);
      return { change_set: null, counts };
    });
  }

  /**
   * Lets everything refer to `into` that refers to a record, also imports, and removes the record.
   * @throws NotFound, ReferenceMissing, ValidationError where both are the same, and what the rule
   * of the table throws
   */
  merge(table: MergedTable, id: number, into: number, author: Author): Promise<OperationResult> {
    return this.unitOfWork.change(
      { kind: 'merge', reason: author.reason },
      async (transaction) => {
        const { from, counts } = await plan(transaction, table, id, into);
        const { statements } = table;
        const record = from as unknown as RecordValues;
        await moveSeries(transaction, statements.name, id, into);
        await moveAliases(transaction, statements, id, into);
        await removeRecords(transaction, statements, 'id = ?', [id]);
        await addAlias(transaction, statements, into, record);
        transaction.markModified('references');
        await this.trail.record(transaction, {
          caller: author.caller,
          requestId: author.requestId,
          table: statements.name,
          recordId: id,
          action: 'delete',
          columns: [...statements.ownColumns, 'merged_into'],
          before: { ...record, merged_into: into },
          after: null,
        });
        return { change_set: await transaction.changeSetId(), counts };
      },
      author.deadline,
    );
  }
}

/** Checks a merge, and counts what it changes. */
async function plan(
  transaction: Transaction,
  { statements, rule }: MergedTable,
  id: number,
  into: number,
): Promise<Plan> {
  const from = await find(transaction, statements, id);
  if (from === null) throw new NotFound(`There is no record ${id}.`);
  if (id === into) {
    const reason = 'must be another record than the one in the address.';
    throw new ValidationError([bodyViolation('into', new ParseError('same_record', reason))]);
  }
  const other = await find(transaction, statements, into);
  if (other === null) throw new ReferenceMissing(['into']);
  rule(from, other);
  const { name } = statements;
  const series = (await countSeriesOf(transaction, name, [id])).get(id) ?? 0;
  const aliases = await aliasIdsOf(transaction, name, [id]);
  return { from, counts: { series, aliases: aliases.length + 1 } };
}

async function find(
  transaction: Transaction,
  statements: TableStatements<ReferenceEntity>,
  id: number,
): Promise<ReferenceEntity | null> {
  const [row] = await transaction.rows<DatabaseRow>(statements.select('WHERE id = ?'), [id]);
  return row === undefined ? null : statements.record(row);
}

/** Lets the series that refer to a record refer to another one. What they were is kept. */
async function moveSeries(transaction: Transaction, table: string, from: number, to: number): Promise<void> {
  const rows = await transaction.rows<{ id: number }>(`SELECT id FROM price_serie WHERE ${table}_id = ?`, [
    from,
  ]);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await supersedeSeries(transaction, ids);
  await transaction.execute(`UPDATE price_serie SET ${table}_id = ?, since = ? WHERE ${table}_id = ?`, [
    to,
    transaction.revision,
    from,
  ]);
  transaction.markSeriesModified(ids);
}
