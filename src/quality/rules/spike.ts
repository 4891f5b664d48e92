import { foldText } from '../../lib/text/folding.js';
import { isBeyond, type TestedPoint } from './neighbours.js';
import { powerOfTen } from './power-of-ten.js';
import { RULES } from './rule-table.js';

/** Categories whose prices move further than others, folded. */
const FRESH = new Set(['vegetables and fruits']);

/**
 * Which rule holds for a point that stands apart from its neighbours.
 * @param category of the commodity
 */
export function spikeOf(
  { ratio, sidesAgree }: TestedPoint,
  category: string,
): 'spike' | 'spike_possible' | null {
  if (!sidesAgree) return null;
  if (isBeyond(ratio, RULES.spike.thresholds.ratio)) return 'spike';
  const { ratio: other, ratio_fresh: fresh } = RULES.spike_possible.thresholds;
  // The category last: it matters for few of the many points.
  if (!isBeyond(ratio, other)) return null;
  return isBeyond(ratio, fresh) || !FRESH.has(foldText(category)) ? 'spike_possible' : null;
}

/**
 * The power of ten by which a spike is off: 1 where the price is ten times too high.
 * @returns null where it is not close to one
 */
export const decimalSlipOf = ({ ratio }: TestedPoint): number | null =>
  powerOfTen(ratio, RULES.decimal_slip.thresholds.tolerance);
