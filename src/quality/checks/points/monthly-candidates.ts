import { isoFromMonth } from '../../../lib/dates/calendar-date.js';
import { edgeSpikesOf } from '../../rules/edge-spike.js';
import { flatEndOf } from '../../rules/flat.js';
import { levelShiftsOf } from '../../rules/level-shift.js';
import type { MonthlyPoints, TestedPoint } from '../../rules/neighbours.js';
import { RULES } from '../../rules/rule-table.js';
import { decimalSlipOf, spikeOf } from '../../rules/spike.js';
import { shown } from '../shown.js';
import type { FindingCandidate } from './point-finding.js';

/**
 * What the rules say about the monthly points of a series.
 * @param tested those that stand apart from their neighbours
 * @param category of its commodity
 */
export function monthlyCandidates(
  points: MonthlyPoints,
  tested: readonly TestedPoint[],
  category: string,
): FindingCandidate[] {
  const candidates: FindingCandidate[] = [];
  for (const point of tested) {
    const rule = spikeOf(point, category);
    if (rule !== null) candidates.push(...spikeCandidates(point, rule));
  }
  return [...candidates, ...edgeCandidates(points), ...shiftCandidates(points), ...flatCandidates(points)];
}

function spikeCandidates(point: TestedPoint, rule: 'spike' | 'spike_possible'): FindingCandidate[] {
  const { day, value, median, neighbours, ratio } = point;
  const times = `${value} is ${shown(ratio)} times the median ${shown(median)} of the ${neighbours} prices around it`;
  const spike = { rule, day, value, expected: median, ratio, detail: `${times}.` };
  const power = rule === 'spike' ? decimalSlipOf(point) : null;
  if (power === null) return [spike];
  const expected = value / 10 ** power;
  const slip = `${shown(expected)} would fit: the decimal point may have slipped by ${Math.abs(power)}`;
  return [spike, { ...spike, rule: 'decimal_slip', expected, detail: `${times}; ${slip}.` }];
}

function edgeCandidates(points: MonthlyPoints): FindingCandidate[] {
  const { next } = RULES.edge_spike.thresholds;
  return edgeSpikesOf(points).map(({ index, median, ratio }) => {
    const value = points.values[index]!;
    const [end, side] = index === 0 ? ['first', 'after'] : ['last', 'before'];
    const detail = `${value}, the ${end} price, is ${shown(ratio)} times the median ${shown(median)} of the ${next} prices ${side} it.`;
    return { rule: 'edge_spike', day: points.days[index]!, value, expected: median, ratio, detail };
  });
}

function shiftCandidates(points: MonthlyPoints): FindingCandidate[] {
  return levelShiftsOf(points).map(({ index, before, after, ratio }) => {
    const value = points.values[index]!;
    const detail = `From ${value} on the median is ${shown(after)}, ${shown(ratio)} times the median ${shown(before)} of the prices before.`;
    return { rule: 'level_shift', day: points.days[index]!, value, expected: before, ratio, detail };
  });
}

/** One at most. It is about the series, so that it stays the same while months are added. */
function flatCandidates(points: MonthlyPoints): FindingCandidate[] {
  const flat = flatEndOf(points);
  if (flat === null) return [];
  const value = points.values.at(-1)!;
  const detail = `The price has been ${value} for ${flat.months} months, since ${isoFromMonth(flat.firstMonth)}.`;
  return [{ rule: 'flat', day: points.days.at(-1)!, value, about: '', detail }];
}
