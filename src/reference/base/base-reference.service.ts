import type { AuditTrail } from '../../ledger/audit/audit-trail.js';
import type { AuditedCaller } from '../../ledger/audit/audit-trail.js';
import { checkPreconditions, type Preconditions } from '../../platform/http/etag.js';
import { InUse, NotFound, PreconditionFailed } from '../../platform/errors/api-error.js';
import type { Page, PageRequest } from '../../platform/listing/page.js';
import type { Sort } from '../../platform/listing/sort.js';
import type { Environment } from '../../config/environment.js';
import type { Database, SqlValue } from '../../database/database.js';
import type { AsOf } from '../../ledger/revision/as-of.js';
import type { PastRevisions } from '../../ledger/revision/past-revisions.js';
import { driverErrorKind } from '../../database/errors/driver-errors.js';
import { equalities, quoteIdentifier } from '../../database/sql.js';
import type { Transaction, UnitOfWork } from '../../ledger/unit-of-work.js';
import type { FilledEntity } from './filled.entity.js';
import type { ListFilters } from './list-query.js';
import { type RecordState, readRecordHistory } from './record-history.js';
import { RecordListReader } from './record-list-reader.js';
import { DuplicateRecordError, InvalidRecordError } from './record-errors.js';
import { keepFormerKey } from './aliases.js';
import { readPastRecord } from './past-records.js';
import { removeAliasesOf, supersedeRecord } from './record-versions.js';
import { correctRecord } from './record-corrections.js';
import { ReferenceEntity, type ReferenceEntityClass } from './reference.entity.js';
import { TableStatements, type DatabaseRow, type RecordValues } from './table-statements.js';

/** Who makes a change and why, for the audit trail, and until when it must be committed. */
export interface Author {
  caller: AuditedCaller | null;
  requestId: string | null;
  /** Why, for the change set. */
  reason: string;
  /** When the change must be committed (`performance.now()`). */
  deadline: number;
}

/** The change set of a write of one record: a correction, if the table's values have a source. */
export const recordChangeSet = (
  { reason }: Author,
  { correctedColumn }: Pick<ReferenceEntityClass, 'correctedColumn'> = ReferenceEntity,
) => ({ kind: correctedColumn === null ? 'record' : 'correction', reason }) as const;

/** What the change feed calls the actions of the audit trail. */
const CHANGE_ACTIONS = { create: 'created', update: 'changed', delete: 'removed' } as const;

/** A record's entity tag, without quotes: its version, which statements compare as well. */
export const etagOf = (record: ReferenceEntity): string => String(record.version);

/** Dependencies of a reference service. */
interface ReferenceDependencies {
  database: Database;
  unitOfWork: UnitOfWork;
  trail: AuditTrail;
  environment: Environment;
  pastRevisions: PastRevisions;
}

/**
 * CRUD operations on one reference table, in terms of entity fields and independent of HTTP. Writes
 * read the record back, so that responses are what the database stores.
 */
export class BaseReferenceService<E extends ReferenceEntity> {
  private readonly table: TableStatements<E>;
  private readonly lists: RecordListReader<E>;

  constructor(
    private readonly entity: ReferenceEntityClass<E>,
    private readonly dependencies: ReferenceDependencies,
  ) {
    this.table = new TableStatements(entity);
    this.lists = new RecordListReader(dependencies.database, this.table, (record) =>
      this.searchableNames(record),
    );
  }

  /** The names of a record that `search` applies to. */
  protected searchableNames(record: E): readonly string[] {
    return 'name' in record ? [String(record.name)] : [];
  }

  /**
   * Rejects changes of a record that the service depends on.
   * @throws BuiltIn
   */
  protected assertChangeable(_record: E, _changes: RecordValues): void {}

  /**
   * Rejects removing a record that the service depends on.
   * @throws BuiltIn
   */
  protected assertRemovable(_record: E): void {}

  /**
   * The values of a write, with those that other records decide.
   * @param before null for a new record
   */
  protected async decided(
    _transaction: Transaction,
    values: RecordValues,
    _before: E | null,
  ): Promise<RecordValues> {
    return values;
  }

  /**
   * Gives other records what a write says of them as well.
   * @param written the fields that the request has
   * @returns what the audit trail adds to the record
   */
  protected async spread(
    _transaction: Transaction,
    _written: RecordValues,
    _after: E,
  ): Promise<RecordValues> {
    return {};
  }

  /** The values of a whole record, with defaults for fields that are left out. */
  private withDefaults(values: RecordValues): Record<string, unknown> {
    return this.table.withDefaults({ ...this.entity.defaults(values), ...values });
  }

  /**
   * The revision that a read asks for; null for the newest state, -1 before the first one.
   * @throws ValidationError for a revision that does not exist
   */
  revisionOf(asOf: AsOf | undefined): Promise<number | null> {
    return this.dependencies.pastRevisions.resolve(asOf);
  }

  /**
   * All matching records, by id unless sorted, in batches: now, or as they were known at a
   * revision.
   */
  list(filters: ListFilters, revision: number | null = null, sort: Sort = []): AsyncIterable<E[]> {
    return this.lists.all(filters, revision, sort);
  }

  /**
   * @param sort by id unless given
   * @throws NotFound for a page past the last
   */
  page(
    filters: ListFilters,
    request: PageRequest,
    revision: number | null = null,
    sort: Sort = [],
  ): Promise<Page<E>> {
    return this.lists.page(filters, request, revision, sort);
  }

  /** The states of a record, newest first, and at most some; none where it never existed. */
  history(id: number, most: number): Promise<RecordState[]> {
    return readRecordHistory(this.dependencies.database.anyServer, this.table, id, most);
  }

  /** @throws NotFound */
  async read(id: number, revision: number | null = null): Promise<E> {
    const { anyServer } = this.dependencies.database;
    const known = revision === null ? '' : ' AND since <= ?';
    const values = revision === null ? [id] : [id, revision];
    const [row] = await anyServer.rows<DatabaseRow>(this.table.select(`WHERE id = ?${known}`), values);
    if (row !== undefined) return this.table.record(row);
    const past = revision === null ? null : await readPastRecord(anyServer, this.table.name, id, revision);
    if (past === null) throw recordNotFound(id);
    return this.table.pastRecord(past);
  }

  /**
   * Inserts a record in an open transaction.
   * @throws InvalidRecordError, DuplicateRecordError
   */
  async create(transaction: Transaction, values: RecordValues, author: Author): Promise<E> {
    const complete = this.withDefaults(await this.decided(transaction, values, null));
    this.assertValid(complete);
    const record = await this.insert(transaction, {
      ...complete,
      since: transaction.revision,
      ...this.maintained(values),
    }).catch((error: unknown) => this.rethrow(transaction, error, complete));
    const others = await this.spread(transaction, values, record);
    await this.recordChange(transaction, 'create', record.id, null, record, author, others);
    return record;
  }

  /**
   * Replaces the values of a record; fields that are left out become their defaults.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, InvalidRecordError,
   * DuplicateRecordError
   */
  async replace(id: number, values: RecordValues, conditions: Preconditions, author: Author): Promise<E> {
    this.assertValid(this.withDefaults(values));
    const change = async (transaction: Transaction, before: E) =>
      this.withDefaults(await this.decided(transaction, values, before));
    return this.write(id, change, values, this.withDefaults(values), conditions, author);
  }

  /**
   * Changes some fields of a record.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, InvalidRecordError,
   * DuplicateRecordError
   */
  async update(id: number, values: RecordValues, conditions: Preconditions, author: Author): Promise<E> {
    const change = async (transaction: Transaction, before: E) =>
      this.table.withDefaults({ ...before, ...(await this.decided(transaction, values, before)) });
    return this.write(id, change, values, values, conditions, author);
  }

  /** @throws NotFound, PreconditionFailed, PreconditionRequired, InUse, BuiltIn */
  async remove(id: number, conditions: Preconditions, author: Author): Promise<void> {
    await this.dependencies.unitOfWork.change(
      recordChangeSet(author, this.entity),
      async (transaction) => {
        const removed = await this.delete(transaction, id, conditions).catch(async (error: unknown) => {
          if (driverErrorKind(error) === 'in_use')
            throw new InUse(await this.countReferences(transaction, id));
          throw error;
        });
        this.assertRemovable(removed);
        await removeAliasesOf(transaction, this.table, id);
        await this.recordChange(transaction, 'delete', id, removed, null, author);
      },
      author.deadline,
    );
  }

  /**
   * Gives the record with a key its source's value, or removes it where the source has none. This
   * withdraws the correction of the record.
   * @param key as corrections have it
   */
  async restore(transaction: Transaction, key: string, value: number | null, author: Author): Promise<void> {
    const { uniqueKey } = this.table;
    const keyValues = JSON.parse(key) as string[];
    const condition = equalities(uniqueKey);
    const [row] = await transaction.rows<DatabaseRow>(this.table.select(`WHERE ${condition}`), keyValues);
    const values = value === null ? null : { [this.entity.correctedColumn!]: value };
    if (row === undefined) {
      const entries = uniqueKey.map((column, index) => [column, keyValues[index]]);
      await this.create(transaction, { ...Object.fromEntries(entries), ...values }, author);
      return;
    }
    const before = this.table.record(row);
    if (values === null) {
      await this.table.delete(transaction.manager, before);
      return this.recordChange(transaction, 'delete', before.id, before, null, author);
    }
    await this.table.update(transaction.manager, before, values, transaction.revision);
    const after = await this.find(transaction, before.id);
    await this.recordChange(transaction, 'update', before.id, before, after, author);
  }

  /**
   * Stores the fields that differ. A write without changes keeps the version and adds no audit row.
   * @param written the fields that the request has
   * @param maintainedValues the fields that maintainers have written from now on
   */
  private async write(
    id: number,
    change: (transaction: Transaction, before: E) => Promise<RecordValues>,
    written: RecordValues,
    maintainedValues: RecordValues,
    conditions: Preconditions,
    author: Author,
  ): Promise<E> {
    return this.dependencies.unitOfWork.change(
      recordChangeSet(author, this.entity),
      async (transaction) => {
        const before = await this.readChecked(transaction, id, conditions);
        const values = await change(transaction, before);
        const changes = this.table.differences(before, values);
        const maintained = this.maintained(maintainedValues, before);
        if (Object.keys(changes).length === 0) {
          await this.spread(transaction, written, before);
          if (maintained !== null) await this.saveMaintained(transaction, id, maintained.maintained_fields);
          return before;
        }
        this.assertChangeable(before, changes);
        this.assertValid(values);
        const { affected } = await this.table
          .update(transaction.manager, before, { ...changes, ...maintained }, transaction.revision)
          .catch((error: unknown) => this.rethrow(transaction, error, values));
        if (affected === 0) throw new PreconditionFailed();
        const after = (await this.find(transaction, id)) as E;
        await keepFormerKey(transaction, this.table, toValues(before), toValues(after));
        const others = await this.spread(transaction, written, after);
        await this.recordChange(transaction, 'update', id, before, after, author, others);
        return after;
      },
      author.deadline,
    );
  }

  /** Inserts a record and returns it as it is stored; in one statement, if the engine allows it. */
  private async insert(transaction: Transaction, values: RecordValues): Promise<E> {
    if (supportsReturning(transaction)) {
      const [row] = await transaction.rows<DatabaseRow>(...this.table.insertReturning(values));
      return this.table.record(row!);
    }
    return (await this.find(transaction, await transaction.insert(this.entity, values as object))) as E;
  }

  /** Deletes a record and returns it; in one statement, if engine and conditions allow it. */
  private async delete(transaction: Transaction, id: number, conditions: Preconditions): Promise<E> {
    const { ifMatch, ifNoneMatch } = conditions;
    const oneStatement =
      ifNoneMatch === null && (ifMatch !== null || !this.dependencies.environment.strictWrites);
    if (oneStatement && supportsReturning(transaction)) {
      const versions = Array.isArray(ifMatch) ? ifMatch.filter((tag) => /^[1-9]\d{0,9}$/.test(tag)) : null;
      const [row] = await transaction.rows<DatabaseRow>(...this.table.deleteReturning(id, versions));
      if (row !== undefined) return this.table.record(row);
    }
    const before = await this.readChecked(transaction, id, conditions);
    const { affected } = await this.table.delete(transaction.manager, before);
    if (affected === 0) throw new PreconditionFailed();
    return before;
  }

  /**
   * Reads a record that is to be changed. The lock of the data revision keeps it as it is.
   * @throws NotFound, PreconditionFailed, PreconditionRequired
   */
  private async readChecked(transaction: Transaction, id: number, conditions: Preconditions): Promise<E> {
    const more = this.entity.filledFields.length > 0 ? ['maintained_fields'] : [];
    const [row] = await transaction.rows<DatabaseRow>(this.table.select('WHERE id = ?', more), [id]);
    if (row === undefined) throw recordNotFound(id);
    const { maintained_fields } = row;
    const record = { ...this.table.record(row), ...(more.length > 0 ? { maintained_fields } : {}) };
    checkPreconditions(conditions, () => etagOf(record), this.dependencies.environment.strictWrites);
    return record;
  }

  private async find(transaction: Transaction, id: number): Promise<E | null> {
    const [row] = await transaction.rows<DatabaseRow>(this.table.select('WHERE id = ?'), [id]);
    return row === undefined ? null : this.table.record(row);
  }

  /**
   * The column that keeps the fields which maintainers have written, after a write; null where it
   * remains as it is.
   */
  private maintained(written: RecordValues, before?: E): Record<'maintained_fields', string> | null {
    const { filledFields } = this.entity;
    const stored = (before as Partial<FilledEntity> | undefined)?.maintained_fields ?? '';
    const names = stored.split(',');
    const fields = filledFields.filter((field) => names.includes(field) || field in written).join(',');
    return fields === stored ? null : { maintained_fields: fields };
  }

  private async saveMaintained(transaction: Transaction, id: number, fields: string): Promise<void> {
    const table = quoteIdentifier(this.table.name);
    await transaction.execute(`UPDATE ${table} SET maintained_fields = ? WHERE id = ?`, [fields, id]);
  }

  private assertValid(record: RecordValues): void {
    const errors = this.entity.validate(record as unknown as E);
    if (errors.length > 0) throw new InvalidRecordError(errors);
  }

  private async recordChange(
    transaction: Transaction,
    action: 'create' | 'update' | 'delete',
    recordId: number,
    before: E | null,
    after: E | null,
    author: Author,
    others: RecordValues = {},
  ): Promise<void> {
    transaction.markModified(this.entity.area);
    if (before !== null) await supersedeRecord(transaction, this.table, before);
    const columns = before && after && new Set(Object.keys(this.table.differences(before, toValues(after))));
    transaction.markRecordModified(this.table.name, recordId, CHANGE_ACTIONS[action], columns);
    await this.dependencies.trail.record(transaction, {
      caller: author.caller,
      requestId: author.requestId,
      table: this.table.name,
      recordId,
      action,
      columns: [...this.table.ownColumns, ...Object.keys(others)],
      before: before as RecordValues | null,
      after: after === null ? null : { ...after, ...others },
    });
    const { correctedColumn } = this.entity;
    if (correctedColumn !== null)
      await correctRecord(transaction, this.table, correctedColumn, { before, after });
  }

  /**
   * Rethrows the driver's error; a duplicate key as the error that has the id of the other record.
   */
  private async rethrow(transaction: Transaction, error: unknown, record: RecordValues): Promise<never> {
    if (driverErrorKind(error) !== 'duplicate') throw error;
    const { name, uniqueKey } = this.table;
    // The snapshot of the transaction may be older than the other record; a locking read is
    // current.
    const lock = transaction.embedded ? '' : ' LOCK IN SHARE MODE';
    const where = equalities(uniqueKey);
    const [existing] = await transaction.rows<{ id: number }>(
      `SELECT id FROM ${quoteIdentifier(name)} WHERE ${where}${lock}`,
      uniqueKey.map((column) => record[column] as SqlValue),
    );
    throw new DuplicateRecordError(uniqueKey, existing?.id ?? null);
  }

  /** Counts the references to a record, by kind. */
  private async countReferences(
    transaction: Transaction,
    id: number,
  ): Promise<{ kind: string; count: number }[]> {
    const references: { kind: string; count: number }[] = [];
    for (const { kind, table, column } of referrers(this.dependencies.database, this.entity)) {
      const [row] = await transaction.rows<{ total: number }>(
        `SELECT COUNT(*) AS total FROM ${quoteIdentifier(table)} WHERE ${quoteIdentifier(column)} = ?`,
        [id],
      );
      const count = Number(row?.total);
      if (count > 0) references.push({ kind, count });
    }
    return references;
  }
}

const toValues = (record: ReferenceEntity) => record as unknown as RecordValues & { id: number };

const recordNotFound = (id: number): NotFound => new NotFound(`There is no record ${id}.`);

/** Whether the engine supports `INSERT` and `DELETE … RETURNING`; MySQL does not. */
function supportsReturning(transaction: Transaction): boolean {
  return transaction.embedded || transaction.manager.dataSource.options.type === 'mariadb';
}

/** The columns of other tables that hold ids of this one. */
function referrers(database: Database, entity: new () => ReferenceEntity) {
  return database.writer.entityMetadatas.flatMap(({ name: kind, tableName: table, foreignKeys }) =>
    foreignKeys
      .filter(({ referencedEntityMetadata }) => referencedEntityMetadata.target === entity)
      .map(({ columnNames }) => ({ kind, table, column: columnNames[0] as string })),
  );
}
