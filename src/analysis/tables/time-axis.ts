import { addMonths, firstDayOfMonth, lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { lastWeekOfMonth, weekOf } from '../../price-series/calendar.js';
import { DAILY, MONTHLY, type Period, WEEKLY } from '../../price-series/periodicity.js';
import { COARSER_PERIODS, type CoarserPeriod } from '../methods/aggregation.js';

/** The frequencies of tables, finest first. */
export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'quarterly', 'annual'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The periods of one frequency, numbered so that consecutive ones differ by 1. */
export interface TimeAxis {
  /** The frequency of the prices that its values are made of. */
  readonly period: Period;
  /** What its values are aggregated to; null where they are the prices themselves. */
  readonly coarser: CoarserPeriod | null;
  /** Values a year, as growth rates count them. */
  readonly perYear: number;
  /** The number of the period that holds a day. */
  numberOf(day: number): number;
  /** The day that dates a period. */
  dayOf(number: number): number;
  /** The number of the period one year earlier; NaN where there is none (29 February). */
  yearBefore(number: number): number;
  /** The first and last period of a month, or twice the one that the month is a part of. */
  periodsOfMonth(month: number): readonly [first: number, last: number];
}

const days: TimeAxis = {
  period: DAILY,
  coarser: null,
  perYear: 260,
  numberOf: (day) => day,
  dayOf: (number) => number,
  yearBefore(number) {
    const day = addMonths(number, -12);
    return addMonths(day, 12) === number ? day : NaN;
  },
  periodsOfMonth: (month) => [firstDayOfMonth(month), lastDayOfMonth(month)],
};

/** Day 5 was a Friday. */
const weekNumber = (friday: number) => (friday - 5) / 7;

const weeks: TimeAxis = {
  period: WEEKLY,
  coarser: null,
  perYear: 52,
  numberOf: (day) => weekNumber(weekOf(day)),
  dayOf: (number) => number * 7 + 5,
  yearBefore: (number) => number - 52,
  periodsOfMonth: (month) => [weekNumber(lastWeekOfMonth(month - 1)) + 1, weekNumber(lastWeekOfMonth(month))],
};

/** Periods of one or more months. */
function monthsBy(months: number, coarser: CoarserPeriod | null): TimeAxis {
  const numberAt = (month: number) => Math.floor(month / months);
  return {
    period: MONTHLY,
    coarser,
    perYear: 12 / months,
    numberOf: (day) => numberAt(monthOf(day)),
    dayOf: (number) => firstDayOfMonth(number * months),
    yearBefore: (number) => number - 12 / months,
    periodsOfMonth: (month) => [numberAt(month), numberAt(month)],
  };
}

/** The axis of each frequency: dates as those of prices, quarters and years by their first day. */
export const TIME_AXES: Record<Frequency, TimeAxis> = {
  daily: days,
  weekly: weeks,
  monthly: monthsBy(1, null),
  quarterly: monthsBy(COARSER_PERIODS.quarterly, 'quarterly'),
  annual: monthsBy(COARSER_PERIODS.annual, 'annual'),
};
