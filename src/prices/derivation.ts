import { toSignificantDigits } from '../common/numbers/significant-digits.js';
import { firstDayOfMonth, lastDayOfMonth, monthOf } from '../common/dates/calendar-date.js';
import { lastWeekOfMonth, monthOfWeek, weekOf } from '../price-series/calendar.js';
import { DAILY, MONTHLY, WEEKLY, type Period } from '../price-series/periodicity.js';

/**
 * Points of one frequency, by day; the arrays run in parallel. Comments are null altogether where no point has one.
 */
class Points {
  readonly days: number[] = [];
  readonly values: number[] = [];
  comments: (string | null)[] | null = null;

  add(day: number, value: number, comment: string | null): void {
    if (comment !== null && this.comments === null) {
      this.comments = new Array<string | null>(this.days.length).fill(null);
    }
    this.comments?.push(comment);
    this.days.push(day);
    this.values.push(value);
  }
}

/** The stored points of one series. They are added in the order of the table: by period, then by day. */
export class StoredPoints {
  private readonly originals = [new Points(), new Points(), new Points(), new Points()];
  private readonly marked = [new Points(), new Points(), new Points(), new Points()];

  add(period: Period, day: number, value: number, marked: boolean, comment: string | null): void {
    (marked ? this.marked : this.originals)[period]!.add(day, value, comment);
  }

  original(period: Period): Points {
    return this.originals[period]!;
  }

  markedCalculated(period: Period): Points {
    return this.marked[period]!;
  }
}

/**
 * Which original data a series has. It decides what is derived and what is whole, so it must tell of the whole series even
 * where only a part of its points was read.
 */
export interface Evidence {
  /** Days of the last original daily and weekly point; 0 where there is none. */
  readonly lastDaily: number;
  readonly lastWeekly: number;
  readonly monthly: boolean;
}

/** The evidence of a series all of whose points are at hand. */
function evidenceOfPoints(stored: StoredPoints): Evidence {
  return {
    lastDaily: stored.original(DAILY).days.at(-1) ?? 0,
    lastWeekly: stored.original(WEEKLY).days.at(-1) ?? 0,
    monthly: stored.original(MONTHLY).days.length > 0,
  };
}

/** The points of one frequency as served: those from index `begin` to before `end` of the parallel arrays, oldest first. */
export class ServedPoints {
  begin = 0;
  end: number;

  constructor(
    readonly period: Period,
    readonly days: readonly number[],
    readonly values: readonly number[],
    readonly comments: readonly (string | null)[] | null,
    readonly calculated: boolean,
    /** True where the last of all points is a month that is not over. */
    private readonly lastIsPartial: boolean,
  ) {
    this.end = days.length;
  }

  get length(): number {
    return this.end - this.begin;
  }

  isPartial(index: number): boolean {
    return this.lastIsPartial && index === this.days.length - 1;
  }

  /** Keeps only the points from one day to another, both included. */
  keepBetween(from: number, to: number): void {
    while (this.begin < this.end && this.days[this.end - 1]! > to) this.end--;
    while (this.begin < this.end && this.days[this.begin]! < from) this.begin++;
  }

  /** Keeps only the newest `count` points. */
  keepNewest(count: number): void {
    this.begin = Math.max(this.begin, this.end - count);
  }
}

/** The served points of a series by frequency, finest first. */
export type ServedSeries = readonly [daily: ServedPoints, weekly: ServedPoints, monthly: ServedPoints];

/**
 * The points of a series as they are served. Original points of a frequency are served as they are, and nothing is derived beside
 * them; else weeks are the means of daily points, and months those of daily or weekly points; else points marked calculated
 * are served. `periodicity.ts` says the same of the first and last of them, without the points.
 */
export function derive(stored: StoredPoints, evidence = evidenceOfPoints(stored)): ServedSeries {
  return [daysOf(stored, evidence), weeksOf(stored, evidence), monthsOf(stored, evidence)];
}

function daysOf(stored: StoredPoints, { lastDaily }: Evidence): ServedPoints {
  return lastDaily > 0 ? originals(stored, DAILY) : marked(stored, DAILY);
}

function weeksOf(stored: StoredPoints, { lastDaily, lastWeekly }: Evidence): ServedPoints {
  if (lastWeekly > 0) return originals(stored, WEEKLY);
  return lastDaily > 0 ? derivedWeeks(stored.original(DAILY), lastDaily) : marked(stored, WEEKLY);
}

function monthsOf(stored: StoredPoints, evidence: Evidence): ServedPoints {
  if (evidence.monthly) return originals(stored, MONTHLY);
  const finer = evidence.lastDaily > 0 || evidence.lastWeekly > 0;
  return finer ? derivedMonths(stored, evidence) : marked(stored, MONTHLY);
}

function originals(stored: StoredPoints, period: Period): ServedPoints {
  const { days, values, comments } = stored.original(period);
  return new ServedPoints(period, days, values, comments, false, false);
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
 * The mean of each month: of its daily points or, if it has none, of the weekly points that belong to it. Only the last month
 * can be partial, because a point of a later month is of a later day and a later week than the last of any month before.
 */
function derivedMonths(stored: StoredPoints, { lastDaily, lastWeekly }: Evidence): ServedPoints {
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
 * Calls `visit` for each point that is kept, newest first; on one day daily, weekly, monthly.
 * `index` is the point's place in the arrays of its frequency.
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
