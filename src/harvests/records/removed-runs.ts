import type { Transaction } from '../../ledger/unit-of-work.js';

/** Removes all runs of a harvest. */
export const removeRuns = (transaction: Transaction, harvestId: number) =>
  transaction.execute('DELETE FROM harvest_run WHERE harvest_id = ?', [harvestId]);

/** Removes the run that is about to come, such as the retry of one that has failed. */
export const removeWaitingRuns = (transaction: Transaction, harvestId: number) =>
  transaction.execute("DELETE FROM harvest_run WHERE harvest_id = ? AND state = 'waiting'", [harvestId]);
