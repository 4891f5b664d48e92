import type { Reads } from '../../database/reads.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { FIRST_EXPECTED_DAY, lastExpectedDay } from '../rules/date-out-of-range.js';
import { subjectText, type Check } from './check.js';
import { todayOf } from './today.js';

/** A running month ends at most so many days after today. */
const MONTH = 31;

/**
 * The findings that may have ended by time alone: about dates that were in the future, or beyond
 * the coming year, when they were found.
 */
const OVERDUE =
  "state IN ('open', 'dismissed') AND (rule = 'future_date' AND day <= ?" +
  " OR rule IN ('date_out_of_range', 'rate_date_out_of_range', 'index_date_out_of_range')" +
  ' AND day >= ? AND day <= ?)';

/** The subjects of a check with such findings. */
export async function overdueSubjects(
  transaction: Transaction,
  check: Pick<Check, 'name'>,
): Promise<string[]> {
  const prefix = subjectText(check, '');
  const rows = await transaction.rows<{ subject: string }>(
    `SELECT DISTINCT subject FROM finding WHERE ${OVERDUE} AND subject LIKE ?`,
    [...overdueBounds(todayOf(transaction)), `${prefix}%`],
  );
  return rows.map(({ subject }) => subject.slice(prefix.length));
}

/** Whether there may be such findings. */
export async function anyOverdue(reads: Pick<Reads, 'rows'>, today: number): Promise<boolean> {
  const rows = await reads.rows(`SELECT 1 FROM finding WHERE ${OVERDUE} LIMIT 1`, overdueBounds(today));
  return rows.length > 0;
}

const overdueBounds = (today: number) => [today + MONTH, FIRST_EXPECTED_DAY, lastExpectedDay(today)];
