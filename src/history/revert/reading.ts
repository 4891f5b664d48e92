import type { Transaction } from '../../ledger/unit-of-work.js';

/** What reads the database: a transaction, or the database itself in a dry run. */
export type Reader = Pick<Transaction, 'rows' | 'arrays' | 'embedded'>;
