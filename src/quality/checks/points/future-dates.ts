import type { Transaction } from '../../../ledger/unit-of-work.js';
import { isoFromDay } from '../../../lib/dates/calendar-date.js';
import { PERIOD_NAMES, PERIODS } from '../../../price-series/periodicity.js';
import { lastPossibleDay } from '../../rules/future-date.js';
import type { CheckedSeriesReader } from '../checked-series-reader.js';
import type { SeriesFacts } from '../series-facts.js';
import { todayOf } from '../today.js';
import type { FindingCandidate } from './point-finding.js';

/**
 * Candidates for findings about points of any frequency that are dated after the end of the running
 * period, by the id of the series.
 */
export async function futureCandidates(
  transaction: Transaction,
  series: readonly SeriesFacts[],
  reader: CheckedSeriesReader,
): Promise<Map<number, FindingCandidate[]>> {
  const candidates = new Map<number, FindingCandidate[]>();
  const today = todayOf(transaction);
  // Nearly always none: their points need not be read.
  const ids = series.filter(({ last_day }) => (last_day ?? -Infinity) > today).map(({ id }) => id);
  if (ids.length === 0) return candidates;
  for (const [id, points] of await reader.all(ids)) {
    const found = PERIODS.flatMap((period) => {
      const { days, values } = points.original(period);
      const last = lastPossibleDay(period, today);
      return days.flatMap((day, index): FindingCandidate[] => {
        if (day <= last) return [];
        const about = `${PERIOD_NAMES[period]} ${isoFromDay(day)}`;
        const detail = `The ${PERIOD_NAMES[period]} price is dated ${isoFromDay(day)}, after the end of the running period, ${isoFromDay(last)}.`;
        return [{ rule: 'future_date', day, value: values[index]!, period, about, detail }];
      });
    });
    if (found.length > 0) candidates.set(id, found);
  }
  return candidates;
}
