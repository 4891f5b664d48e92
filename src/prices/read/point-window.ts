import { lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { lastWeekOfMonth, weekOf } from '../../price-series/calendar.js';
import { DAILY, MONTHLY, WEEKLY, type Period, type PeriodicityItem } from '../../price-series/periodicity.js';
import type { OriginalCoverage, ServedSeries } from '../derive/derivation.js';

/** A range of stored points, by frequency and day; it includes originals and marked points. */
export interface StoredRange {
  readonly firstPeriod: Period;
  readonly lastPeriod: Period;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Stored points of one frequency and kind in a range of days; any proves a requested point. */
export interface ExistenceProbe {
  readonly period: Period;
  readonly calculated: boolean;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Days from one point of a frequency to the next, where there are no gaps. */
const DAYS_PER_POINT: Record<Period, number> = { [DAILY]: 1.6, [WEEKLY]: 7, [MONTHLY]: 31 };
/** Additional days, for a gap or two. */
const GAP_ALLOWANCE = 60;

/** Most days before its own that a derived point depends on: a week begins on Saturday. */
const MAX_DAYS_BEFORE = 6;
/** Most days that a month depends on after its last: its last week may end three days later. */
const MAX_DAYS_AFTER = 3;

/**
 * Which points of a series are requested: some frequencies, a range of days, and of each frequency
 * only the newest `latest`.
 *
 * It also determines which stored points these depend on, so that reading a window costs what the
 * window holds, not what the series holds.
 */
export class PointWindow {
  /** Equal for windows of the same points. */
  readonly key: string;
  /** Equal for windows that the same series have points in: `latest` does not matter. */
  readonly coverageKey: string;

  /** @param periods finest first */
  constructor(
    readonly periods: readonly Period[],
    readonly from = 0,
    readonly to = Infinity,
    readonly latest = Infinity,
  ) {
    this.coverageKey = `${periods.join('')} ${from} ${to}`;
    this.key = `${this.coverageKey} ${latest}`;
  }

  /** The items of a series that overlap the window; they need not have points in it. */
  items<I extends PeriodicityItem>(items: readonly I[]): I[] {
    return items.filter(
      ({ period, start, end }) => this.periods.includes(period) && start <= this.to && end >= this.from,
    );
  }

  /** Retains only the requested points of a series. */
  applyTo(series: ServedSeries): void {
    for (const points of series) {
      if (this.periods.includes(points.period)) {
        points.retainBetween(this.from, this.to);
        points.retainNewest(this.latest);
      } else {
        points.retainNewest(0);
      }
    }
  }

  /** The stored points that the requested ones depend on, or null where there are none. */
  storedRange(items: readonly PeriodicityItem[]): StoredRange | null {
    const requested = this.items(items);
    if (requested.length === 0) return null;
    const sources = requested.flatMap((item) => sourcePeriods(item, items));
    const derived = requested.filter((item) => isDerived(item, items));
    // Capped at the last point, so that an open end (Infinity) is not turned into a month.
    const to = Math.min(this.to, Math.max(...items.map(({ end }) => end)));
    return {
      firstPeriod: Math.min(...sources) as Period,
      lastPeriod: Math.max(...sources) as Period,
      firstDay: derived.length > 0 ? this.from - MAX_DAYS_BEFORE : this.from,
      lastDay: derived.some(({ period }) => period === MONTHLY)
        ? lastDayOfMonth(monthOf(to)) + MAX_DAYS_AFTER
        : to,
    };
  }

  /**
   * A window with a later start that is expected to hold all requested points still; the window
   * itself where `latest` allows no later start.
   */
  narrowed(items: readonly PeriodicityItem[]): PointWindow {
    const starts = this.items(items).map(
      ({ period, end }) => Math.min(end, this.to) - this.latest * DAYS_PER_POINT[period] - GAP_ALLOWANCE,
    );
    const from = Math.floor(Math.min(...starts));
    return from > this.from && starts.length > 0
      ? new PointWindow(this.periods, from, this.to, this.latest)
      : this;
  }

  /** Whether the points read for a narrowed window are all that this window requests. */
  isSatisfiedBy(narrowed: PointWindow, items: readonly PeriodicityItem[], series: ServedSeries): boolean {
    return this.items(items).every(
      ({ period, start }) =>
        series[period - 1]!.length >= this.latest || narrowed.from <= Math.max(start, this.from),
    );
  }

  /**
   * Whether a series has a requested point: a boolean where its items decide it, otherwise the
   * probes of which one has to succeed.
   */
  coverage(items: readonly PeriodicityItem[]): boolean | ExistenceProbe[] {
    const requested = this.items(items);
    if (requested.some(({ start, end }) => this.coverageOfItem(start, end))) return true;
    const probes = requested.flatMap((item) => this.probes(item, items));
    return probes.length > 0 ? probes : false;
  }

  /**
   * Whether a periodicity item of a requested frequency, which has a point on its first and last
   * day, has one in the window; null where these two days do not decide it.
   */
  coverageOfItem(start: number, end: number): boolean | null {
    if (start > this.to || end < this.from) return false;
    return start >= this.from || end <= this.to ? true : null;
  }

  /** For an item that starts before the window and ends after it: points that it may have there. */
  private probes(item: PeriodicityItem, items: readonly PeriodicityItem[]): ExistenceProbe[] {
    const { period, calculated } = item;
    const probe = (of: Period, firstDay: number, lastDay: number, marked = false): ExistenceProbe[] =>
      firstDay <= lastDay ? [{ period: of, calculated: marked, firstDay, lastDay }] : [];
    if (!isDerived(item, items)) return probe(period, this.from, this.to, calculated);
    if (period === WEEKLY) {
      const lastFriday = weekOf(this.to) === this.to ? this.to : weekOf(this.to) - 7;
      return probe(DAILY, weekOf(this.from) - MAX_DAYS_BEFORE, lastFriday);
    }
    const before = monthOf(this.from - 1);
    const last = monthOf(this.to);
    return sourcePeriods(item, items).flatMap((source) =>
      source === DAILY
        ? probe(DAILY, lastDayOfMonth(before) + 1, lastDayOfMonth(last))
        : probe(WEEKLY, lastWeekOfMonth(before) + 1, lastWeekOfMonth(last)),
    );
  }
}

/** The original data of a series, as far as `derive` needs to know, from its periodicity items. */
export function originalCoverageOf(items: readonly PeriodicityItem[]): OriginalCoverage {
  return {
    lastDaily: originalEnd(items, DAILY),
    lastWeekly: originalEnd(items, WEEKLY),
    monthly: originalEnd(items, MONTHLY) > 0,
  };
}

/** An upper estimate of the stored points in a range, by the days that the items cover. */
export function estimatePoints(items: readonly PeriodicityItem[], range: StoredRange): number {
  let points = 0;
  for (const { period, start, end } of items) {
    if (period < range.firstPeriod || period > range.lastPeriod) continue;
    const days = Math.min(end, range.lastDay) - Math.max(start, range.firstDay);
    if (days >= 0) points += 1 + days / (period === DAILY ? 1 : period === WEEKLY ? 7 : 28);
  }
  return Math.ceil(points);
}

/** Whether the points of an item are derived on read; marked ones are calculated, but stored. */
function isDerived({ period, calculated }: PeriodicityItem, items: readonly PeriodicityItem[]): boolean {
  return calculated && items.some((finer) => finer.period < period && !finer.calculated);
}

/** The frequencies of the stored points that the points of an item are, or are derived from. */
function sourcePeriods(item: PeriodicityItem, items: readonly PeriodicityItem[]): Period[] {
  return isDerived(item, items)
    ? items.filter((finer) => finer.period < item.period && !finer.calculated).map(({ period }) => period)
    : [item.period];
}

function originalEnd(items: readonly PeriodicityItem[], period: Period): number {
  return items.find((item) => item.period === period && !item.calculated)?.end ?? 0;
}
