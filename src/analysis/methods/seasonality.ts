import { meanOf, sampleDeviation } from './deviation.js';
import { calendarMonthOf, type MonthlyColumn } from './monthly-column.js';
import type { Outcome } from './reason.js';

/** As many ratios must exist for each calendar month. */
const MIN_RATIOS = 3;
/** Months before and after a month that its moving average is made of. */
export const HALF_YEAR = 6;

/** The seasonal pattern of a series, as fractions of 1. */
export interface Seasonality {
  /** The grand seasonal index of January to December; they average 1. */
  index: number[];
  /** The sample standard deviation of the ratios that each is the mean of. */
  sd: number[];
  /** The least number of ratios that a calendar month has. */
  years: number;
}

/** A price against the centred moving average. */
export interface SeasonalRatio {
  month: number;
  /** The centred moving average. */
  mean: number;
  ratio: number;
}

/**
 * The seasonal indices of the multiplicative model price = trend × season × rest, by the ratio to
 * the centred moving average of 2 × 12 months:
 *
 *     CMA(t) = (½ P(t − 6) + P(t − 5) + … + P(t + 5) + ½ P(t + 6)) ÷ 12
 *     R(t) = P(t) ÷ CMA(t)
 *     SI(m) = mean of R(t) over the months t of calendar month m
 *     index(m) = SI(m) × 12 ÷ Σ SI
 *
 * All 13 prices of a ratio are needed. All months of the series count, also those after the month
 * that is looked at. Equals R's `decompose(x, "multiplicative")$figure`.
 *
 * Source: A. Negassa, S. Rashid, AAMP training materials, module 3.1, "Analyzing price
 * seasonality", COMESA–MSU–IFPRI.
 * @returns `short_history` where a calendar month has fewer than three ratios
 */
export function seasonalityOf(column: MonthlyColumn): Outcome<Seasonality> {
  const byMonth = seasonalRatios(column);
  const years = Math.min(...byMonth.map(({ length }) => length));
  if (years < MIN_RATIOS) return 'short_history';
  const ratios = byMonth.map((of) => of.map(({ ratio }) => ratio));
  const means = ratios.map(meanOf);
  const scale = 1 / meanOf(means);
  return { index: means.map((mean) => mean * scale), sd: ratios.map(sampleDeviation), years };
}

/** The ratios of each calendar month, oldest first. */
export function seasonalRatios(column: MonthlyColumn): SeasonalRatio[][] {
  const ratios: SeasonalRatio[][] = Array.from({ length: 12 }, () => []);
  for (let month = column.first + HALF_YEAR; month <= column.last - HALF_YEAR; month++) {
    const mean = centredMean(column, month);
    const ratio = column.at(month) / mean;
    if (ratio > 0) ratios[calendarMonthOf(month)]!.push({ month, mean, ratio });
  }
  return ratios;
}

/** The centred moving average of a month; NaN where a price is missing. */
function centredMean(column: MonthlyColumn, month: number): number {
  let sum = (column.at(month - HALF_YEAR) + column.at(month + HALF_YEAR)) / 2;
  for (let offset = 1 - HALF_YEAR; offset < HALF_YEAR; offset++) sum += column.at(month + offset);
  return sum / 12;
}
