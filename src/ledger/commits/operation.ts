import type { EntityManager, EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import type { SqlValue } from '../../database/reads.js';
import { newMark } from '../../database/revisions.js';
import { placeholders } from '../../database/sql.js';
import type { Statements, WriteResult } from '../../database/write-transaction.js';
import { instantText, type Clock } from '../../platform/clock/clock.js';
import {
  ChangeList,
  type ChangeAction,
  type ChangesSince,
  type SeriesChangeValues,
} from '../changes/change-list.js';
import {
  insertChangeSet,
  readChangeSetKind,
  type ChangeSetKind,
  type ChangeSetReference,
} from '../changes/change-set.js';
import type { RevisionArea } from '../revision/data-revision.js';
import type { RevisionMark, Transaction } from '../transaction.js';
import type { OpenCommit } from './open-commit.js';

/** What operations and followers have in common: they execute statements of one commit. */
abstract class CommitPart implements Transaction {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  abstract readonly revision: number;
  abstract readonly before: RevisionMark | null;
  abstract readonly next: RevisionMark | null;
  abstract readonly changesData: boolean;
  abstract readonly changes: ChangesSince;
  abstract markModified(...areas: RevisionArea[]): void;
  abstract markSeriesModified(ids: Iterable<number>, change?: Partial<SeriesChangeValues>): void;
  abstract markRecordModified(
    table: string,
    id: number,
    action: ChangeAction,
    columns?: ReadonlySet<string> | null,
  ): void;
  abstract changeSetId(): Promise<number | null>;
  abstract changeSetKinds(): Promise<ReadonlySet<ChangeSetKind>>;

  get manager(): EntityManager {
    return this.statements.manager;
  }

  get embedded(): boolean {
    return this.statements.embedded;
  }

  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.statements.rows(sql, values);
  }

  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.statements.arrays(sql, values);
  }

  execute(sql: string, values?: readonly SqlValue[]): Promise<WriteResult> {
    return this.statements.execute(sql, values);
  }

  executeWithNext(sql: string, values?: readonly SqlValue[]): Promise<void> {
    return this.statements.executeWithNext(sql, values);
  }

  async insert<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    values: QueryDeepPartialEntity<E>,
  ): Promise<number> {
    // TypeORM's builder takes a tenth of a write's processor time to compose this statement.
    const { tableName } = this.manager.dataSource.getMetadata(entity);
    const { driver } = this.manager.dataSource;
    const columns = Object.entries(values).filter(([, value]) => value !== undefined);
    const names = columns.map(([name]) => driver.escape(name)).join(', ');
    const { insertId } = await this.execute(
      `INSERT INTO ${driver.escape(tableName)} (${names}) VALUES (${placeholders(columns.length)})`,
      columns.map(([, value]) => value as SqlValue),
    );
    return insertId;
  }

  now(): number {
    return this.clock.now();
  }
}

/** An operation of a commit: it has its change set, and a revision if it changes published data. */
export class Operation extends CommitPart {
  readonly revision: number;
  readonly before: RevisionMark | null;
  readonly mark = newMark();
  readonly areas = new Set<RevisionArea>();
  readonly changeList = new ChangeList();
  /** Settles when the other workers of this machine have seen the revision. */
  published: Promise<void> = Promise.resolve();
  private createdChangeSet: Promise<number> | null = null;

  /** @param changeSet null for one that changes no published data */
  constructor(
    commit: OpenCommit,
    private readonly changeSet: ChangeSetReference | null,
    clock: Clock,
  ) {
    super(commit.statements, clock);
    this.before = commit.newest;
    this.revision = commit.nextRevision;
  }

  get next(): RevisionMark | null {
    return this.revision === 0 ? null : { number: this.revision, mark: this.mark };
  }

  get changesData(): boolean {
    return this.areas.size > 0;
  }

  get changes(): ChangesSince {
    return this.changeList.changesSince(Math.max(this.revision - 1, 0));
  }

  /** Whether commits are followed that it is a part of: not those of a running change set. */
  get isFollowed(): boolean {
    return this.changeSet !== null && typeof this.changeSet !== 'number';
  }

  markModified(...areas: RevisionArea[]): void {
    for (const area of areas) this.areas.add(area);
  }

  markSeriesModified(ids: Iterable<number>, change: Partial<SeriesChangeValues> = {}): void {
    this.areas.add('series');
    for (const id of ids) this.changeList.addSeries(id, change);
  }

  markRecordModified(
    table: string,
    id: number,
    action: ChangeAction,
    columns: ReadonlySet<string> | null = null,
  ): void {
    this.changeList.addRecord({ table, id, action, columns });
  }

  async changeSetId(): Promise<number | null> {
    const { changeSet } = this;
    if (changeSet === null || typeof changeSet === 'number') return changeSet;
    const at = instantText(this.now());
    const { kind, reason, format } = changeSet;
    const row = { kind, reason, format, state: 'done', startedAt: at, endedAt: at } as const;
    return (this.createdChangeSet ??= insertChangeSet(this, row));
  }

  async changeSetKinds(): Promise<ReadonlySet<ChangeSetKind>> {
    const { changeSet } = this;
    if (changeSet === null) return new Set();
    return new Set([
      typeof changeSet === 'number' ? await readChangeSetKind(this, changeSet) : changeSet.kind,
    ]);
  }
}

/** A follower needs the change set of one of several operations, which nobody can tell. */
class SharedCommitError extends Error {
  constructor() {
    super('The operations of this commit have change sets of their own.');
    this.name = 'SharedCommitError';
  }
}

/** What the operations of a commit have changed together, as followers see it. */
export class FollowedOperations extends CommitPart {
  readonly changesData = true;
  readonly changes: ChangesSince;
  readonly before: RevisionMark | null;
  private readonly last: Operation;

  /** @param operations one at least */
  constructor(
    commit: OpenCommit,
    private readonly operations: readonly Operation[],
    clock: Clock,
  ) {
    super(commit.statements, clock);
    this.before = operations[0]!.before;
    this.last = operations.at(-1)!;
    const all = new ChangeList();
    for (const { changeList } of operations) all.addAll(changeList);
    this.changes = all.changesSince(operations[0]!.revision - 1);
  }

  get revision(): number {
    return this.last.revision;
  }

  get next(): RevisionMark | null {
    return this.last.next;
  }

  markModified(...areas: RevisionArea[]): void {
    this.last.markModified(...areas);
  }

  markSeriesModified(ids: Iterable<number>, change?: Partial<SeriesChangeValues>): void {
    this.last.markSeriesModified(ids, change);
  }

  markRecordModified(
    table: string,
    id: number,
    action: ChangeAction,
    columns?: ReadonlySet<string> | null,
  ): void {
    this.last.markRecordModified(table, id, action, columns);
  }

  /** @throws SharedCommitError where there are several: then each is made again by itself */
  async changeSetId(): Promise<number | null> {
    if (this.operations.length > 1) throw new SharedCommitError();
    return this.last.changeSetId();
  }

  async changeSetKinds(): Promise<ReadonlySet<ChangeSetKind>> {
    const kinds = new Set<ChangeSetKind>();
    for (const operation of this.operations)
      for (const kind of await operation.changeSetKinds()) kinds.add(kind);
    return kinds;
  }
}
