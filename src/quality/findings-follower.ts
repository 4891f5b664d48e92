import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchesOf } from '../lib/collections/batches.js';
import type { Database } from '../database/database.js';
import type { FoundFinding } from '../ledger/findings/finding.js';
import type { ChangesSince } from '../ledger/changes/change-list.js';
import { readChangesSince } from '../ledger/changes/stored-changes.js';
import { followedRevision, markFollowed } from '../ledger/revision/followed-revision.js';
import type { CommitFollower, Transaction } from '../ledger/unit-of-work.js';
import { hasSeries } from '../price-series/series-store.js';
import type { WrittenPoints } from '../prices/store/written-points.js';
import { saveFindings, type CheckedSubjects, type SavedFindings } from '../ledger/findings/finding-store.js';
import { ChangedData } from './checks/changed-data.js';
import { subjectText, type Check } from './checks/check.js';
import { checks } from './checks/index.js';
import { CheckedSeriesReader } from './checks/checked-series-reader.js';

/** Values of one statement. */
const BATCH = 500;

/**
 * Keeps the findings in step with the data: as a part of each commit that changes data, and only
 * for what it changes. An import of many transactions is followed by the last one, because it comes
 * back to the same series again and again. After one that was killed, the end of the next follows
 * what both have stored.
 */
@Injectable()
export class FindingsFollower implements CommitFollower {
  async beforeCommit(transaction: Transaction, changes: ChangesSince): Promise<void> {
    await this.follow(transaction, changes);
  }

  /** Brings the findings up to date with some changes. */
  private async follow(
    transaction: Transaction,
    changes: ChangesSince,
    points = new CheckedSeriesReader(transaction),
  ): Promise<void> {
    if (changes.series.size === 0 && changes.records.length === 0) return;
    const found = new CheckedFindings(transaction);
    const changed = new ChangedData(transaction, changes, points, checks);
    const involved = await changed.involvedSubjects();
    for (const check of checks) {
      const names = new Set(changed.concerns(check) ? await check.subjectsOf(changed) : []);
      for (const name of involved.of(check)) names.add(name);
      await this.run(transaction, check, names, points, found);
    }
    await found.save();
  }

  /**
   * Follows everything that no commit has followed, as the last part of a change set of several
   * transactions: also what earlier ones have left, and what has ended by time alone.
   * @param written points that the change set has stored in earlier transactions
   * @param since follows all revisions after this one; by default those that are not followed yet
   */
  async followPending(
    transaction: Transaction,
    { written = null, since }: { written?: WrittenPoints | null; since?: number } = {},
  ): Promise<void> {
    const points = new CheckedSeriesReader(transaction, written);
    const { changes, revision } = transaction;
    const pending =
      revision === 0
        ? changes
        : await readChangesSince(transaction, since ?? (await followedRevision(transaction)));
    await this.follow(transaction, pending, points);
    await this.endOverdue(transaction, points);
    if (revision > 0) await markFollowed(transaction);
  }

  /** Follows what a transaction of a running change set has changed. */
  async followOwn(transaction: Transaction): Promise<void> {
    await this.follow(transaction, transaction.changes);
    if ((await followedRevision(transaction)) >= transaction.revision - 1) await markFollowed(transaction);
  }

  /** Checks what may have ended by time alone. */
  async endOverdue(
    transaction: Transaction,
    points: CheckedSeriesReader = new CheckedSeriesReader(transaction),
  ): Promise<void> {
    const found = new CheckedFindings(transaction);
    for (const check of checks) {
      const overdue = await check.overdueSubjects?.(transaction);
      if (overdue !== undefined) await this.run(transaction, check, overdue, points, found);
    }
    await found.save();
  }

  private async run(
    transaction: Transaction,
    check: Check,
    names: Iterable<string>,
    points: CheckedSeriesReader,
    found: CheckedFindings,
  ): Promise<void> {
    const all = [...names];
    for (const batch of batchesOf(all, check.batch)) {
      await found.add(check, batch, await check.check(transaction, batch, points));
      if (all.length > check.batch) await nextTurn();
    }
  }
}

/** What checks have found in a transaction: saved together, so a small change needs one read. */
class CheckedFindings {
  private checked: CheckedSubjects[] = [];
  private subjects = 0;

  constructor(private readonly transaction: Transaction) {}

  async add(check: Check, names: readonly string[], found: readonly FoundFinding[]): Promise<void> {
    this.checked.push(checkedSubjects(check, names, found));
    this.subjects += names.length;
    if (this.subjects >= BATCH) await this.save();
  }

  async save(): Promise<void> {
    const { checked } = this;
    [this.checked, this.subjects] = [[], 0];
    await saveFindings(this.transaction, checked);
  }
}

const checkedSubjects = (
  check: Check,
  names: readonly string[],
  found: readonly FoundFinding[],
): CheckedSubjects => ({
  subjects: names.map((name) => subjectText(check, name)),
  found,
  isCorrected: check.isCorrected?.bind(check),
});

/** Computes the findings about some subjects, of one batch at most. */
export async function checkSubjects(
  transaction: Transaction,
  check: Check,
  names: readonly string[],
  points: CheckedSeriesReader,
): Promise<SavedFindings> {
  const found = await check.check(transaction, names, points);
  return saveFindings(transaction, [checkedSubjects(check, names, found)]);
}

/** Whether there are series, and no findings have been computed since there are findings. */
export async function lacksFindings(database: Database): Promise<boolean> {
  return (await followedRevision(database)) === 0 && (await hasSeries(database));
}
