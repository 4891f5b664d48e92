import { calendarMonthOf, type MonthlyColumn } from './monthly-column.js';

/** The fit of trend and season to the prices of a series. */
export interface AlpsFit extends FittedLine {
  /** The fitted months, oldest first. */
  readonly months: readonly number[];
  /** What the fitted months of January to December are on average. */
  readonly calendarMonths: readonly CalendarMonth[];
  /** The price of a fitted month less the expected one. */
  residual(month: number): number;
  /** The expected price of a month; NaN of a calendar month that no fitted month has. */
  expected(month: number): number;
}

/** What is fitted besides the levels of the calendar months. */
export interface FittedLine {
  /** The trend per month. */
  readonly alpha: number;
  /** The level that is added from the break on. */
  readonly step: number;
  /** The sample standard deviation of the residuals (divisor N − 1). */
  readonly sd: number;
}

/** The fitted months of one calendar month: their number and means. */
export interface CalendarMonth {
  n: number;
  /** Months since the first fitted one; NaN of none. */
  t: number;
  /** Price; NaN of none. */
  p: number;
  /** 1 from the break on, 0 before; NaN of none. */
  b: number;
}

/** A spread below this part of the greatest price is none, but an error of rounding. */
const NO_SPREAD = 1e-12;
/**
 * Where the residuals are a smaller part of the squares, their sum is added up from the residuals
 * themselves: as a difference of sums it would lose more than two digits.
 */
const LEAST_PART = 0.01;

/**
 * Ordinary least squares of the prices on a linear trend and twelve month dummies without a
 * constant, and on a dummy that is 1 from the break on:
 *
 *     P(t) = α T(t) + β(m of t) + γ B(t) + ε(t)
 *
 * T counts calendar months, so a missing month leaves a hole. The dummies span the constant, so α
 * and γ are those of the deviations from the means of each calendar month, and
 * β(m) = P̄(m) − α T̄(m) − γ B̄(m). Exact with gaps, too.
 *
 * Months are added one after the other: the means and the sums of squares and products about them
 * are updated as by B. P. Welford, "Note on a method for calculating corrected sums of squares and
 * products", Technometrics 4 (1962), so that the fits of all months of a series take one pass.
 *
 * Source: World Food Programme, Technical Guidance Note on ALPS, April 2014.
 */
export class AlpsRegression {
  /** The first and the last month added; NaN before. */
  first = NaN;
  last = NaN;
  /** Months added. */
  months = 0;
  private readonly means: CalendarMonth[] = [];
  private greatest = 0;
  private tt = 0;
  private tp = 0;
  private tb = 0;
  private bb = 0;
  private bp = 0;
  private pp = 0;

  /** @param breakMonth the month from which prices are on another level; null for none */
  constructor(
    private readonly column: MonthlyColumn,
    private readonly breakMonth: number | null = null,
  ) {
    for (let month = 0; month < 12; month++) this.means.push({ n: 0, t: 0, p: 0, b: 0 });
  }

  /** Adds a month, later than those before. A month without a price changes nothing. */
  add(month: number): void {
    const price = this.column.at(month);
    if (!(price > 0)) return;
    if (this.months === 0) this.first = month;
    this.last = month;
    this.months++;
    if (price > this.greatest) this.greatest = price;
    const mean = this.means[calendarMonthOf(month)]!;
    const [t, b] = [month - this.first, this.afterBreak(month)];
    const dt = t - mean.t;
    const dp = price - mean.p;
    const db = b - mean.b;
    mean.n++;
    mean.t += dt / mean.n;
    mean.p += dp / mean.n;
    mean.b += db / mean.n;
    this.tt += dt * (t - mean.t);
    this.tp += dt * (price - mean.p);
    this.tb += dt * (b - mean.b);
    this.bb += db * (b - mean.b);
    this.bp += db * (price - mean.p);
    this.pp += dp * (price - mean.p);
  }

  /** Trend, break and spread of the months added so far. */
  line(): FittedLine {
    const { tt, tp, tb, bb, bp, pp } = this;
    const determinant = tt * bb - tb * tb;
    // Without a break within the months, the trend alone is fitted.
    const straight = bb === 0 || determinant <= NO_SPREAD * tt * bb;
    const alpha = straight ? (tt > 0 ? tp / tt : 0) : (tp * bb - bp * tb) / determinant;
    const step = straight ? 0 : (bp * tt - tp * tb) / determinant;
    const rest = pp - alpha * tp - step * bp;
    const squares = rest > LEAST_PART * pp || pp === 0 ? rest : this.squares({ alpha, step });
    // They sum to 0 within each calendar month, so their mean is 0.
    const sd = Math.sqrt(squares / (this.months - 1));
    return { alpha, step, sd: sd < NO_SPREAD * this.greatest ? 0 : sd };
  }

  /** The expected price of a month; NaN of a calendar month that no fitted month has. */
  expected(month: number, { alpha, step }: Pick<FittedLine, 'alpha' | 'step'>): number {
    const { n, t, p, b } = this.means[calendarMonthOf(month)]!;
    if (n === 0) return NaN;
    return p + alpha * (month - this.first - t) + step * (this.afterBreak(month) - b);
  }

  /** The fit of the months added so far, with all that it consists of. */
  fit(): AlpsFit {
    const line = this.line();
    const none = { n: 0, t: NaN, p: NaN, b: NaN };
    const expected = (month: number) => this.expected(month, line);
    return {
      ...line,
      months: this.addedMonths(),
      calendarMonths: this.means.map((mean) => (mean.n === 0 ? none : mean)),
      expected,
      residual: (month) => this.column.at(month) - expected(month),
    };
  }

  private addedMonths(): number[] {
    const months: number[] = [];
    for (let month = this.first; month <= this.last; month++) if (this.column.has(month)) months.push(month);
    return months;
  }

  private afterBreak(month: number): 0 | 1 {
    return this.breakMonth !== null && month >= this.breakMonth ? 1 : 0;
  }

  /** The sum of the squared residuals. */
  private squares(line: Pick<FittedLine, 'alpha' | 'step'>): number {
    let squares = 0;
    for (let month = this.first; month <= this.last; month++)
      if (this.column.has(month)) squares += (this.column.at(month) - this.expected(month, line)) ** 2;
    return squares;
  }
}
