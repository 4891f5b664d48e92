import { type AlpsFit, AlpsRegression, type FittedLine } from './alps-regression.js';
import type { MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';

export const ALPS_CLASSES = ['crisis', 'alert', 'stress', 'normal'] as const;
export type AlpsClass = (typeof ALPS_CLASSES)[number];

/** `realtime`: the fit ends with the month itself; `full`: it uses the whole series. */
export const ALPS_WINDOWS = ['realtime', 'full'] as const;
export type AlpsWindow = (typeof ALPS_WINDOWS)[number];

/** What the alert for price spikes is calculated with. */
export interface AlpsOptions {
  readonly window: AlpsWindow;
  /** The last month that is fitted, so that a crisis does not pull the trend up; null for all. */
  readonly fitUntil: number | null;
  /** The month from which prices are on another level; null for none. */
  readonly breakMonth: number | null;
  /** From these values on the class is `stress`, `alert` and `crisis`. */
  readonly thresholds: readonly [stress: number, alert: number, crisis: number];
}

/** The alert for price spikes of one month. */
export interface Alps {
  /** In standard deviations. */
  value: number;
  /** The price that trend and season let expect, in the unit of the prices. */
  expected: number;
  class: AlpsClass;
}

/** The least number of fitted months: three years. */
const MIN_MONTHS = 36;
/** The least share of the months that have a price. */
const MIN_SHARE = 0.7;

/**
 * The alert for price spikes (ALPS) of the months of a series: the nominal price less the price
 * that trend and season let expect, in standard deviations of this difference.
 *
 *     ALPS(t) = (P(t) − P̂(t)) ÷ s
 *
 * P̂ is the price that `AlpsRegression` expects, s the sample standard deviation (divisor N − 1) of
 * the differences of the fitted months. Dimensionless: the unit of the prices does not matter.
 *
 * Sources: World Food Programme, Technical Guidance Note "Calculation and Use of the Alert for
 * Price Spikes (ALPS) Indicator", April 2014; "ALPS at a glance" (at least 70 % of the months).
 */
export class AlpsCalculation {
  /** The first and the last month that may be fitted; null without a price. */
  private readonly start: number | null;
  private readonly end: number;
  /** In order of months from the first price on; calculated when a second one is asked for. */
  private outcomes: Outcome<Alps>[] | null = null;
  private isAsked = false;

  /** @param column nominal prices */
  constructor(
    private readonly column: MonthlyColumn,
    private readonly options: AlpsOptions,
  ) {
    this.start = column.firstValue();
    this.end = Math.min(column.last, options.fitUntil ?? Infinity);
  }

  /** The alert of a month. */
  at(month: number): Outcome<Alps> {
    const { column } = this;
    if (!column.has(month)) return column.reasonAt(month);
    if (!this.isAsked) {
      // Lists need the newest month only, whose fit needs no other.
      this.isAsked = true;
      const regression = this.regressionAt(month);
      return this.outcome(month, regression, regression.line());
    }
    this.outcomes ??= this.calculate();
    return this.outcomes[month - this.start!]!;
  }

  /** The fit that a month is measured by, or why there is none. */
  fitAt(month: number): Outcome<AlpsFit> {
    const regression = this.regressionAt(month);
    return tooFew(regression) ?? regression.fit();
  }

  private regressionAt(month: number): AlpsRegression {
    const regression = this.begin();
    const end = this.options.window === 'full' ? this.end : Math.min(month, this.end);
    for (let at = this.start ?? Infinity; at <= end; at++) regression.add(at);
    return regression;
  }

  /** One pass over all months: each fit adds one month to the fit before. */
  private calculate(): Outcome<Alps>[] {
    const { column, end, options } = this;
    const outcomes: Outcome<Alps>[] = [];
    const regression = this.begin();
    const start = this.start!;
    if (options.window === 'full') for (let month = start; month <= end; month++) regression.add(month);
    let line = regression.line();
    for (let month = start; month <= column.last; month++) {
      if (options.window === 'realtime' && month <= end && column.has(month)) {
        regression.add(month);
        line = regression.line();
      }
      outcomes.push(this.outcome(month, regression, line));
    }
    return outcomes;
  }

  private outcome(month: number, regression: AlpsRegression, line: FittedLine): Outcome<Alps> {
    const price = this.column.at(month);
    if (!(price > 0)) return this.column.reasonAt(month);
    const reason = tooFew(regression);
    if (reason !== null) return reason;
    const expected = regression.expected(month, line);
    if (Number.isNaN(expected)) return 'short_history';
    if (line.sd === 0) return 'sd_zero';
    const value = (price - expected) / line.sd;
    return { value, expected, class: alpsClass(value, this.options.thresholds) };
  }

  private begin(): AlpsRegression {
    return new AlpsRegression(this.column, this.options.breakMonth);
  }
}

/** Why so many months cannot be fitted; null where they can. */
function tooFew({ first, last, months }: AlpsRegression): 'short_history' | 'sparse' | null {
  if (months < MIN_MONTHS) return 'short_history';
  return months < MIN_SHARE * (last - first + 1) ? 'sparse' : null;
}

/** The class of a value: `crisis` from the highest threshold on, `normal` below the lowest. */
export function alpsClass(value: number, [stress, alert, crisis]: AlpsOptions['thresholds']): AlpsClass {
  return value >= crisis ? 'crisis' : value >= alert ? 'alert' : value >= stress ? 'stress' : 'normal';
}
