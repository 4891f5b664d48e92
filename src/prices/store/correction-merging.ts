import {
  correctionsOfSeries,
  endCorrections,
  type PointCorrection,
} from '../../ledger/corrections/correction-store.js';
import {
  mergeCorrection,
  type ImportMode,
  type CorrectionOutcome,
} from '../../ledger/corrections/correction.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { Period } from '../../price-series/periodicity.js';
import { pointId } from './point-id.js';
import type { NewPoint } from './point-merging.js';
import type { RepeatedPoints } from './repeated-points.js';

/** A correction that an input has superseded. */
export interface SupersededPoint {
  readonly correction: PointCorrection;
  /** The source's new value. */
  readonly value: number;
}

/** The points of an input after the corrections that stand. */
interface CorrectedInput {
  /** Those that may be stored. */
  readonly points: readonly NewPoint[];
  /** Points that a correction keeps from being stored: they repeat what it overrules. */
  readonly unchanged: number;
  /** The same, of points that could not replace what the correction overrules. */
  readonly silent: number;
  readonly confirmed: number;
  readonly superseded: readonly SupersededPoint[];
}

/**
 * Merges the points of an input with the corrections that stand, and ends those on which the source
 * has spoken anew. Costs one statement where there are none.
 * @param repeated gets the points that a correction keeps
 */
export async function mergeWithCorrections(
  transaction: Transaction,
  points: readonly NewPoint[],
  mode: ImportMode,
  repeated: RepeatedPoints,
): Promise<CorrectedInput> {
  const allowed: NewPoint[] = [];
  const counts = { unchanged: 0, silent: 0 };
  const ended: Record<'confirms' | 'supersedes', SupersededPoint[]> = { confirms: [], supersedes: [] };
  const corrections = await correctionsOf(transaction, points);
  for (const point of points) {
    const key = corrections.size === 0 ? 0 : pointId(point.serieId, point.period, point.day);
    const correction = corrections.get(key);
    if (correction === undefined) {
      allowed.push(mode === 'fill_only' ? { ...point, rule: 'adds' } : point);
    } else if (isSilent(point, correction)) {
      counts.silent++;
    } else {
      const outcome = outcomeOf(correction, point, mode);
      if (outcome === 'keeps') {
        counts.unchanged++;
        repeated.add(point);
        continue;
      }
      ended[outcome].push({ correction, value: point.value });
      allowed.push({ ...point, rule: 'overrules' });
      // It has ended: what the input says of the point after this is merged as usual.
      corrections.delete(key);
    }
  }
  for (const [outcome, state] of [
    ['confirms', 'confirmed'],
    ['supersedes', 'superseded'],
  ] as const) {
    const ids = ended[outcome].map(({ correction }) => correction.id);
    if (ids.length > 0) await endCorrections(transaction, ids, state);
  }
  // The prices stay, but findings that the corrections have ended are no longer corrected.
  for (const { correction } of ended.confirms) transaction.markSeriesModified([correction.serieId]);
  return { ...counts, points: allowed, confirmed: ended.confirms.length, superseded: ended.supersedes };
}

/** The standing corrections of the points' series, by point id. */
async function correctionsOf(
  transaction: Transaction,
  points: readonly NewPoint[],
): Promise<Map<number, PointCorrection>> {
  let first = Infinity;
  let last = 0;
  for (const { serieId } of points) {
    if (serieId < first) first = serieId;
    if (serieId > last) last = serieId;
  }
  const found = last === 0 ? [] : await correctionsOfSeries(transaction, first, last);
  return new Map(found.map((one) => [pointId(one.serieId, one.period as Period, one.day), one]));
}

/** Whether a point could not replace what a correction overrules, or adds. */
const isSilent = (point: NewPoint, { calculated }: PointCorrection): boolean =>
  point.calculated && !calculated;

function outcomeOf(
  { base, ours, calculated }: PointCorrection,
  point: NewPoint,
  mode: ImportMode,
): CorrectionOutcome {
  if (mode === 'fill_only') return 'keeps';
  // An original price after a calculated one speaks anew.
  const isAnew = (calculated && !point.calculated) || mode === 'overrule_corrections';
  return mergeCorrection(isAnew ? null : (base?.value ?? null), ours?.value ?? null, point.value);
}
