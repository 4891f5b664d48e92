import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { BACKDATED_DAYS } from '../../prices/store/backdated-points.js';
import type { HarvestRow } from '../records/harvest.entity.js';
import type { HarvestCounts } from '../runs/harvest-run.dto.js';
import type { HARVEST_LIMITS, HeldReason } from './held-run.dto.js';

/** Percentages that a harvest allows. */
type HarvestLimits = Pick<HarvestRow, (typeof HARVEST_LIMITS)[number]>;

/** What a dry run has found of prices of long ago. */
type TriedOut = HarvestCounts & Pick<ImportReport, 'backdated'>;

/**
 * Why a file is not imported before somebody has looked at it; empty for one that is in order.
 * @param tried what a dry run has counted
 * @param last what the file had that was imported last; null where none was
 */
export function heldReasons(
  tried: TriedOut,
  last: HarvestCounts | null,
  limits: HarvestLimits,
): readonly HeldReason[] {
  const { read, new: added, changed, unchanged, rejected } = tried;
  const backdated = tried.backdated ?? 0;
  const shrunk = (what: string, of: (counts: HarvestCounts) => number) => {
    const [before, now] = [last === null ? 0 : of(last), of(tried)];
    return reason('shrink_limit', limits, before - now, before, (percent) => {
      return `${what}: ${number(now)}, where the file that was imported last had ${number(before)} (${percent} fewer).`;
    });
  };
  const part = (limit: keyof HarvestLimits, what: string, count: number, total: number, more = '') =>
    reason(limit, limits, count, total, (percent) => {
      return `${what}: ${number(count)} of ${number(total)} (${percent}).${more}`;
    });
  return [
    ...shrunk('Rows', (counts) => counts.read),
    ...shrunk('Series', ({ countries }) => Object.values(countries).reduce((sum, series) => sum + series, 0)),
    ...shrunk('Countries', ({ countries }) => Object.keys(countries).length),
    ...part('reject_limit', 'Rejected rows', rejected, read),
    ...part('change_limit', 'Stored values that would be changed', changed, changed + unchanged),
    ...part('change_limit', BACKDATED, backdated, added, ' Day and month may have been exchanged.'),
  ];
}

const BACKDATED = `New prices more than ${BACKDATED_DAYS} days before the newest of their series`;

function reason(
  limit: keyof HarvestLimits,
  limits: HarvestLimits,
  count: number,
  total: number,
  detail: (percent: string) => string,
): HeldReason[] {
  const percent = total === 0 ? 0 : (count / total) * 100;
  if (percent <= limits[limit]) return [];
  return [{ limit, detail: detail(`${percent.toLocaleString('en-US', { maximumFractionDigits: 2 })} %`) }];
}

const number = (count: number) => count.toLocaleString('en-US');
