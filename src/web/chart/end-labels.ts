import { CHARACTER } from './legend.js';

/** The name of a line beside its end. */
export interface EndLabel {
  /** Of the line. */
  readonly index: number;
  readonly name: string;
  /** Where the line ends, and where its name stands, in pixels from above. */
  readonly end: number;
  readonly y: number;
}

/** Pixels from the last day to the name, in which the line leads to it. */
export const LEAD = 18;
/** Of a picture, that names may take: of a narrow one more, or none would fit. */
const [SHARE, NARROW_SHARE, NARROW_WIDTH] = [0.28, 0.34, 600];
/** Pixels from one name to the next below it. */
const ROW = 14;

/** Which of the names have room beside the ends of lines in a picture, in characters. */
export const maxCharacters = (width: number): number =>
  Math.floor((width * (width <= NARROW_WIDTH ? NARROW_SHARE : SHARE) - LEAD) / CHARACTER);

/** Pixels that names take on the right of the last day. */
export const roomOf = (names: readonly string[]): number =>
  names.length === 0 ? 0 : LEAD + Math.max(...names.map((name) => Array.from(name).length)) * CHARACTER;

/**
 * Names beside the ends of their lines, none over another one: each as near to its line as the
 * others let it be.
 * @param top least, @param bottom greatest distance from above
 */
export function endLabels(labels: readonly Omit<EndLabel, 'y'>[], top: number, bottom: number): EndLabel[] {
  const ordered = labels.toSorted((one, other) => one.end - other.end);
  const step = Math.min(ROW, (bottom - top) / Math.max(1, ordered.length - 1));
  // Without the steps between them, places must not fall: the isotonic regression of the ends.
  const pools: { sum: number; count: number }[] = [];
  for (const [order, { end }] of ordered.entries()) {
    let pool = { sum: end - order * step, count: 1 };
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
  const lowest = bottom - step * (ordered.length - 1);
  const places = pools.flatMap(({ sum, count }) =>
    Array.from({ length: count }, () => Math.max(top, Math.min(lowest, sum / count))),
  );
  return ordered.map((label, order) => ({ ...label, y: places[order]! + order * step }));
}
