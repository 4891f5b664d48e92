import { Conditions } from '../../database/newest-first.js';
import type { Reads } from '../../database/reads.js';
import { anyFinding, findingSubjects } from '../../ledger/findings/stored-findings.js';
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
const overdue = (today: number) =>
  new Conditions().where(
    "state IN ('open', 'dismissed') AND (rule = 'future_date' AND day <= ?" +
      " OR rule IN ('date_out_of_range', 'rate_date_out_of_range', 'index_date_out_of_range')" +
      ' AND day >= ? AND day <= ?)',
    today + MONTH,
    FIRST_EXPECTED_DAY,
    lastExpectedDay(today),
  );

/** The subjects of a check with such findings. */
export async function overdueSubjects(
  transaction: Transaction,
  check: Pick<Check, 'name'>,
): Promise<string[]> {
  const prefix = subjectText(check, '');
  const subjects = await findingSubjects(transaction, prefix, overdue(todayOf(transaction)));
  return subjects.map((subject) => subject.slice(prefix.length));
}

/** Whether there may be such findings. */
export const anyOverdue = (reads: Pick<Reads, 'rows'>, today: number): Promise<boolean> =>
  anyFinding(reads, overdue(today));
