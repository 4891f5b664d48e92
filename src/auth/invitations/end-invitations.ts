import { IsNull } from 'typeorm';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { Invitation } from './invitation.entity.js';

/** Ends the invitation of an account, if one is open. @param at instant, ISO 8601 */
export async function endInvitations(transaction: Transaction, accountId: number, at: string): Promise<void> {
  await transaction.manager.update(
    Invitation,
    { account_id: accountId, ended_at: IsNull() },
    { ended_at: at },
  );
}
