import type { Transaction } from '../../ledger/unit-of-work.js';

/** Removes all runs of a harvest. */
export async function removeRuns(transaction: Transaction, harvestId: number): Promise<void> {
  await transaction.execute(
    'DELETE FROM held_file WHERE run_id IN (SELECT id FROM harvest_run WHERE harvest_id = ?)',
    [harvestId],
  );
  await transaction.execute('DELETE FROM harvest_run WHERE harvest_id = ?', [harvestId]);
}

/** Removes the run that is about to come, such as the retry of one that has failed. */
export const removeWaitingRuns = (transaction: Transaction, harvestId: number) =>
  transaction.execute("DELETE FROM harvest_run WHERE harvest_id = ? AND state = 'waiting'", [harvestId]);

/**
 * Ends the runs of a harvest that are held, because they are overtaken, and removes what is kept of
 * runs that are not held any more.
 * @param except the run that takes their place; 0 for none
 */
export async function supersedeHeldRuns(
  transaction: Transaction,
  harvestId: number,
  except = 0,
): Promise<void> {
  await transaction.execute(
    "UPDATE harvest_run SET state = 'superseded' WHERE harvest_id = ? AND state IN ('held', 'approved') AND id <> ?",
    [harvestId, except],
  );
  await transaction.execute(
    'DELETE FROM held_file WHERE run_id IN (SELECT id FROM harvest_run WHERE harvest_id = ?' +
      " AND state NOT IN ('held', 'approved', 'running'))",
    [harvestId],
  );
}

/** Removes what is kept of a run. */
export const removeHeldFiles = (transaction: Transaction, runId: number) =>
  transaction.execute('DELETE FROM held_file WHERE run_id = ?', [runId]);
