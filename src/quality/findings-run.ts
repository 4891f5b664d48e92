import { Injectable } from '@nestjs/common';
import { batchesOf } from '../lib/collections/batches.js';
import { updateChangeSet } from '../ledger/changes/change-set.js';
import { ImportLock, type HeldLock } from '../ledger/import-lock/import-lock.js';
import type { SavedFindings } from '../ledger/findings/finding-store.js';
import { checks } from './checks/index.js';
import { CheckedSeriesReader } from './checks/checked-series-reader.js';
import { everySubject } from './checks/check.js';
import { checkSubjects, FindingsFollower } from './findings-follower.js';

/** Numbers of findings of one rule. */
interface RuleCounts {
  /** New, or open again. */
  opened: number;
  /** No longer there. */
  ended: number;
  /** Open or dismissed as before. */
  unchanged: number;
}

/** By the name of the rule. */
type FindingCounts = Record<string, RuleCounts>;

/**
 * Computes all findings anew, in a transaction for each batch of subjects, under the import lock:
 * writers wait for a batch at most. What others write meanwhile is checked by their transactions.
 * One that was killed may be run again: each run checks everything.
 */
@Injectable()
export class FindingsRun {
  constructor(
    private readonly lock: ImportLock,
    private readonly findings: FindingsFollower,
  ) {}

  /** @throws ImportRunning */
  run(): Promise<FindingCounts> {
    const changeSet = { kind: 'findings', reason: '', input: '', format: '', source: '' } as const;
    return this.lock.hold(changeSet, (lock) => this.checkAll(lock));
  }

  private async checkAll(lock: HeldLock): Promise<FindingCounts> {
    const counts: FindingCounts = {};
    const from = await lock.transact((transaction) => Promise.resolve(transaction.revision - 1));
    for (const check of checks) {
      const names = [...(await lock.transact((transaction) => everySubject(transaction, check)))];
      for (const batch of batchesOf(names, check.batch)) {
        const saved = await lock.transact((transaction) =>
          checkSubjects(transaction, check, batch, new CheckedSeriesReader(transaction)),
        );
        add(counts, saved);
      }
    }
    await lock.end('done', async (transaction) => {
      // What has changed since the start is left, for releases that check nothing.
      await this.findings.followPending(transaction, { since: from });
      await updateChangeSet(transaction, lock.changeSetId, { counts: { findings: counts } });
    });
    return counts;
  }
}

function add(counts: FindingCounts, saved: SavedFindings): void {
  for (const outcome of ['opened', 'ended', 'unchanged'] as const) {
    for (const rule of saved[outcome]) (counts[rule] ??= { opened: 0, ended: 0, unchanged: 0 })[outcome]++;
  }
}

/** The counts as text, a line for each rule in the order of its name. */
export function countsText(counts: FindingCounts): string {
  const names = Object.keys(counts).sort();
  if (names.length === 0) return 'There are no findings.';
  const number = (count: number) => count.toLocaleString('en-US');
  const rows = names.map((name) => {
    const { opened, ended, unchanged } = counts[name]!;
    return [name, number(opened), number(ended), number(unchanged)];
  });
  const table = [['', 'opened', 'ended', 'unchanged'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map(([name, ...cells]) =>
      [name!.padEnd(widths[0]!), ...cells.map((cell, index) => cell.padStart(widths[index + 1]!))].join('  '),
    )
    .join('\n');
}
