import { DerivedColumn, type MonthlyColumn } from './monthly-column.js';

/**
 * How missing growth rates of earlier years are treated: `standard` leaves them out, `fpma` counts
 * them as 0 in the mean, as FAO's FPMA tool does.
 */
export const IFPA_MODES = ['standard', 'fpma'] as const;
export type IfpaMode = (typeof IFPA_MODES)[number];

/** A spread below is none. */
const NO_SPREAD = 1e-12;
/** Years before a month: those of dates. */
const MAX_YEARS = 10_000;

/**
 * The compound growth rate per month over some months: (P(t) ÷ P(t − k))^(1/k) − 1. With k = 3 it
 * is FAO's CQGR, with k = 12 its CAGR; both are fractions of 1 per month.
 *
 * Source: United Nations, FAO, SDG indicator metadata 2.c.1, equations 1 and 2.
 * @returns NaN where a price is missing, or both cannot be compared
 */
export function growthRate(column: MonthlyColumn, month: number, months: number): number {
  return (column.at(month) / column.before(month, months)) ** (1 / months) - 1;
}

/** The growth rates of a column, over some months. */
export const growthRates = (column: MonthlyColumn, months: number): DerivedColumn =>
  new DerivedColumn(column, (of, month) => growthRate(of, month, months));

/** The growth rate of the same calendar month in an earlier year. */
export interface EarlierRate {
  month: number;
  /** NaN where a price is missing, which mode `fpma` counts as 0. */
  rate: number;
  weight: number;
}

/** The growth rates of the same calendar month in earlier years, summed up. */
export interface GrowthHistory {
  /** Weighted mean and standard deviation; NaN without a rate. */
  mean: number;
  sd: number;
  /** Years that weights are given to. */
  n: number;
  /** Years whose growth rate is known. */
  defined: number;
}

/**
 * Mean and standard deviation of the growth rates of the same calendar month in earlier years,
 * weighted by rank, the oldest year 1:
 *
 *     mean = Σ w c ÷ Σ w          sd = √(Σ w (c − mean)² ÷ (Σ w × (n − 1) ÷ n))
 *
 * In mode `standard`, the years are those with a growth rate. In mode `fpma`, they are all years
 * from `from` on; a year without a growth rate counts as 0 in the mean and not at all in the sum
 * of squares.
 *
 * Source: F. G. Baquedano, "Developing a price warning indicator as an early warning tool", FAO
 * 2015, equations 4 and 5; weights as in the public code of the UK Office for National Statistics
 * (github.com/ONSdigital/sdg_data_updates, 2.c.1_python).
 * @param from in mode `fpma`, the January from which years count
 */
export function growthHistory(
  rates: DerivedColumn,
  month: number,
  mode: IfpaMode,
  from: number,
): GrowthHistory {
  let n = 0;
  for (let at = oldestOf(rates, month, mode, from); at < month; at += 12) {
    const rate = rates.at(at);
    if (mode === 'fpma' || !Number.isNaN(rate)) years[n++] = rate;
  }
  const weights = weightsOf(n);
  let mean = 0;
  let defined = 0;
  for (let index = 0; index < n; index++) {
    const rate = years[index]!;
    if (Number.isNaN(rate)) continue;
    mean += weights[index]! * rate;
    defined++;
  }
  let squares = 0;
  for (let index = 0; index < n; index++) {
    const rate = years[index]!;
    if (!Number.isNaN(rate)) squares += weights[index]! * (rate - mean) ** 2;
  }
  return { mean, sd: Math.sqrt(squares / ((n - 1) / n)), n, defined };
}

/** The weights of so many years, oldest first: their ranks, divided by the sum of these. */
function weightsOf(n: number): Float64Array {
  return (knownWeights[n] ??= Float64Array.from(
    { length: n },
    (_, index) => (index + 1) / ((n * (n + 1)) / 2),
  ));
}

/** By number of years. */
const knownWeights: (Float64Array | undefined)[] = [];

/** The rates of one history while it is calculated; of each series there are hundreds. */
const years = new Float64Array(MAX_YEARS);

/** The growth rates that `growthHistory` sums up, oldest first. */
export function earlierRates(
  rates: DerivedColumn,
  month: number,
  mode: IfpaMode,
  from: number,
): EarlierRate[] {
  const earlier: EarlierRate[] = [];
  for (let at = oldestOf(rates, month, mode, from); at < month; at += 12) {
    const rate = rates.at(at);
    if (mode === 'fpma' || !Number.isNaN(rate)) earlier.push({ month: at, rate, weight: 0 });
  }
  const weights = weightsOf(earlier.length);
  return earlier.map((rate, index) => ({ ...rate, weight: weights[index]! }));
}

/** The same calendar month in the first year. */
function oldestOf({ column }: DerivedColumn, month: number, mode: IfpaMode, from: number): number {
  const first = mode === 'fpma' ? from : column.first;
  return month - 12 * Math.floor((month - first) / 12);
}

/** A growth rate, measured by those of earlier years. */
export interface GrowthScore {
  score: number;
  sd: number;
}

/** (rate − mean) ÷ sd; null where the rates of earlier years do not vary. */
export function normalized(rate: number, { mean, sd }: GrowthHistory): GrowthScore | null {
  return sd >= NO_SPREAD ? { score: (rate - mean) / sd, sd } : null;
}
