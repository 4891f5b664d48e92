import { lastDayOfMonth, monthOf } from '../common/dates/calendar-date.js';
import { lastWeekOfMonth, weekOf } from '../price-series/calendar.js';
import { DAILY, MONTHLY, WEEKLY, type Period } from '../price-series/periodicity.js';
import type { Evidence, ServedSeries } from './derivation.js';

/** A periodicity item, as far as it decides which points there are. */
export interface Item {
  readonly period: Period;
  readonly start: number;
  readonly end: number;
  readonly calculated: boolean;
}

/** Stored points of some frequencies and days; an original and a marked one are both in it. */
export interface StoredRange {
  readonly firstPeriod: Period;
  readonly lastPeriod: Period;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Stored points of one frequency and kind in some days, any of which makes a point that is asked for. */
export interface ExistenceProbe {
  readonly period: Period;
  readonly calculated: boolean;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Days from one point of a frequency to the next, where there are no gaps. */
const DAYS_A_POINT: Record<Period, number> = { [DAILY]: 1.6, [WEEKLY]: 7, [MONTHLY]: 31 };
/** Days more, for a gap or two. */
const GAP = 60;

/** Longest reach of a derived point to stored points before its own day: a week begins six days before its Friday. */
const WEEK_BEFORE = 6;
/** A week may end three days after the month that it belongs to. */
const WEEK_AFTER = 3;

/**
 * Which points of a series are asked for: of some frequencies, in some days, and of each frequency only the newest `latest`.
 *
 * It also says which stored points these are made of, so that a window costs what it holds and not what the series holds.
 */
export class PointWindow {
  /** The same for the same points. */
  readonly key: string;
  /** The same where there are points of the same series: how many are asked for does not matter. */
  readonly presenceKey: string;

  /** @param periods finest first */
  constructor(
    readonly periods: readonly Period[],
    readonly from = 0,
    readonly to = Infinity,
    readonly latest = Infinity,
  ) {
    this.presenceKey = `${periods.join('')} ${from} ${to}`;
    this.key = `${this.presenceKey} ${latest}`;
  }

  /** The series' items that have days in the window; whether they have points there is another question. */
  items<I extends Item>(items: readonly I[]): I[] {
    return items.filter(
      ({ period, start, end }) => this.periods.includes(period) && start <= this.to && end >= this.from,
    );
  }

  /** Cuts what is served of a series to what is asked for. */
  cut(series: ServedSeries): void {
    for (const points of series) {
      if (this.periods.includes(points.period)) {
        points.keepBetween(this.from, this.to);
        points.keepNewest(this.latest);
      } else {
        points.keepNewest(0);
      }
    }
  }

  /** The stored points that the asked ones are made of, or null where there are none. */
  stored(items: readonly Item[]): StoredRange | null {
    const asked = this.items(items);
    if (asked.length === 0) return null;
    const sources = asked.flatMap((item) => sourcesOf(item, items));
    const derived = asked.filter((item) => isDerived(item, items));
    // Behind the last point there is nothing to read, and months need not be reckoned.
    const to = Math.min(this.to, Math.max(...items.map(({ end }) => end)));
    return {
      firstPeriod: Math.min(...sources) as Period,
      lastPeriod: Math.max(...sources) as Period,
      firstDay: derived.length > 0 ? this.from - WEEK_BEFORE : this.from,
      lastDay: derived.some(({ period }) => period === MONTHLY)
        ? lastDayOfMonth(monthOf(to)) + WEEK_AFTER
        : to,
    };
  }

  /** A later beginning for which all points asked for are expected to be in the window still; itself where `latest` does not tell. */
  narrowed(items: readonly Item[]): PointWindow {
    const starts = this.items(items).map(
      ({ period, end }) => Math.min(end, this.to) - this.latest * DAYS_A_POINT[period] - GAP,
    );
    const from = Math.floor(Math.min(...starts));
    return from > this.from && starts.length > 0
      ? new PointWindow(this.periods, from, this.to, this.latest)
      : this;
  }

  /** Whether what a narrowed window gave of a series is all that this one asks for. */
  isMetBy(narrowed: PointWindow, items: readonly Item[], series: ServedSeries): boolean {
    return this.items(items).every(
      ({ period, start }) =>
        series[period - 1]!.length >= this.latest || narrowed.from <= Math.max(start, this.from),
    );
  }

  /**
   * Whether a series has a point that is asked for: true or false where its items tell, else the stored points one of which has
   * to exist.
   */
  presence(items: readonly Item[]): boolean | ExistenceProbe[] {
    const asked = this.items(items);
    if (asked.some(({ start, end }) => this.tells(start, end))) return true;
    const witnesses = asked.flatMap((item) => this.witnesses(item, items));
    return witnesses.length > 0 ? witnesses : false;
  }

  /**
   * What the first and last day of an item that is asked for tell: true or false where there is a point of it or not, null where
   * they do not tell.
   */
  tells(start: number, end: number): boolean | null {
    if (start > this.to || end < this.from) return false;
    return start >= this.from || end <= this.to ? true : null;
  }

  /** An item that begins before the window and ends after it has a point in it where one of these exists. */
  private witnesses(item: Item, items: readonly Item[]): ExistenceProbe[] {
    const { period, calculated } = item;
    const witness = (of: Period, firstDay: number, lastDay: number, marked = false): ExistenceProbe[] =>
      firstDay <= lastDay ? [{ period: of, calculated: marked, firstDay, lastDay }] : [];
    if (!isDerived(item, items)) return witness(period, this.from, this.to, calculated);
    if (period === WEEKLY) {
      const lastFriday = weekOf(this.to) === this.to ? this.to : weekOf(this.to) - 7;
      return witness(DAILY, weekOf(this.from) - WEEK_BEFORE, lastFriday);
    }
    const before = monthOf(this.from - 1);
    const last = monthOf(this.to);
    return sourcesOf(item, items).flatMap((source) =>
      source === DAILY
        ? witness(DAILY, lastDayOfMonth(before) + 1, lastDayOfMonth(last))
        : witness(WEEKLY, lastWeekOfMonth(before) + 1, lastWeekOfMonth(last)),
    );
  }
}

/** The evidence for the derivation that a series' items give. */
export function evidenceOf(items: readonly Item[]): Evidence {
  return {
    lastDaily: originalEnd(items, DAILY),
    lastWeekly: originalEnd(items, WEEKLY),
    monthly: originalEnd(items, MONTHLY) > 0,
  };
}

/** How many stored points a window is about, by the days it has; a guess from above. */
export function expectedPoints(items: readonly Item[], range: StoredRange): number {
  let points = 0;
  for (const { period, start, end } of items) {
    if (period < range.firstPeriod || period > range.lastPeriod) continue;
    const days = Math.min(end, range.lastDay) - Math.max(start, range.firstDay);
    if (days >= 0) points += 1 + days / (period === DAILY ? 1 : period === WEEKLY ? 7 : 28);
  }
  return Math.ceil(points);
}

/** Whether the points of an item are derived here; marked ones are calculated, too, but stored. */
function isDerived({ period, calculated }: Item, items: readonly Item[]): boolean {
  return calculated && period !== DAILY && items.some((finer) => finer.period < period && !finer.calculated);
}

/** The frequencies of the stored points that the points of an item are, or are made of. */
function sourcesOf(item: Item, items: readonly Item[]): Period[] {
  return isDerived(item, items)
    ? items.filter((finer) => finer.period < item.period && !finer.calculated).map(({ period }) => period)
    : [item.period];
}

function originalEnd(items: readonly Item[], period: Period): number {
  return items.find((item) => item.period === period && !item.calculated)?.end ?? 0;
}
