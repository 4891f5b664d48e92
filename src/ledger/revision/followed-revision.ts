import type { Reads } from '../../database/reads.js';
import type { Transaction } from '../unit-of-work.js';

/** The revision up to which the findings about the data are complete; 0 before the first time. */
export async function followedRevision(reads: Pick<Reads, 'arrays'>): Promise<number> {
  const [row] = await reads.arrays<[number | string]>(
    'SELECT checked_revision FROM data_revision WHERE id = 1',
  );
  return Number(row![0]);
}

/** Says that the findings are complete, after the last change of a transaction. */
export async function markFollowed(transaction: Transaction): Promise<void> {
  const { changesData, revision } = transaction;
  await transaction.execute('UPDATE data_revision SET checked_revision = ? WHERE id = 1', [
    changesData ? revision : revision - 1,
  ]);
}
