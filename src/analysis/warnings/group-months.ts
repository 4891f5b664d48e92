import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { bestOf } from '../../price-series/suggestions/best-of.js';
import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { DEFAULT_SETTINGS } from '../indicators/indicator-settings.js';
import type { HistoryColumns } from '../indicators/store/history-columns.js';
import { ALPS_CLASSES, type AlpsClass } from '../methods/alps.js';
import { IFPA_CLASSES, type IfpaClass, ifpaClass } from '../methods/ifpa.js';
import { type Reason, REASONS } from '../methods/reason.js';

/** Fewer series with a value have no share. */
const MIN_VALUES = 3;
/** A month counts for the persistence of a warning from this share on. */
export const PERSISTENT_SHARE = 0.25;
/** Series that are named. */
const TOP = 5;
/** Series to go through before the time is read: reading it takes longer than a step does. */
export const SERIES_PER_YIELD = 500;

/** Numbers of series by class; `undefined` are those without a value. */
type ClassCounts<T extends string> = Record<T | 'undefined', number>;

/** The fresh series of a group in one month. */
export interface MonthCounts {
  /** Series with a price in the month or before. */
  series: number;
  fresh: number;
  ifpa: ClassCounts<IfpaClass>;
  alps: ClassCounts<AlpsClass>;
  /** Of the fresh series with a value; null where these are fewer than three. */
  share_high: number | null;
  share_alert_or_worse: number | null;
  /** Fresh series with a class, by IFPA or ALPS. */
  rated: number;
  /** Of these, the series whose price is high. */
  high: number;
  /** Why most of the others have no IFPA, as far as the month is their last; null without such. */
  reason: Reason | null;
}

/** Whether a price is high: what every list, page and picture means by it. */
export const isHigh = (ifpa: IfpaClass | null, alps: AlpsClass | null): boolean =>
  ifpa === 'high' || alps === 'alert' || alps === 'crisis';

/** The share of rated series whose price is high; null where too few are rated to say so. */
export const highShare = ({ rated, high }: Pick<MonthCounts, 'rated' | 'high'>): number | null =>
  rated < MIN_VALUES ? null : high / rated;

/** Series whose price is high in one of two months and not in the other. Catalogue rows. */
export interface HighChanges {
  readonly newlyHigh: readonly number[];
  readonly noLongerHigh: readonly number[];
}

/** A series of a group as of a month. */
export interface GroupSeries {
  row: number;
  /** The newest month with a price. */
  month: number;
  /** NaN where it has none. */
  ifpa: number;
  alps: AlpsClass | null;
}

/** What a group is made of. */
interface GroupSource {
  readonly histories: HistoryColumns;
  /** Catalogue rows in ascending order, which is that of uuids within a country. */
  readonly rows: readonly number[];
  /** The index of the history of each row. */
  readonly indices: readonly number[];
}

/**
 * Counts the series of a group by class, month by month, in steps between which other work gets its
 * turn: a group may have all series.
 */
export class GroupMonths {
  private readonly counted = new Map<number, MonthCounts>();

  constructor(private readonly source: GroupSource) {}

  /**
   * The series whose newest month with a price is at most two months older than a month, each with
   * the values of that newest month.
   */
  async fresh(month: number, timeSlice: TimeSlice): Promise<GroupSeries[]> {
    const { histories, rows, indices } = this.source;
    const fresh: GroupSeries[] = [];
    for (let member = 0; member < indices.length; member++) {
      if (member % SERIES_PER_YIELD === SERIES_PER_YIELD - 1) await timeSlice.yield();
      const index = indices[member]!;
      const newest = histories.newest(index, month - FRESH_MONTHS, month);
      if (newest === null) continue;
      const [ifpa, alps] = [histories.ifpa(index, newest), histories.alps(index, newest)];
      fresh.push({ row: rows[member]!, month: newest, ifpa, alps });
    }
    return fresh;
  }

  /** The series of a month by class, and their shares. */
  async counts(month: number, timeSlice: TimeSlice): Promise<MonthCounts> {
    const known = this.counted.get(month);
    if (known !== undefined) return known;
    const { histories, indices } = this.source;
    const ifpa = noneOf(IFPA_CLASSES);
    const alps = noneOf(ALPS_CLASSES);
    let [series, fresh, rated, high] = [0, 0, 0, 0];
    const reasons = new Map<Reason, number>();
    for (let member = 0; member < indices.length; member++) {
      if (member % SERIES_PER_YIELD === SERIES_PER_YIELD - 1) await timeSlice.yield();
      const index = indices[member]!;
      if (histories.first(index) > month) continue;
      series++;
      const newest = histories.newest(index, month - FRESH_MONTHS, month);
      if (newest === null) continue;
      fresh++;
      const ifpaClass = classOf(histories.ifpa(index, newest));
      const alpsClass = histories.alps(index, newest);
      ifpa[ifpaClass ?? 'undefined']++;
      alps[alpsClass ?? 'undefined']++;
      if (ifpaClass === null && alpsClass === null) {
        const reason = newest === histories.last(index) ? histories.reason(index) : null;
        if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        continue;
      }
      rated++;
      if (isHigh(ifpaClass, alpsClass)) high++;
    }
    const counts: MonthCounts = {
      series,
      fresh,
      ifpa,
      alps,
      share_high: share(ifpa.high, fresh - ifpa.undefined),
      share_alert_or_worse: share(alps.alert + alps.crisis, fresh - alps.undefined),
      rated,
      high,
      reason: commonest(reasons),
    };
    this.counted.set(month, counts);
    return counts;
  }

  /**
   * The series that are rated in both months, and whose price is high in one of them alone.
   * @param since the earlier month
   */
  async highChanges(month: number, since: number, timeSlice: TimeSlice): Promise<HighChanges> {
    const { rows, indices } = this.source;
    const [newlyHigh, noLongerHigh]: [number[], number[]] = [[], []];
    for (const [member, index] of indices.entries()) {
      if (member % SERIES_PER_YIELD === SERIES_PER_YIELD - 1) await timeSlice.yield();
      const [now, before] = [this.isHighIn(index, month), this.isHighIn(index, since)];
      if (now === true && before === false) newlyHigh.push(rows[member]!);
      if (now === false && before === true) noLongerHigh.push(rows[member]!);
    }
    return { newlyHigh, noLongerHigh };
  }

  /** Whether the price of a series is high in a month; null where it is not fresh or not rated. */
  private isHighIn(index: number, month: number): boolean | null {
    const { histories } = this.source;
    const newest = histories.newest(index, month - FRESH_MONTHS, month);
    if (newest === null) return null;
    const [ifpa, alps] = [classOf(histories.ifpa(index, newest)), histories.alps(index, newest)];
    return ifpa === null && alps === null ? null : isHigh(ifpa, alps);
  }

  /** Months in a row up to a month whose share is at least a quarter. */
  async persistence(
    field: 'share_high' | 'share_alert_or_worse',
    month: number,
    timeSlice: TimeSlice,
  ): Promise<number> {
    let months = 0;
    while (((await this.counts(month - months, timeSlice))[field] ?? 0) >= PERSISTENT_SHARE) months++;
    return months;
  }
}

/** Of fresh series those with the highest IFPA; equal ones by uuid. */
export const topOf = (fresh: readonly GroupSeries[]): GroupSeries[] =>
  bestOf(
    fresh.filter(({ ifpa }) => !Number.isNaN(ifpa)),
    TOP,
    (one, other) => other.ifpa - one.ifpa || one.row - other.row,
  );

/** The class of an IFPA; null of none. */
export const classOf = (ifpa: number): IfpaClass | null =>
  Number.isNaN(ifpa) ? null : ifpaClass(ifpa, DEFAULT_SETTINGS.ifpa_thresholds);

const noneOf = <T extends string>(classes: readonly T[]): ClassCounts<T> =>
  Object.fromEntries([...classes, 'undefined'].map((name) => [name, 0])) as ClassCounts<T>;

/** The reason that occurs most; of as many, the first in the order of reasons. */
function commonest(counts: ReadonlyMap<Reason, number>): Reason | null {
  const ordered = REASONS.filter((reason) => counts.has(reason));
  return ordered.reduce<Reason | null>(
    (commonest, reason) =>
      commonest === null || counts.get(reason)! > counts.get(commonest)! ? reason : commonest,
    null,
  );
}

const share = (count: number, of: number) => (of < MIN_VALUES ? null : toSignificantDigits(count / of));
