import type { Transaction } from '../../ledger/unit-of-work.js';
import { revisionsOf } from '../../ledger/revision/stored-revisions.js';
import type { RevertOperation } from './revert-operation.js';
import type { RevertedRevisions } from '../../ledger/states.js';

/**
 * What is reverted, for the last steps of a revert: what the ones before have stored is a state
 * as well, which a revert has given.
 */
export async function withOwnRevisions(
  transaction: Transaction,
  operation: RevertOperation,
): Promise<RevertedRevisions> {
  const stored = await revisionsOf(transaction, (await transaction.changeSetId())!);
  const own = new Set([transaction.revision, ...stored]);
  return {
    isVoid: (revision) => operation.isVoid(revision),
    isRevert: (revision) => own.has(revision) || operation.isRevert(revision),
  };
}
