import { Injectable } from '@nestjs/common';
import { updateChangeSet } from '../../ledger/changes/change-set.js';
import { AuditTrail, type AuditedCaller } from '../../ledger/audit/audit-trail.js';
import { Database } from '../../database/database.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { runningImport } from '../../ledger/import-lock/import-lock.js';
import { ImportRunning } from '../../platform/errors/api-error.js';
import { ObservationStore } from '../../prices/store/observation-store.js';
import { aliasStatements } from '../../reference/base/alias-key.js';
import { referenceTables } from '../../reference/reference.module.js';
import { MergeAliases } from './merge-aliases.js';
import type { Reader } from './reading.js';
import type { RecordTable } from './record-histories.js';
import { revertLinksBehind, RevertOperation, type RevertLink } from './revert-operation.js';
import { readChangeSet, type StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import { readScope, type RevertScope } from './revert-scope.js';
import { RevertCounts } from './revert-counts.js';
import { EVERYTHING, takeSteps } from './revert-driver.js';
import { NotRevertible, RevertTooLarge } from './revert-errors.js';
import { newContext, type RevertContext } from './revert-context.js';
import { readAffected, requireRevertible, type Affected } from './affected.js';
import { ApiSchema, Nested, OrNull } from '../../platform/validation/field.js';
import { Id } from '../../platform/validation/fields.js';

/** Limits that tests set to smaller values. */
@Injectable()
export class RevertLimits {
  /** Points and records that a request reverts; the command takes any number. */
  inRequest = 100_000;
  /** Points of one transaction of a revert in many. */
  pointsInTransaction = 10_000;
  /** Series or records of one transaction of a revert in many. */
  itemsInTransaction = 500;
}

/** Who reverts a change set, and why. */
export interface RevertRequest {
  readonly reason: string;
  readonly dryRun: boolean;
  /** Null for the command. */
  readonly caller: AuditedCaller | null;
  readonly requestId: string | null;
}

/** The change set of a revert, and what it did. */
@ApiSchema()
export class RevertResult {
  @OrNull(Id({ description: 'The change set of the revert; null in a dry run' }))
  change_set!: number | null;
  @Nested(RevertCounts) counts!: RevertCounts;
}

/** Reverts change sets. */
@Injectable()
export class Reverts {
  private readonly tables: ReadonlyMap<string, RecordTable>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ObservationStore,
    private readonly trail: AuditTrail,
    private readonly limits: RevertLimits,
  ) {
    const tables: RecordTable[] = referenceTables().map(({ statements, dto }) => ({
      statements,
      area: dto.entity.area,
      correctedColumn: dto.entity.correctedColumn,
    }));
    tables.push({ statements: aliasStatements, area: 'references', correctedColumn: null });
    this.tables = new Map(tables.map((table) => [table.statements.name, table]));
  }

  /**
   * Reverts a change set in one transaction.
   * @throws NotFound, NotRevertible, RevertTooLarge, ImportRunning
   */
  async revert(id: number, request: RevertRequest): Promise<RevertResult> {
    if (request.dryRun) {
      const scope = await readScope(this.database, await this.requireTarget(this.database, id));
      const affected = await this.requireSmall(this.database, scope);
      return { change_set: null, counts: await this.preview(await this.plan(scope), affected) };
    }
    return this.unitOfWork.change({ kind: 'revert', reason: request.reason }, async (transaction) => {
      const running = await runningImport(transaction);
      if (running === id) throw new NotRevertible('The change set is still running.');
      if (running !== null) throw new ImportRunning();
      const scope = await readScope(transaction, await this.requireTarget(transaction, id));
      const affected = await this.requireSmall(transaction, scope);
      const by = (await transaction.changeSetId())!;
      const context = await this.begin(transaction, scope, by);
      const total = await takeSteps(context, affected, EVERYTHING, (batch) =>
        batch(transaction, transaction),
      );
      const counts = await total.counts(transaction, scope.target);
      await this.finish(transaction, scope.target, by, counts, request);
      return { change_set: by, counts };
    });
  }

  /** What a revert would do. @param size as reverts of that size are done */
  async preview(context: RevertContext, affected: Affected, size = EVERYTHING): Promise<RevertCounts> {
    const total = await takeSteps(context, affected, size, (batch) => batch(this.database, null));
    return total.counts(this.database, context.operation.target);
  }

  /** @throws NotFound, NotRevertible */
  async requireTarget(reader: Reader, id: number): Promise<StoredChangeSet> {
    const target = await requireRevertible(reader, id);
    const { reverted_by: by } = target;
    if (by === null) return target;
    const revert = await readChangeSet(reader, by);
    throw new NotRevertible(
      revert?.state === 'done'
        ? `Change set ${by} has reverted the change set already.`
        : `Change set ${by} reverts the change set and has not ended: run npm run revert -- ${id}.`,
    );
  }

  /**
   * The state of a revert that is tried out.
   * @param by the change set of a revert that was interrupted, and would go on
   */
  async plan(scope: RevertScope, by: number | null = null): Promise<RevertContext> {
    const links = by === null ? await revertLinksBehind(this.database, scope.target) : [];
    return this.contextOf(this.database, scope, links, by);
  }

  /** Marks what is reverted and what stands again: once, in the first transaction. */
  async begin(transaction: Transaction, scope: RevertScope, by: number): Promise<RevertContext> {
    const { target } = scope;
    const links: RevertLink[] = [
      { id: target.id, revertedBy: by },
      ...(await revertLinksBehind(transaction, target)),
    ];
    for (const { id, revertedBy } of links)
      await updateChangeSet(transaction, id, { reverted_by: revertedBy });
    await updateChangeSet(transaction, by, { reverts: target.id });
    return this.resume(transaction, scope, by);
  }

  /** The state of a revert that was begun. */
  resume(reader: Reader, scope: RevertScope, by: number): Promise<RevertContext> {
    return this.contextOf(reader, scope, [], by);
  }

  private async contextOf(
    reader: Reader,
    scope: RevertScope,
    links: readonly RevertLink[],
    by: number | null,
  ): Promise<RevertContext> {
    const { tables, store } = this;
    const { merges } = scope;
    const operation = await RevertOperation.load(reader, scope, links, by);
    const aliases = await MergeAliases.read(reader, merges, operation.reinstated);
    return newContext(operation, tables, store, merges, aliases);
  }

  /**
   * What a request is to revert. Checked first: a plan of more than that would be dropped.
   * @throws RevertTooLarge
   */
  private async requireSmall(reader: Reader, scope: RevertScope): Promise<Affected> {
    const affected = await readAffected(reader, scope);
    const { inRequest } = this.limits;
    if (affected.size > inRequest) throw new RevertTooLarge(scope.target.id, affected.size, inRequest);
    return affected;
  }

  /** Stores the counts and the audit entry, as the last part of the last transaction. */
  async finish(
    transaction: Transaction,
    target: StoredChangeSet,
    by: number,
    counts: RevertCounts,
    { caller, requestId }: RevertRequest,
  ): Promise<void> {
    await storeCounts(transaction, by, counts);
    await this.trail.record(transaction, {
      caller,
      requestId,
      table: 'change_set',
      recordId: target.id,
      action: 'revert',
      columns: ['reverted_by'],
      before: { reverted_by: null },
      after: { reverted_by: by },
    });
  }
}

/** Stores what a revert has done, or has done so far. @param by its change set */
export async function storeCounts(transaction: Transaction, by: number, counts: RevertCounts): Promise<void> {
  await updateChangeSet(transaction, by, { counts });
}
