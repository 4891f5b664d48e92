import { setImmediate as nextTurn } from 'node:timers/promises';
import { placeholders } from '../database/sql.js';
import { batchesOf } from '../lib/collections/batches.js';
import type { Database } from '../database/database.js';
import type { ChangedRecord } from '../ledger/changes/change-list.js';
import type { ChangeObserver, TakenChanges, Transaction, UnitOfWork } from '../ledger/unit-of-work.js';
import type { WrittenPoints } from '../prices/store/written-points.js';
import { saveFindings, type SavedFindings } from '../ledger/findings/finding-store.js';
import { ChangedData } from './checks/changed-data.js';
import { everySubject, subjectText, type Check } from './checks/check.js';
import { checks } from './checks/index.js';
import { isMinor } from './checks/minor-change.js';
import { CheckedSeriesReader } from './checks/checked-series-reader.js';

/** Values of one statement. */
const BATCH = 500;

/**
 * Keeps the findings in step with the data: as a part of each transaction that changes data, and
 * only for what it changes. An import of many transactions is checked in the last one, because it
 * comes back to the same series again and again. After one that was killed, the end of the next
 * checks what both have stored.
 */
export class FindingsUpdater implements ChangeObserver {
  /** Lets a unit of work keep the findings. @returns the unit of work */
  static observe(unitOfWork: UnitOfWork): UnitOfWork {
    unitOfWork.observer = new FindingsUpdater();
    return unitOfWork;
  }

  /** Follows what the transaction has changed, unless more of the act is to come. */
  async beforeRevision(transaction: Transaction): Promise<void> {
    const changes = transaction.takeChanges();
    if (transaction.continues) return;
    await this.update(transaction, changes, new CheckedSeriesReader(transaction));
    const { checkedRevision, revision } = transaction;
    // What an import or an older release has left is not for a single write to catch up.
    if (checkedRevision >= revision - 1) transaction.checkedRevision = revision;
  }

  /**
   * Brings the findings about everything up to date, at the end of an import: also what earlier
   * transactions have left, of it and of others.
   * @param written points that the import has stored in earlier transactions
   */
  async catchUp(transaction: Transaction, written: WrittenPoints | null = null): Promise<void> {
    const points = new CheckedSeriesReader(transaction, written);
    const own = transaction.takeChanges();
    if (transaction.revision > 0) {
      const changes = await changesSince(transaction, transaction.checkedRevision, own);
      await this.update(transaction, changes, points);
      const untilNow = transaction.revision - 1;
      transaction.checkedRevision = untilNow;
      await transaction.execute('UPDATE data_revision SET checked_revision = ? WHERE id = 1', [untilNow]);
    } else await this.update(transaction, own, points);
    await this.endOverdue(transaction, points);
  }

  /** Checks what may have ended by time alone. */
  async endOverdue(
    transaction: Transaction,
    points: CheckedSeriesReader = new CheckedSeriesReader(transaction),
  ): Promise<void> {
    for (const check of checks) {
      const overdue = await check.overdueSubjects?.(transaction);
      if (overdue !== undefined) await this.run(transaction, check, overdue, points);
    }
  }

  /** Computes all findings anew. */
  async updateAll(transaction: Transaction): Promise<void> {
    const points = new CheckedSeriesReader(transaction);
    for (const check of checks)
      await this.run(transaction, check, await everySubject(transaction, check), points);
    transaction.takeChanges();
    transaction.checkedRevision = transaction.revision - 1;
  }

  private async update(
    transaction: Transaction,
    { series, revalued, records }: TakenChanges,
    points: CheckedSeriesReader,
  ): Promise<void> {
    if (series.size === 0 && records.length === 0) return;
    const changed = new ChangedData(transaction, series, revalued, records, points);
    if (await isMinor(changed)) return;
    const ids = new Set(series);
    const facts = await changed.series();
    points.keep(facts);
    for (const { id } of facts) ids.add(id);
    const involved = await subjectsAbout(transaction, ids);
    for (const check of checks) {
      const names = new Set(await check.subjectsOf(changed));
      const prefix = subjectText(check, '');
      for (const subject of involved) {
        if (subject.startsWith(prefix)) names.add(subject.slice(prefix.length));
      }
      await this.run(transaction, check, names, points);
    }
  }

  private async run(
    transaction: Transaction,
    check: Check,
    names: Iterable<string>,
    points: CheckedSeriesReader,
  ): Promise<void> {
    const all = [...names];
    for (const batch of batchesOf(all, check.batch)) {
      await checkSubjects(transaction, check, batch, points);
      if (all.length > check.batch) await nextTurn();
    }
  }
}

/** Computes the findings about some subjects, of one batch at most. */
export async function checkSubjects(
  transaction: Transaction,
  check: Check,
  names: readonly string[],
  points: CheckedSeriesReader,
): Promise<SavedFindings> {
  const found = await check.check(transaction, names, points);
  const subjects = names.map((name) => subjectText(check, name));
  return saveFindings(transaction, subjects, found, check.isCorrected?.bind(check));
}

/** Whether there are series, and no findings have been computed since there are findings. */
export async function lacksFindings(database: Database): Promise<boolean> {
  const rows = await database.rows(
    'SELECT 1 FROM data_revision WHERE id = 1 AND checked_revision = 0' +
      ' AND EXISTS (SELECT 1 FROM price_serie)',
  );
  return rows.length > 0;
}

/** The subjects of the findings about some series. */
async function subjectsAbout(transaction: Transaction, series: ReadonlySet<number>): Promise<string[]> {
  const subjects = new Set<string>();
  const ids = [...series];
  for (const batch of batchesOf(ids, BATCH)) {
    const rows = await transaction.rows<{ subject: string }>(
      'SELECT DISTINCT f.subject FROM finding_member m JOIN finding f ON f.id = m.finding_id' +
        ` WHERE m.serie_id IN (${placeholders(batch.length)})`,
      batch,
    );
    for (const { subject } of rows) subjects.add(subject);
  }
  return [...subjects];
}

/** What the revisions after one have changed, and what the transaction has. */
async function changesSince(
  transaction: Transaction,
  revision: number,
  own: TakenChanges,
): Promise<TakenChanges> {
  const series = new Set(own.series);
  const rows = await transaction.rows<{ serie_id: number }>(
    'SELECT DISTINCT serie_id FROM series_change WHERE revision > ?',
    [revision],
  );
  for (const { serie_id } of rows) series.add(serie_id);
  const records = await transaction.rows<ChangedRecord>(
    'SELECT table_name AS `table`, record_id AS id, action FROM record_change WHERE revision > ?',
    [revision],
  );
  return { series, revalued: new Map(), records: [...own.records, ...records] };
}
