import { CHARACTER } from './legend.js';

/** The name of a line beside its end. */
export interface EndLabel {
  /** Of the line. */
  readonly index: number;
  readonly name: string;
  /** Where the line ends, in pixels from the top. */
  readonly lineY: number;
  /** Where its name stands, in pixels from the top. */
  readonly y: number;
}

/** Pixels from the last day to the name, in which the line leads to it. */
export const LEAD = 18;
/** The share of a picture's width that names may take; narrow ones need more to fit any. */
const MAX_SHARE = 0.28;
const MAX_SHARE_NARROW = 0.34;
/** Pixels. */
const NARROW_WIDTH = 600;
/** Pixels from one name to the next below it. */
const ROW = 14;

/** The length of names, in characters, up to which they fit beside the ends of lines. */
export const maxCharacters = (width: number): number =>
  Math.floor((width * (width <= NARROW_WIDTH ? MAX_SHARE_NARROW : MAX_SHARE) - LEAD) / CHARACTER);

/** Pixels that names take on the right of the last day. */
export const labelWidth = (names: readonly string[]): number =>
  names.length === 0 ? 0 : LEAD + Math.max(...names.map((name) => Array.from(name).length)) * CHARACTER;

/**
 * Names beside the ends of their lines, none over another one: each as near to its line as the
 * others let it be.
 * @param top least distance from the top, in pixels
 * @param bottom greatest distance from the top
 */
export function endLabels(labels: readonly Omit<EndLabel, 'y'>[], top: number, bottom: number): EndLabel[] {
  const ordered = labels.toSorted((one, other) => one.lineY - other.lineY);
  const step = Math.min(ROW, (bottom - top) / Math.max(1, ordered.length - 1));
  // Minus rank × step, positions must not decrease: the isotonic regression of the ends of lines
  // (pool adjacent violators).
  const pools: { sum: number; count: number }[] = [];
  for (const [rank, { lineY }] of ordered.entries()) {
    let pool = { sum: lineY - rank * step, count: 1 };
    for (
      let before = pools.at(-1);
      before !== undefined && before.sum / before.count >= pool.sum / pool.count;
      before = pools.at(-1)
    ) {
      pools.pop();
      pool = { sum: before.sum + pool.sum, count: before.count + pool.count };
    }
    pools.push(pool);
  }
  const maxOffset = bottom - step * (ordered.length - 1);
  const offsets = pools.flatMap(({ sum, count }) =>
    Array.from({ length: count }, () => Math.max(top, Math.min(maxOffset, sum / count))),
  );
  return ordered.map((label, rank) => ({ ...label, y: offsets[rank]! + rank * step }));
}
