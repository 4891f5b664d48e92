import { IsNull } from 'typeorm';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { LoginSession } from './login-session.entity.js';

/**
 * Ends all sessions of an account: none of its refresh and access tokens is accepted any more.
 * @param at instant, ISO 8601
 */
export async function endSessions(transaction: Transaction, accountId: number, at: string): Promise<void> {
  await transaction.manager.update(
    LoginSession,
    { account_id: accountId, ended_at: IsNull() },
    { ended_at: at },
  );
}
