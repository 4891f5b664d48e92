import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { ALPS_CLASSES, type AlpsClass } from '../methods/alps.js';
import { IFPA_CLASSES, type IfpaClass, ifpaClass } from '../methods/ifpa.js';
import { FRESH_MONTHS } from '../indicators/freshness.js';
import { DEFAULT_SETTINGS } from '../indicators/indicator-settings.js';
import type { HistoryColumns } from './history-columns.js';

/** Fewer series with a value have no share. */
const MIN_VALUES = 3;
/** A month counts for the persistence of a warning from this share on. */
const PERSISTENT_SHARE = 0.25;
/** Series that are named. */
const TOP = 5;

/** Numbers of series by class; `undefined` are those without a value. */
export type ClassCounts<T extends string> = Record<T | 'undefined', number>;

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
export interface GroupSource {
  readonly histories: HistoryColumns;
  /** Catalogue rows in ascending order, which is that of uuids within a country. */
  readonly rows: readonly number[];
  /** The place of the history of each row. */
  readonly places: readonly number[];
}

/** Counts the series of a group by class, month by month. */
export class GroupMonths {
  private readonly counted = new Map<number, MonthCounts>();

  constructor(private readonly source: GroupSource) {}

  /**
   * The series whose newest month with a price is at most two months older than a month, each with
   * the values of that newest month.
   */
  fresh(month: number): GroupSeries[] {
    const { histories, rows, places } = this.source;
    const fresh: GroupSeries[] = [];
    for (const [index, place] of places.entries()) {
      const newest = histories.newest(place, month - FRESH_MONTHS, month);
      if (newest === null) continue;
      const [ifpa, alps] = [histories.ifpa(place, newest), histories.alps(place, newest)];
      fresh.push({ row: rows[index]!, month: newest, ifpa, alps });
    }
    return fresh;
  }

  /** The series of a month by class, and their shares. */
  counts(month: number): MonthCounts {
    const known = this.counted.get(month);
    if (known !== undefined) return known;
    const { histories, places } = this.source;
    const ifpa = noneOf(IFPA_CLASSES);
    const alps = noneOf(ALPS_CLASSES);
    const fresh = this.fresh(month);
    for (const series of fresh) {
      ifpa[classOf(series.ifpa) ?? 'undefined']++;
      alps[series.alps ?? 'undefined']++;
    }
    const counts: MonthCounts = {
      series: places.filter((place) => histories.first(place) <= month).length,
      fresh: fresh.length,
      ifpa,
      alps,
      share_high: share(ifpa.high, fresh.length - ifpa.undefined),
      share_alert_or_worse: share(alps.alert + alps.crisis, fresh.length - alps.undefined),
    };
    this.counted.set(month, counts);
    return counts;
  }

  /** Months in a row up to a month whose share is at least a quarter. */
  persistence(field: 'share_high' | 'share_alert_or_worse', month: number): number {
    let months = 0;
    while ((this.counts(month - months)[field] ?? 0) >= PERSISTENT_SHARE) months++;
    return months;
  }

  /** The fresh series with the highest IFPA; equal ones by uuid. */
  top(month: number): GroupSeries[] {
    return this.fresh(month)
      .filter(({ ifpa }) => !Number.isNaN(ifpa))
      .sort((one, other) => other.ifpa - one.ifpa || one.row - other.row)
      .slice(0, TOP);
  }
}

/** The class of an IFPA; null of none. */
export const classOf = (ifpa: number): IfpaClass | null =>
  Number.isNaN(ifpa) ? null : ifpaClass(ifpa, DEFAULT_SETTINGS.ifpa_thresholds);

const noneOf = <T extends string>(classes: readonly T[]): ClassCounts<T> =>
  Object.fromEntries([...classes, 'undefined'].map((name) => [name, 0])) as ClassCounts<T>;

const share = (count: number, of: number) => (of < MIN_VALUES ? null : toSignificantDigits(count / of));
