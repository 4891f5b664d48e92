import type { AuditTrail } from '../../audit/audit-trail.js';
import type { Caller } from '../../common/access/caller.js';
import { checkPreconditions, type Preconditions } from '../../common/caching/preconditions.js';
import { InUse, NotFound, PreconditionFailed } from '../../common/errors/api-error.js';
import type { Page, PageRequest } from '../../common/pagination/page.js';
import type { Environment } from '../../config/environment.js';
import type { Database, SqlValue } from '../../database/database.js';
import type { RevisionArea } from '../../database/data-revision.js';
import { driverErrorKind } from '../../database/driver-errors.js';
import type { Transaction, UnitOfWork } from '../../database/unit-of-work.js';
import type { ListFilters } from './list-query.js';
import { RecordLists } from './record-lists.js';
import { type FieldFault, RecordDuplicate, RecordInvalid } from './record-refusals.js';
import type { ReferenceEntity } from './reference.entity.js';
import { quoted, TableStatements, type Row, type Values } from './reference-table.js';

/** Who makes a change, for the audit trail. */
export interface Author {
  caller: Pick<Caller, 'accountId' | 'tokenId'> | null;
  requestId: string | null;
}

/** A record's tag, without quotes: its version, so that `If-Match` and the version test of a statement are one test. */
export const tagOf = (record: ReferenceEntity): string => String(record.version);

/** What records are read from and written with. */
export interface ReferenceDependencies {
  database: Database;
  unitOfWork: UnitOfWork;
  trail: AuditTrail;
  environment: Environment;
}

/**
 * The records of one reference table. It speaks in entity fields, knows nothing of HTTP, and reads back what it wrote, so
 * answers are what the database holds.
 */
export class ReferenceRecords<E extends ReferenceEntity> {
  private readonly table: TableStatements<E>;
  private readonly lists: RecordLists<E>;

  /** @param area the part of the data revision that a change of the table moves */
  constructor(
    private readonly entity: new () => E,
    private readonly area: RevisionArea,
    private readonly workshop: ReferenceDependencies,
  ) {
    this.table = new TableStatements(entity);
    this.lists = new RecordLists(workshop.database, this.table, (record) => this.namesOf(record));
  }

  /** The names of a record that `search` looks into. */
  protected namesOf(record: E): readonly string[] {
    return 'name' in record ? [String(record.name)] : [];
  }

  /** All fields of a record that is made of these values, those left out being their defaults. */
  protected complete(values: Values): Record<string, unknown> {
    return this.table.complete(values);
  }

  /** What is wrong with a whole record whose fields are fine one by one. */
  protected faultsOf(_record: E): FieldFault[] {
    return [];
  }

  /** All wanted records by id, in pieces. */
  list(filters: ListFilters): AsyncIterable<E[]> {
    return this.lists.all(filters);
  }

  /** @throws NotFound for a page past the last */
  page(filters: ListFilters, request: PageRequest): Promise<Page<E>> {
    return this.lists.page(filters, request);
  }

  /** @throws NotFound */
  async read(id: number): Promise<E> {
    const [row] = await this.workshop.database.anywhere.rows<Row>(this.table.select('WHERE id = ?'), [id]);
    if (row === undefined) throw missing(id);
    return this.table.record(row);
  }

  /**
   * Adds a record in an open transaction.
   * @throws RecordInvalid, RecordDuplicate
   */
  async create(tx: Transaction, values: Values, author: Author): Promise<E> {
    const complete = this.complete(values);
    this.check(complete);
    const { insertId } = await tx
      .execute(...this.table.insert(complete))
      .catch((error: unknown) => this.explain(tx, error, complete));
    const record = (await this.find(tx, insertId)) as E;
    await this.note(tx, 'create', insertId, null, record, author);
    return record;
  }

  /**
   * Gives a record these values, and its defaults to fields that are left out.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, RecordInvalid, RecordDuplicate
   */
  async replace(id: number, values: Values, conditions: Preconditions, author: Author): Promise<E> {
    const complete = this.complete(values);
    this.check(complete);
    return this.write(id, () => complete, conditions, author);
  }

  /**
   * Gives some fields of a record new values.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, RecordInvalid, RecordDuplicate
   */
  async update(id: number, values: Values, conditions: Preconditions, author: Author): Promise<E> {
    return this.write(id, (before) => this.table.complete({ ...before, ...values }), conditions, author);
  }

  /** @throws NotFound, PreconditionFailed, PreconditionRequired, InUse */
  async remove(id: number, conditions: Preconditions, author: Author): Promise<void> {
    await this.workshop.unitOfWork.run(async (tx) => {
      const removed = await this.delete(tx, id, conditions).catch(async (error: unknown) => {
        if (driverErrorKind(error) === 'in_use') throw new InUse(await this.uses(tx, id));
        throw error;
      });
      await this.note(tx, 'delete', id, removed, null, author);
    });
  }

  /** Stores what differs. A write that changes nothing leaves the version as it is, and no audit row. */
  private async write(
    id: number,
    change: (before: E) => Values,
    conditions: Preconditions,
    author: Author,
  ): Promise<E> {
    return this.workshop.unitOfWork.run(async (tx) => {
      const before = await this.lock(tx, id, conditions);
      const wanted = change(before);
      const changes = this.table.differences(before, wanted);
      if (Object.keys(changes).length === 0) return before;
      this.check(wanted);
      const { affected } = await tx
        .execute(...this.table.update(before, changes))
        .catch((error: unknown) => this.explain(tx, error, wanted));
      if (affected === 0) throw new PreconditionFailed();
      const after = (await this.find(tx, id)) as E;
      await this.note(tx, 'update', id, before, after, author);
      return after;
    });
  }

  /** Deletes the record and gives it back: in one statement where the engine can, and nothing else has to be known before. */
  private async delete(tx: Transaction, id: number, conditions: Preconditions): Promise<E> {
    const { ifMatch, ifNoneMatch } = conditions;
    const free = ifNoneMatch === null && (ifMatch !== null || !this.workshop.environment.strictWrites);
    if (free && returnsDeleted(tx)) {
      const versions = Array.isArray(ifMatch) ? ifMatch.filter((tag) => /^[1-9]\d{0,9}$/.test(tag)) : null;
      const [row] = await tx.rows<Row>(...this.table.deleteReturning(id, versions));
      if (row !== undefined) return this.table.record(row);
    }
    const before = await this.lock(tx, id, conditions);
    const { affected } = await tx.execute(...this.table.delete(before));
    if (affected === 0) throw new PreconditionFailed();
    return before;
  }

  /** The record, which nobody else can write until this transaction ends, if it is the one that the conditions ask for. */
  private async lock(tx: Transaction, id: number, conditions: Preconditions): Promise<E> {
    const record = await this.find(tx, id, tx.embedded ? '' : ' FOR UPDATE');
    if (record === null) throw missing(id);
    checkPreconditions(conditions, tagOf(record), this.workshop.environment.strictWrites);
    return record;
  }

  private async find(tx: Transaction, id: number, lock = ''): Promise<E | null> {
    const [row] = await tx.rows<Row>(this.table.select(`WHERE id = ?${lock}`), [id]);
    return row === undefined ? null : this.table.record(row);
  }

  private check(record: Values): void {
    const faults = this.faultsOf(record as unknown as E);
    if (faults.length > 0) throw new RecordInvalid(faults);
  }

  private async note(
    tx: Transaction,
    action: 'create' | 'update' | 'delete',
    recordId: number,
    before: E | null,
    after: E | null,
    author: Author,
  ): Promise<void> {
    tx.touch(this.area);
    await this.workshop.trail.record(tx, {
      ...author,
      table: this.table.name,
      recordId,
      action,
      columns: this.table.own,
      before: before as Values | null,
      after: after as Values | null,
    });
  }

  /** Turns the database's refusal of a record into ours, which says whose key it has. */
  private async explain(tx: Transaction, error: unknown, record: Values): Promise<never> {
    if (driverErrorKind(error) !== 'duplicate') throw error;
    const { name, uniqueKey } = this.table;
    // The transaction may see an older state than that of the record in its way; a locking read sees the newest.
    const lock = tx.embedded ? '' : ' LOCK IN SHARE MODE';
    const where = uniqueKey.map((column) => `${quoted(column)} = ?`).join(' AND ');
    const [existing] = await tx.rows<{ id: number }>(
      `SELECT id FROM ${quoted(name)} WHERE ${where}${lock}`,
      uniqueKey.map((column) => record[column] as SqlValue),
    );
    throw new RecordDuplicate(uniqueKey, existing?.id ?? null);
  }

  /** What refers to the record, by kind. */
  private async uses(tx: Transaction, id: number): Promise<{ kind: string; count: number }[]> {
    const uses: { kind: string; count: number }[] = [];
    for (const { kind, table, column } of referrers(this.workshop.database, this.entity)) {
      const [row] = await tx.rows<{ total: number }>(
        `SELECT COUNT(*) AS total FROM ${quoted(table)} WHERE ${quoted(column)} = ?`,
        [id],
      );
      const count = Number(row?.total);
      if (count > 0) uses.push({ kind, count });
    }
    return uses;
  }
}

const missing = (id: number): NotFound => new NotFound(`There is no record ${id}.`);

/** Whether the engine knows `DELETE … RETURNING`: MySQL does not. */
function returnsDeleted(tx: Transaction): boolean {
  return tx.embedded || tx.manager.dataSource.options.type === 'mariadb';
}

/** The columns of other tables that hold ids of this one. */
function referrers(database: Database, entity: new () => ReferenceEntity) {
  return database.writer.entityMetadatas.flatMap(({ name: kind, tableName: table, foreignKeys }) =>
    foreignKeys
      .filter(({ referencedEntityMetadata }) => referencedEntityMetadata.target === entity)
      .map(({ columnNames }) => ({ kind, table, column: columnNames[0] as string })),
  );
}
