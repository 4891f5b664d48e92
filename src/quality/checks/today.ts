import type { Transaction } from '../../ledger/unit-of-work.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { latestDate } from '../../lib/dates/relative-date.js';

/**
 * The running day as a day number: the latest one that has begun anywhere, so that no price of
 * today is one of the future where it was observed.
 */
export const todayOf = (clock: Pick<Transaction, 'now'>): number => dayFromIso(latestDate(clock.now()))!;
