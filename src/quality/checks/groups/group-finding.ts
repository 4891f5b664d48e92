import type { FoundFinding } from '../../../ledger/findings/finding.js';
import { firstDayOfMonth } from '../../../lib/dates/calendar-date.js';
import { MONTHLY } from '../../../price-series/periodicity.js';
import type { RuleName } from '../../rules/rule-table.js';
import { foundFinding } from '../found-finding.js';

/** A point of a group. */
export interface GroupPoint {
  readonly serieId: number;
  readonly uuid: string;
  readonly country: string;
  readonly day: number;
  readonly month: number;
  readonly value: number;
}

/**
 * A finding about points of one country and month.
 * @param subject what was checked
 * @param about what distinguishes it from others of the rule in the month
 */
export function groupFinding(
  rule: RuleName,
  subject: string,
  about: string,
  points: readonly GroupPoint[],
  detail: string,
): FoundFinding {
  const { country, month } = points[0]!;
  const day = firstDayOfMonth(month);
  return foundFinding(rule, {
    subject,
    about: `${month} ${about}`,
    country,
    period: MONTHLY,
    day,
    series: points.map(({ serieId, uuid, day, value }) => ({ serieId, uuid, day, value })),
    detail,
  });
}
