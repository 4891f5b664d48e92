import { median, type MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';

/** A point from which on the prices of a series are of another level. */
interface LevelShift {
  /** Its index in the series. */
  readonly index: number;
  readonly before: number;
  readonly after: number;
  /** after ÷ before, both medians */
  readonly ratio: number;
}

const { at_least, each_side, within_months, ratio, separation, step, step_months } =
  RULES.level_shift.thresholds;

/** Where the level of the prices of a series changes for months. */
export function levelShiftsOf(points: MonthlyPoints): LevelShift[] {
  const { months, values } = points;
  const shifts: LevelShift[] = [];
  for (let index = at_least; index <= values.length - at_least; index++) {
    // The step first: hardly any point passes it.
    const size = values[index]! / values[index - 1]!;
    if (size > 1 / step && size < step) continue;
    if (months[index]! - months[index - 1]! > step_months) continue;
    const shift = levelShiftAt(points, index);
    if (shift !== null) shifts.push(shift);
  }
  return shifts;
}

function levelShiftAt({ months, values }: MonthlyPoints, index: number): LevelShift | null {
  const month = months[index]!;
  let from = index;
  while (from > 0 && index - from < each_side && month - months[from - 1]! <= within_months) from--;
  let to = index;
  while (to < values.length && to - index < each_side && months[to]! - month <= within_months) to++;
  if (index - from < at_least || to - index < at_least) return null;
  const earlier = values.slice(from, index);
  const later = values.slice(index, to);
  const [before, after] = [median(earlier), median(later)];
  const [lowEarlier, highEarlier] = [Math.min(...earlier), Math.max(...earlier)];
  const [lowLater, highLater] = [Math.min(...later), Math.max(...later)];
  const change = after / before;
  const rises = change >= ratio && lowLater > highEarlier * separation && values[index]! > values[index - 1]!;
  const falls = change <= 1 / ratio && highLater < lowEarlier / separation;
  return rises || falls ? { index, before, after, ratio: change } : null;
}
