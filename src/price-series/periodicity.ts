import { monthDayOf, monthDayOfWeekly, weekOf } from './calendar.js';

export const DAILY = 1;
export const WEEKLY = 2;
export const MONTHLY = 3;

/** The code of a frequency, as stored and as part of point ids: the finer, the smaller. */
export type Period = typeof DAILY | typeof WEEKLY | typeof MONTHLY;

export const PERIODS: readonly Period[] = [DAILY, WEEKLY, MONTHLY];

/** The words of the API for the frequencies. */
export const PERIOD_NAMES = { [DAILY]: 'daily', [WEEKLY]: 'weekly', [MONTHLY]: 'monthly' } as const;

export type PeriodName = (typeof PERIOD_NAMES)[Period];

/** One periodicity item of a series as it is served, in day numbers. */
export interface PeriodItem {
  period: Period;
  start: number;
  end: number;
  /** True where the points are derived here, or were stored with the mark that their source derived them. */
  calculated: boolean;
  /** How many of the points served are stored ones: 0 where they are derived here. */
  points: number;
}

/** First and last day of some stored points, and their number. */
export interface Extent {
  first: number;
  last: number;
  points: number;
}

/**
 * What is stored of one series, as far as its periodicity depends on it: for each frequency the extent of its original points and
 * that of the points marked calculated, and the last week that the daily points make whole.
 *
 * A few numbers are enough, so the items follow the points at a fixed cost each, however long the series is: points can be added
 * in any order, on top of what the items themselves tell. Removing points needs the extents afresh.
 */
export class StoredExtents {
  private readonly originals: (Extent | null)[] = [null, null, null, null];
  private readonly marked: (Extent | null)[] = [null, null, null, null];
  /** A day of the last week with original daily points before the week of the last of them; 0 where there is none. */
  private lastOfEarlierWeek = 0;

  /**
   * The extents that a series' items tell. Marked points that give way to others leave no trace in the items; as long as points
   * are only added they stay hidden, so nothing is lost.
   */
  static ofItems(items: Iterable<PeriodItem>): StoredExtents {
    const extents = new StoredExtents();
    let derivedTo = 0;
    for (const { period, start, end, calculated, points } of items) {
      if (points > 0) extents.set(period, calculated, { first: start, last: end, points });
      else if (period === WEEKLY) derivedTo = end;
    }
    const daily = extents.originals[DAILY];
    // Where the last daily point ends its week, that week is the last derived one, and no earlier one matters.
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

  /** Takes the extent of all points of a frequency that have, or have not, the mark. */
  set(period: Period, marked: boolean, extent: Extent): void {
    (marked ? this.marked : this.originals)[period] = { ...extent };
  }

  /** Takes the last day with an original daily point before the week of the very last one. */
  setLastOfEarlierWeek(day: number): void {
    this.lastOfEarlierWeek = day;
  }

  /** The items, finest first. */
  items(): PeriodItem[] {
    return [this.daily(), this.weekly(), this.monthly()].filter((item) => item !== null);
  }

  private daily(): PeriodItem | null {
    return this.storedItem(DAILY, false) ?? this.storedItem(DAILY, true);
  }

  private weekly(): PeriodItem | null {
    const daily = this.originals[DAILY];
    const original = this.storedItem(WEEKLY, false);
    if (original) return original;
    return daily ? this.derivedWeeks(daily) : this.storedItem(WEEKLY, true);
  }

  private monthly(): PeriodItem | null {
    const daily = this.originals[DAILY];
    const weekly = this.originals[WEEKLY];
    const original = this.storedItem(MONTHLY, false);
    if (original) return original;
    return daily || weekly ? derivedMonths(daily, weekly) : this.storedItem(MONTHLY, true);
  }

  private storedItem(period: Period, calculated: boolean): PeriodItem | null {
    const extent = (calculated ? this.marked : this.originals)[period];
    return extent
      ? { period, start: extent.first, end: extent.last, calculated, points: extent.points }
      : null;
  }

  /** A derived week appears once it is over: once a daily point of its Friday or later exists. */
  private derivedWeeks(daily: Extent): PeriodItem | null {
    const lastOver = weekOf(daily.last) === daily.last ? daily.last : this.lastOfEarlierWeek;
    if (lastOver === 0) return null;
    return { period: WEEKLY, start: weekOf(daily.first), end: weekOf(lastOver), calculated: true, points: 0 };
  }
}

/** Every month that has a daily point, or a weekly one that belongs to it, has a derived point. */
function derivedMonths(daily: Extent | null | undefined, weekly: Extent | null | undefined): PeriodItem {
  const start = Math.min(
    daily ? monthDayOf(daily.first) : Infinity,
    weekly ? monthDayOfWeekly(weekly.first) : Infinity,
  );
  const end = Math.max(daily ? monthDayOf(daily.last) : 0, weekly ? monthDayOfWeekly(weekly.last) : 0);
  return { period: MONTHLY, start, end, calculated: true, points: 0 };
}
