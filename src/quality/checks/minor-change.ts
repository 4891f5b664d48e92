import type { Transaction } from '../../ledger/unit-of-work.js';
import type { DayRange } from '../../lib/dates/day-range.js';
import { FIRST_EXPECTED_DAY } from '../rules/date-out-of-range.js';
import { OUTLINE_VALUES } from '../rules/identical-series.js';
import { testedPoints, type MonthlyPoints } from '../rules/neighbours.js';
import { powerStepsOf } from '../rules/redenomination.js';
import { RULES } from '../rules/rule-table.js';
import type { ChangedData } from './changed-data.js';
import { readMonthly } from './checked-series-reader.js';
import { OUTLYING } from './groups/marks.js';
import { monthlyRemarks } from './points/monthly-remarks.js';
import { todayOf } from './today.js';

/** Series of one change; those of larger ones are checked together. */
const MOST_SERIES = 3;
/** Days from the first changed point to the last. */
const MOST_DAYS = 366;

const { spike, level_shift, edge_spike, flat } = RULES;

/**
 * Days before and after a changed point that contain all that the rules compare with it, and all
 * that they compare with what is compared with it. The end of a series counts as flat by the number
 * of its last months, so as many are needed.
 */
export const DAYS_AROUND =
  31 *
  (1 +
    Math.max(
      2 * spike.thresholds.within_months,
      2 * level_shift.thresholds.within_months,
      edge_spike.thresholds.within_months,
      flat.thresholds.months,
    ));

/**
 * A series whose points have been checked, that no finding has been about, that has no marks, and
 * that no other series is compared with, or shown with. Imports and reverts of many transactions
 * leave what they store unchecked until they end; a correction checks it. The stored revision is
 * that of the change before: the transaction stamps the series at its end. Which series are
 * compared is as in `updateGroups`.
 */
const SELECT_UNREMARKABLE =
  'SELECT d.serie_id FROM series_digest d JOIN price_serie s ON s.id = d.serie_id' +
  ' LEFT JOIN series_group g ON g.serie_id = d.serie_id WHERE d.serie_id = ?' +
  ' AND (s.revision <= ? OR EXISTS (SELECT 1 FROM revision r JOIN change_set c ON c.id = r.change_set_id' +
  " WHERE r.number = s.revision AND c.kind = 'correction'))" +
  ['finding_member', 'series_outlier', 'series_step']
    .map((table) => ` AND NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.serie_id = d.serie_id)`)
    .join('') +
  ' AND NOT EXISTS (SELECT 1 FROM series_join j WHERE j.until IS NULL AND d.serie_id IN (j.from_id, j.into_id))' +
  ' AND NOT EXISTS (SELECT 1 FROM series_group o WHERE o.place = g.place AND o.serie_id <> g.serie_id)' +
  ` AND (SELECT COUNT(*) FROM series_group o WHERE o.peers = g.peers) < ${RULES.off_peers.thresholds.series}` +
  " AND (d.digest = '' OR NOT EXISTS" +
  ' (SELECT 1 FROM series_digest o WHERE o.digest = d.digest AND o.serie_id <> d.serie_id))';

/**
 * Whether a change leaves all findings as they are, and all that is stored of series for checks. A
 * new price mostly does in a series that is compared with no other, where the checks would take
 * more than a quarter of the processor time of its write. Only changed values of a few points of
 * series without findings are looked at, with the points around them.
 * @returns false also where only the checks can tell
 */
export async function isMinor(changed: ChangedData): Promise<boolean> {
  const { transaction, seriesIds, revalued, records } = changed;
  if (records.length > 0 || revalued.size !== seriesIds.size || revalued.size > MOST_SERIES) return false;
  for (const [id, days] of revalued) if (!(await isMinorOf(transaction, id, days))) return false;
  return true;
}

async function isMinorOf(transaction: Transaction, id: number, days: DayRange): Promise<boolean> {
  const [first, last] = days;
  // Later ones may be forecasts, or no longer, by their comments.
  if (!(last - first <= MOST_DAYS) || first < FIRST_EXPECTED_DAY || last > todayOf(transaction)) return false;
  const selected = await transaction.arrays(SELECT_UNREMARKABLE, [id, transaction.checkedRevision]);
  if (selected.length === 0) return false;
  const around = await readMonthly(transaction, id, [first - DAYS_AROUND, last + DAYS_AROUND]);
  return isUnremarkable(around, days);
}

/**
 * Whether no rule holds for a part of a series, so that new values of points in the middle of it
 * make no finding, and no mark. Ends of the part that are not those of the series may look like a
 * remark, but cannot hide one.
 * @param points those of the series from `DAYS_AROUND` before the changed ones to as many after
 * @param days of the first and the last changed point, of this or of another frequency
 */
export function isUnremarkable(points: MonthlyPoints, [first, last]: DayRange): boolean {
  if (!points.days.some((day) => day >= first && day <= last)) return true;
  // Among the first ones of the series it may change the digest.
  if (!(points.days[OUTLINE_VALUES - 1]! < first)) return false;
  const tested = testedPoints(points, OUTLYING);
  return (
    tested.length === 0 &&
    powerStepsOf(points).length === 0 &&
    // Of the categories those of which most is expected: fresh goods' prices may move further.
    monthlyRemarks(points, tested, '').length === 0
  );
}
