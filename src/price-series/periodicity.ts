import { monthDayOf, monthDayOfWeekly, weekOf } from './calendar.js';

export const DAILY = 1;
export const WEEKLY = 2;
export const MONTHLY = 3;

/** The code of a frequency in the database and in point ids. Finer ones have smaller codes. */
export type Period = typeof DAILY | typeof WEEKLY | typeof MONTHLY;

export const PERIODS: readonly Period[] = [DAILY, WEEKLY, MONTHLY];

/** The names of the frequencies in the API. */
export const PERIOD_NAMES = { [DAILY]: 'daily', [WEEKLY]: 'weekly', [MONTHLY]: 'monthly' } as const;

export type PeriodName = (typeof PERIOD_NAMES)[Period];

export const periodNames: readonly PeriodName[] = PERIODS.map((period) => PERIOD_NAMES[period]);

/** One item of a series' periodicity: a frequency and the days of its first and last point. */
export interface PeriodicityItem {
  readonly period: Period;
  /** Day number of the first point. */
  readonly start: number;
  /** Day number of the last point. */
  readonly end: number;
  /** Whether the points are derived by this service, or stored and marked as derived. */
  readonly calculated: boolean;
}

/** A periodicity item as stored in `series_period`. */
export interface StoredPeriodicityItem extends PeriodicityItem {
  /** Number of stored points among those served; 0 if all are derived by this service. */
  readonly points: number;
}

/** First and last day of a set of stored points, and their number. */
interface PointExtent {
  first: number;
  last: number;
  points: number;
}

/**
 * What the periodicity of a series depends on: for each frequency the extent of its original points
 * and of the points marked as calculated, and the last week that the daily points complete.
 *
 * Adding a point updates the items at a fixed cost, however long the series is. Points can be added
 * in any order, also to extents restored from stored items. Removing points requires extents
 * computed anew.
 */
export class StoredExtents {
  private readonly originals: (PointExtent | null)[] = [null, null, null, null];
  /** Extents of the points marked as calculated. */
  private readonly marked: (PointExtent | null)[] = [null, null, null, null];
  /**
   * A day with an original daily point in the last such week before the week of the last daily
   * point; 0 if there is none.
   */
  private lastOfEarlierWeek = 0;

  /**
   * Restores the extents from stored items. The items contain no trace of marked points that are
   * superseded by others, but as long as points are only added these stay superseded.
   */
  static ofItems(items: Iterable<StoredPeriodicityItem>): StoredExtents {
    const extents = new StoredExtents();
    let derivedTo = 0;
    for (const { period, start, end, calculated, points } of items) {
      if (points > 0) extents.set(period, calculated, { first: start, last: end, points });
      else if (period === WEEKLY) derivedTo = end;
    }
    const daily = extents.originals[DAILY];
    // If the last daily point ends its week, that is the last derived week, and earlier weeks do
    // not matter.
    if (daily && derivedTo < weekOf(daily.last)) extents.lastOfEarlierWeek = derivedTo;
    return extents;
  }

  /** Adds one stored point. */
  add(period: Period, day: number, marked: boolean): void {
    const extents = marked ? this.marked : this.originals;
    const extent = extents[period];
    if (!extent) {
      extents[period] = { first: day, last: day, points: 1 };
      return;
    }
    if (period === DAILY && !marked) this.addToWeeks(day, extent.last);
    if (day < extent.first) extent.first = day;
    if (day > extent.last) extent.last = day;
    extent.points++;
  }

  private addToWeeks(day: number, last: number): void {
    const week = weekOf(day);
    const lastWeek = weekOf(last);
    if (week > lastWeek) this.lastOfEarlierWeek = last;
    else if (week < lastWeek && day > this.lastOfEarlierWeek) this.lastOfEarlierWeek = day;
  }

  /** Sets the extent of all marked or all original points of a frequency. */
  set(period: Period, marked: boolean, extent: PointExtent): void {
    (marked ? this.marked : this.originals)[period] = { ...extent };
  }

  /** Sets the last day with an original daily point before the week of the last one. */
  setLastOfEarlierWeek(day: number): void {
    this.lastOfEarlierWeek = day;
  }

  /** The items, finest first. */
  items(): StoredPeriodicityItem[] {
    return [this.daily(), this.weekly(), this.monthly()].filter((item) => item !== null);
  }

  private daily(): StoredPeriodicityItem | null {
    return this.storedItem(DAILY, false) ?? this.storedItem(DAILY, true);
  }

  private weekly(): StoredPeriodicityItem | null {
    const daily = this.originals[DAILY];
    const original = this.storedItem(WEEKLY, false);
    if (original) return original;
    return daily ? this.derivedWeeks(daily) : this.storedItem(WEEKLY, true);
  }

  private monthly(): StoredPeriodicityItem | null {
    const daily = this.originals[DAILY];
    const weekly = this.originals[WEEKLY];
    const original = this.storedItem(MONTHLY, false);
    if (original) return original;
    return daily || weekly ? derivedMonths(daily, weekly) : this.storedItem(MONTHLY, true);
  }

  private storedItem(period: Period, calculated: boolean): StoredPeriodicityItem | null {
    const extent = (calculated ? this.marked : this.originals)[period];
    return extent
      ? { period, start: extent.first, end: extent.last, calculated, points: extent.points }
      : null;
  }

  /** A week is derived once it is complete: once a daily point on its Friday or later exists. */
  private derivedWeeks(daily: PointExtent): StoredPeriodicityItem | null {
    const lastComplete = weekOf(daily.last) === daily.last ? daily.last : this.lastOfEarlierWeek;
    if (lastComplete === 0) return null;
    return {
      period: WEEKLY,
      start: weekOf(daily.first),
      end: weekOf(lastComplete),
      calculated: true,
      points: 0,
    };
  }
}

/** Every month with a daily point, or a weekly point that belongs to it, has a derived one. */
function derivedMonths(
  daily: PointExtent | null | undefined,
  weekly: PointExtent | null | undefined,
): StoredPeriodicityItem {
  const start = Math.min(
    daily ? monthDayOf(daily.first) : Infinity,
    weekly ? monthDayOfWeekly(weekly.first) : Infinity,
  );
  const end = Math.max(daily ? monthDayOf(daily.last) : 0, weekly ? monthDayOfWeekly(weekly.last) : 0);
  return { period: MONTHLY, start, end, calculated: true, points: 0 };
}
