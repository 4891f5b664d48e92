import type { Reads } from '../../database/reads.js';

/**
 * Stored for an account that has no password yet, and verified for unknown user names, so that both
 * take as long as a wrong password. A hash in the form and with the cost of the others, so that
 * earlier releases can read it; its digest is all zeros, which nobody can find a password for.
 */
export const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The ids of accounts that have no password yet, so that nobody can log in with them. */
export async function accountsWithoutPassword(reads: Pick<Reads, 'rows'>): Promise<Set<number>> {
  const rows = await reads.rows<{ id: number }>('SELECT id FROM account WHERE password_hash = ?', [
    NO_PASSWORD,
  ]);
  return new Set(rows.map(({ id }) => id));
}
