import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { firstDayOfMonth, lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { lastWeekOfMonth, monthOfWeek, weekOf } from '../../price-series/calendar.js';
import { DAILY, MONTHLY, WEEKLY, type Period } from '../../price-series/periodicity.js';

/** Points of one frequency by day, in parallel arrays. Comments are null where there are none. */
class Points {
  readonly days: number[] = [];
  readonly values: number[] = [];
  comments: (string | null)[] | null = null;
  /** The days of those that their source calls provisional; null where there are none. */
  provisional: Set<number> | null = null;

  add(day: number, value: number, comment: string | null, provisional: boolean): void {
    if (provisional) (this.provisional ??= new Set()).add(day);
    if (comment !== null && this.comments === null) {
      this.comments = new Array<string | null>(this.days.length).fill(null);
    }
    this.comments?.push(comment);
    this.days.push(day);
    this.values.push(value);
  }
}

/** The stored points of one series, to be added in primary key order: by period, then day. */
export class StoredPoints {
  private readonly originals = [new Points(), new Points(), new Points(), new Points()];
  private readonly marked = [new Points(), new Points(), new Points(), new Points()];

  add(
    period: Period,
    day: number,
    value: number,
    marked: boolean,
    comment: string | null,
    provisional = false,
  ): void {
    (marked ? this.marked : this.originals)[period]!.add(day, value, comment, provisional);
  }

  original(period: Period): Points {
    return this.originals[period]!;
  }

  markedCalculated(period: Period): Points {
    return this.marked[period]!;
  }
}

/**
 * The original data that a series has. It determines what is derived and which month is partial, so
 * it must describe the whole series even where only some of its points were read.
 */
export interface OriginalCoverage {
  /** Days of the last original daily and weekly point; 0 where there is none. */
  readonly lastDaily: number;
  readonly lastWeekly: number;
  readonly monthly: boolean;
}

/** The coverage of a series all of whose points were read. */
function coverageOfPoints(stored: StoredPoints): OriginalCoverage {
  return {
    lastDaily: stored.original(DAILY).days.at(-1) ?? 0,
    lastWeekly: stored.original(WEEKLY).days.at(-1) ?? 0,
    monthly: stored.original(MONTHLY).days.length > 0,
  };
}

/** The points of one frequency as served, oldest first: indexes `begin` to before `end`. */
export class ServedPoints {
  begin = 0;
  end: number;

  constructor(
    readonly period: Period,
    readonly days: readonly number[],
    readonly values: readonly number[],
    readonly comments: readonly (string | null)[] | null,
    readonly calculated: boolean,
    /** True where the last point is a month that is not over. */
    private readonly lastIsPartial: boolean,
    private readonly provisional: ReadonlySet<number> | null = null,
  ) {
    this.end = days.length;
  }

  get length(): number {
    return this.end - this.begin;
  }

  isPartial(index: number): boolean {
    return this.lastIsPartial && index === this.days.length - 1;
  }

  /** Whether the source calls a point provisional. */
  isProvisional(index: number): boolean {
    return this.provisional !== null && this.provisional.has(this.days[index]!);
  }

  /** Retains only the points from one day to another, both included. */
  retainBetween(from: number, to: number): void {
    while (this.begin < this.end && this.days[this.end - 1]! > to) this.end--;
    while (this.begin < this.end && this.days[this.begin]! < from) this.begin++;
  }

  /** Retains only the newest `count` points. */
  retainNewest(count: number): void {
    this.begin = Math.max(this.begin, this.end - count);
  }
}

/** The served points of a series by frequency, finest first. */
export type ServedSeries = readonly [daily: ServedPoints, weekly: ServedPoints, monthly: ServedPoints];

/**
 * The points of a series as they are served. Original points of a frequency are served unchanged,
 * and none are derived in addition. Without originals, weeks are the means of daily points, and
 * months those of daily or weekly points. Without finer data, points marked calculated are served.
 * `periodicity.ts` applies the same rules to the first and last points alone.
 */
export function derive(stored: StoredPoints, coverage = coverageOfPoints(stored)): ServedSeries {
  return [daysOf(stored, coverage), weeksOf(stored, coverage), monthsOf(stored, coverage)];
}

function daysOf(stored: StoredPoints, { lastDaily }: OriginalCoverage): ServedPoints {
  return lastDaily > 0 ? originals(stored, DAILY) : marked(stored, DAILY);
}

function weeksOf(stored: StoredPoints, { lastDaily, lastWeekly }: OriginalCoverage): ServedPoints {
  if (lastWeekly > 0) return originals(stored, WEEKLY);
  return lastDaily > 0 ? derivedWeeks(stored.original(DAILY), lastDaily) : marked(stored, WEEKLY);
}

function monthsOf(stored: StoredPoints, coverage: OriginalCoverage): ServedPoints {
  if (coverage.monthly) return originals(stored, MONTHLY);
  const finer = coverage.lastDaily > 0 || coverage.lastWeekly > 0;
  return finer ? derivedMonths(stored, coverage) : marked(stored, MONTHLY);
}

function originals(stored: StoredPoints, period: Period): ServedPoints {
  const { days, values, comments, provisional } = stored.original(period);
  return new ServedPoints(period, days, values, comments, false, false, provisional);
}

function marked(stored: StoredPoints, period: Period): ServedPoints {
  const { days, values, comments } = stored.markedCalculated(period);
  return new ServedPoints(period, days, values, comments, true, false);
}

/** The mean of each week that is over: a daily point of its Friday or later exists. */
function derivedWeeks({ days, values }: Points, lastDaily: number): ServedPoints {
  const fridays: number[] = [];
  const means: number[] = [];
  for (let at = 0; at < days.length;) {
    const friday = weekOf(days[at]!);
    if (friday > lastDaily) break;
    const from = at;
    let sum = 0;
    while (at < days.length && days[at]! <= friday) sum += values[at++]!;
    fridays.push(friday);
    means.push(toSignificantDigits(sum / (at - from)));
  }
  return new ServedPoints(WEEKLY, fridays, means, null, true, false);
}

/**
 * The mean of each month: of its daily points or, if it has none, of the weekly points that belong
 * to it. Only the last month can be partial, because a point of a later month is later than the
 * last day and the last week of every month before.
 */
function derivedMonths(stored: StoredPoints, { lastDaily, lastWeekly }: OriginalCoverage): ServedPoints {
  const daily = stored.original(DAILY);
  const weekly = stored.original(WEEKLY);
  const firsts: number[] = [];
  const means: number[] = [];
  let month = 0;
  for (let day = 0, week = 0; day < daily.days.length || week < weekly.days.length;) {
    const dailyMonth = day < daily.days.length ? monthOf(daily.days[day]!) : Infinity;
    const weeklyMonth = week < weekly.days.length ? monthOfWeek(weekOf(weekly.days[week]!)) : Infinity;
    month = Math.min(dailyMonth, weeklyMonth);
    const lastDay = lastDayOfMonth(month);
    const lastWeek = lastWeekOfMonth(month);
    let sum = 0;
    let count = 0;
    for (; day < daily.days.length && daily.days[day]! <= lastDay; day++, count++) sum += daily.values[day]!;
    const fromDaily = count > 0;
    for (; week < weekly.days.length && weekly.days[week]! <= lastWeek; week++) {
      if (fromDaily) continue;
      sum += weekly.values[week]!;
      count++;
    }
    firsts.push(firstDayOfMonth(month));
    means.push(toSignificantDigits(sum / count));
  }
  const over = lastDaily >= lastDayOfMonth(month) || weekOf(lastWeekly) >= lastWeekOfMonth(month);
  return new ServedPoints(MONTHLY, firsts, means, null, true, !over);
}

/**
 * Calls `visit` for each retained point, newest first; on the same day daily, weekly, monthly.
 * `index` is the index into the arrays of the point's frequency.
 */
export function newestFirst(
  [daily, weekly, monthly]: ServedSeries,
  visit: (points: ServedPoints, index: number) => void,
): void {
  let d = daily.end - 1;
  let w = weekly.end - 1;
  let m = monthly.end - 1;
  for (;;) {
    const dayOfD = d >= daily.begin ? daily.days[d]! : -1;
    const dayOfW = w >= weekly.begin ? weekly.days[w]! : -1;
    const dayOfM = m >= monthly.begin ? monthly.days[m]! : -1;
    if (dayOfD >= dayOfW && dayOfD >= dayOfM) {
      if (dayOfD === -1) return;
      visit(daily, d--);
    } else if (dayOfW >= dayOfM) visit(weekly, w--);
    else visit(monthly, m--);
  }
}
