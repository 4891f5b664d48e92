import { IsNull } from 'typeorm';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { endInvitations } from '../invitations/end-invitations.js';
import { LoginSession } from '../sessions/login-session.entity.js';

/**
 * Ends all sessions of an account, and its invitation: none of its refresh and access tokens is
 * accepted any more, and no address that it was sent before sets its password.
 * @param at instant, ISO 8601
 */
export async function endAccess(transaction: Transaction, accountId: number, at: string): Promise<void> {
  await transaction.manager.update(
    LoginSession,
    { account_id: accountId, ended_at: IsNull() },
    { ended_at: at },
  );
  await endInvitations(transaction, accountId, at);
}
