import {
  type EarlierRate,
  earlierRates,
  growthHistory,
  type GrowthHistory,
  growthRates,
  normalized,
  type GrowthScore,
  type IfpaMode,
} from './growth-rates.js';
import { type DerivedColumn, januaryOf, type MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';

export const IFPA_CLASSES = ['high', 'moderate', 'normal'] as const;
export type IfpaClass = (typeof IFPA_CLASSES)[number];

/** What the indicator of food price anomalies is calculated with. */
export interface IfpaOptions {
  readonly mode: IfpaMode;
  /** The January from which the history counts; null for the whole series. */
  readonly historyFrom: number | null;
  /** The weight of the quarterly part. */
  readonly gamma: number;
  /** From the first on the class is `moderate`, from the second on `high`. */
  readonly thresholds: readonly [moderate: number, high: number];
  /** Whether more than three missing months in a row are allowed. */
  readonly allowGaps: boolean;
}

/** The indicator of one month. */
export interface Ifpa {
  value: number;
  quarterly: number;
  annual: number;
  class: IfpaClass;
  /** The four years before are not complete: the series begins in them. */
  provisional: boolean;
  /** It rests on little: fewer than three years, or years that are hardly different. */
  weak: boolean;
}

/** A growth rate, those of earlier years, and its distance from them in standard deviations. */
export interface GrowthPart {
  rate: number;
  history: GrowthHistory;
  score: number;
}

/** The indicator of one month, with what it was calculated from. */
interface IfpaParts {
  ifpa: Ifpa;
  quarterly: GrowthPart;
  annual: GrowthPart;
}

/** Years before the one that is looked at. */
const YEARS_BEFORE = 4;
/** The most missing months in a row. */
const MAX_GAP = 3;
/** Fewer years make a value weak. */
const FIRM_YEARS = 3;
/** A spread below makes a value weak if it is beyond `WEAK_VALUE`. */
const WEAK_SD = 0.001;
const WEAK_VALUE = 5;

/**
 * The indicator of food price anomalies (IFPA, SDG indicator 2.c.1) of a month: how unusual the
 * growth of the real price is against the growth in the same calendar month of earlier years.
 *
 *     CQGR(t) = (P(t) ÷ P(t − 3))^(1/3) − 1          CAGR(t) = (P(t) ÷ P(t − 12))^(1/12) − 1
 *     QIFPA = (CQGR − mean) ÷ sd of the CQGR of earlier years, weighted 1 (oldest) … n (newest)
 *     AIFPA = the same of CAGR
 *     IFPA = γ QIFPA + (1 − γ) AIFPA
 *
 * Only months up to this one are used. Dimensionless: the unit of the prices and the base period of
 * the index do not matter.
 *
 * Sources: United Nations, FAO, SDG indicator metadata 2.c.1, "Indicator of food price anomalies"
 * (2023-05-15), equations 1 to 4; F. G. Baquedano, "Developing a price warning indicator as an
 * early warning tool: a compound growth approach", FAO 2015, equations 4 and 5.
 */
export class IfpaCalculation {
  /** The real prices that the history is made of. */
  private readonly column: MonthlyColumn;
  /** The first month that counts; null without a price. */
  private readonly start: number | null;
  private readonly rates: { readonly quarterly: DerivedColumn; readonly annual: DerivedColumn };
  /** Calculated when it is first asked for. */
  private gaps: Float64Array | null = null;

  /**
   * @param real real prices
   * @param nominal nominal prices, which decide whether the price is flat
   */
  constructor(
    private readonly real: MonthlyColumn,
    private readonly nominal: MonthlyColumn,
    private readonly options: IfpaOptions,
  ) {
    const { mode, historyFrom } = options;
    this.column = historyFrom !== null && mode === 'standard' ? real.from(historyFrom) : real;
    const first = this.column.firstValue();
    this.start = first === null ? null : Math.max(first, historyFrom ?? 0);
    this.rates = { quarterly: growthRates(this.column, 3), annual: growthRates(this.column, 12) };
  }

  /** The indicator of a month. */
  at(month: number): Outcome<Ifpa> {
    const parts = this.partsAt(month);
    return typeof parts === 'string' ? parts : parts.ifpa;
  }

  /** The same with the growth rates that it is calculated from. */
  partsAt(month: number): Outcome<IfpaParts> {
    const { real, column, start, options } = this;
    const { mode, historyFrom, gamma } = options;
    if (!real.has(month)) return real.reasonAt(month);
    if (start === null || (historyFrom !== null && month < historyFrom)) return 'short_history';
    const quarterly = this.rates.quarterly.at(month);
    if (Number.isNaN(quarterly)) return column.reasonBefore(month, 3, 'no_price_3m_ago');
    const annual = this.rates.annual.at(month);
    if (Number.isNaN(annual)) return column.reasonBefore(month, 12, 'no_price_12m_ago');
    if (!options.allowGaps && this.hasGap(month, start)) return 'gap_gt_3';
    const quarterlyHistory = growthHistory(this.rates.quarterly, month, mode, januaryOf(start));
    const annualHistory = growthHistory(this.rates.annual, month, mode, januaryOf(start) + 12);
    const n = Math.min(quarterlyHistory.n, annualHistory.n);
    const defined = Math.min(quarterlyHistory.defined, annualHistory.defined);
    if (n < 2 || defined === 0) return 'short_history';
    if (isFlat(this.nominal, month)) return 'flat';
    const q = normalized(quarterly, quarterlyHistory);
    const a = normalized(annual, annualHistory);
    if (q === null || a === null) return 'sd_zero';
    const value = gamma * q.score + (1 - gamma) * a.score;
    const ifpa = {
      value,
      quarterly: q.score,
      annual: a.score,
      class: ifpaClass(value, options.thresholds),
      provisional: start > januaryOf(month) - 12 * YEARS_BEFORE,
      weak: defined < FIRM_YEARS || (leastSpread(q, a) < WEAK_SD && Math.abs(value) > WEAK_VALUE),
    };
    return {
      ifpa,
      quarterly: { rate: quarterly, history: quarterlyHistory, score: q.score },
      annual: { rate: annual, history: annualHistory, score: a.score },
    };
  }

  /** Whether too many months in a row are missing in the year of a month and the four before. */
  private hasGap(month: number, start: number): boolean {
    this.gaps ??= gapsOf(this.column);
    const from = Math.max(start, januaryOf(month) - 12 * YEARS_BEFORE);
    return this.gaps[month - this.column.first]! - MAX_GAP >= from;
  }

  /** The growth rates of earlier years that a month with an indicator is measured by. */
  earlierRates(part: 'quarterly' | 'annual', month: number): EarlierRate[] {
    const from = januaryOf(this.start!) + (part === 'annual' ? 12 : 0);
    return earlierRates(this.rates[part], month, this.options.mode, from);
  }
}

/** The class of a value: `high` from the upper threshold on, `moderate` from the lower. */
export function ifpaClass(value: number, [moderate, high]: IfpaOptions['thresholds']): IfpaClass {
  return value >= high ? 'high' : value >= moderate ? 'moderate' : 'normal';
}

/**
 * For each month of a column the last month up to it, with which too many months in a row are
 * missing; -Infinity where there is none.
 */
function gapsOf({ values, first }: MonthlyColumn): Float64Array {
  const gaps = new Float64Array(values.length);
  let [missing, last] = [0, -Infinity];
  for (let index = 0; index < values.length; index++) {
    missing = values[index]! > 0 ? 0 : missing + 1;
    if (missing > MAX_GAP) last = first + index;
    gaps[index] = last;
  }
  return gaps;
}

/** Whether all prices of the twelve months before and of the month itself are the same. */
function isFlat(nominal: MonthlyColumn, month: number): boolean {
  const price = nominal.at(month);
  for (let back = 1; back <= 12; back++) {
    const before = nominal.at(month - back);
    if (before > 0 && before !== price) return false;
  }
  return true;
}

const leastSpread = (one: GrowthScore, other: GrowthScore) => Math.min(one.sd, other.sd);

/** The indicator of a year: the mean of its months, as reported for SDG 2.c.1. */
interface AnnualIfpa {
  year: number;
  /** Months that have a value. */
  n_months: number;
  /** Not all twelve months have one: the year is not over, or some have none. */
  partial: boolean;
  ifpa: number | null;
}

/**
 * The mean of the months of a year that have a value.
 *
 * Source: United Nations, FAO, SDG indicator metadata 2.c.1.
 */
export function annualIfpa(year: number, monthly: readonly Outcome<Ifpa>[]): AnnualIfpa {
  const values = monthly.flatMap((ifpa) => (typeof ifpa === 'string' ? [] : [ifpa.value]));
  const sum = values.reduce((total, value) => total + value, 0);
  const n = values.length;
  return { year, n_months: n, partial: n < 12, ifpa: n === 0 ? null : sum / n };
}
