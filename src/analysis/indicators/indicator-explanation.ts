import { firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import { AlpsCalculation } from '../methods/alps.js';
import type { AlpsFit } from '../methods/alps-regression.js';
import { meanOf } from '../methods/deviation.js';
import { pricesOfYearsBefore } from '../methods/five-year-mean.js';
import { type GrowthPart, IfpaCalculation } from '../methods/ifpa.js';
import { calendarMonthOf, type MonthlyColumn } from '../methods/monthly-column.js';
import { HALF_YEAR, seasonalRatios } from '../methods/seasonality.js';
import { changesOfYear, logChanges } from '../methods/volatility.js';
import type { MonthlyPriceColumns } from '../price-columns.js';
import {
  type AnnualObservation,
  INDICATOR_FIELDS,
  type IndicatorField,
  type Observation,
} from './indicator-fields.js';
import { alpsOptionsOf, ifpaOptionsOf, type IndicatorSettings } from './indicator-settings.js';

/** A price as it is used, not rounded; null where the month has none. */
interface UsedPrice {
  date: string;
  value: number | null;
}

/** What the indicators of a month were calculated from, by field; none for fields that are null. */
interface ObservationExplanation {
  explain: Partial<Record<IndicatorField, object>>;
}

/** The months that the IFPA of a year is the mean of. */
interface YearExplanation {
  explain: { months: { date: string; ifpa: object }[] };
}

/**
 * Tells what the indicators of a series were calculated from, and collects the months whose prices
 * they use. The parts are those of the methods; nothing is calculated in another way.
 */
export class IndicatorExplanation {
  /** Month numbers. */
  readonly months = new Set<number>();
  private readonly ifpas: IfpaCalculation;
  private readonly alerts: AlpsCalculation;

  constructor(
    private readonly columns: MonthlyPriceColumns,
    private readonly settings: IndicatorSettings,
  ) {
    this.ifpas = new IfpaCalculation(columns.real, columns.nominal, ifpaOptionsOf(settings));
    this.alerts = new AlpsCalculation(columns.level, alpsOptionsOf(settings));
  }

  /** @param observation of the month, with the fields that are to be explained */
  observation(month: number, observation: Observation): ObservationExplanation {
    const explain: ObservationExplanation['explain'] = {};
    for (const field of INDICATOR_FIELDS)
      if (field in observation && !(field in observation.reasons)) explain[field] = this.field(field, month);
    return { explain };
  }

  /** Months without IFPA are left out. */
  year({ year }: AnnualObservation): YearExplanation {
    const months = Array.from({ length: 12 }, (_, index) => year * 12 + index);
    const explained = months.flatMap((month) => {
      const ifpa = this.ifpa(month);
      return ifpa === null ? [] : [{ date: dateOf(month), ifpa }];
    });
    return { explain: { months: explained } };
  }

  /** The ratios that each seasonal index is the mean of, January to December. */
  seasonal() {
    const { measured } = this.columns;
    return seasonalRatios(measured).map((ratios, index) => ({
      calendar_month: index + 1,
      ratios: ratios.map(({ month, mean, ratio }) => {
        for (let offset = -HALF_YEAR; offset <= HALF_YEAR; offset++) this.months.add(month + offset);
        return { ...this.price(measured, month), moving_average: mean, ratio };
      }),
      mean: meanOf(ratios.map(({ ratio }) => ratio)),
    }));
  }

  private field(field: IndicatorField, month: number): object {
    const { measured } = this.columns;
    const price = this.price(measured, month);
    switch (field) {
      case 'value':
        return { price };
      case 'change_1m':
        return { price, before: this.price(measured, month - 1) };
      case 'change_3m':
        return { price, before: this.price(measured, month - 3) };
      case 'change_12m':
        return { price, before: this.price(measured, month - 12) };
      case 'mean_5y':
      case 'mean_5y_years':
        return this.fiveYears(month);
      case 'against_mean_5y':
        return { price, ...this.fiveYears(month) };
      case 'seasonal_index':
        return { calendar_month: calendarMonthOf(month) + 1 };
      case 'volatility_12m':
        return this.volatility(month);
      case 'ifpa':
        return this.ifpa(month)!;
      case 'alps':
        return this.alps(month);
    }
  }

  private fiveYears(month: number) {
    const prices = pricesOfYearsBefore(this.columns.measured, month);
    return {
      prices: prices.map((earlier) => this.price(this.columns.measured, earlier.month)),
      n: prices.length,
      mean: prices.length === 0 ? null : meanOf(prices.map(({ value }) => value)),
    };
  }

  private volatility(month: number) {
    const { measured } = this.columns;
    const changes = changesOfYear(logChanges(measured), month);
    const first = month - changes.length + 1;
    return {
      log_changes: changes.map((log_change, index) => ({
        ...this.price(measured, first + index),
        before: this.price(measured, first + index - 1).value,
        log_change,
      })),
      n: changes.length,
      mean: meanOf(changes),
    };
  }

  /** Null where the month has none. */
  private ifpa(month: number) {
    const parts = this.ifpas.partsAt(month);
    if (typeof parts === 'string') return null;
    const { ifpa, quarterly, annual } = parts;
    return {
      gamma: this.settings.gamma,
      quarterly: this.growth(month, 'quarterly', quarterly),
      annual: this.growth(month, 'annual', annual),
      value: ifpa.value,
    };
  }

  private growth(month: number, part: 'quarterly' | 'annual', { rate, history, score }: GrowthPart) {
    const { real } = this.columns;
    const months = part === 'quarterly' ? 3 : 12;
    const growth = (at: number, growth_rate: number) => ({
      ...this.price(real, at),
      before: this.before(real, at, months),
      growth_rate: orNull(growth_rate),
    });
    return {
      months,
      ...growth(month, rate),
      history: this.ifpas.earlierRates(part, month).map((earlier) => ({
        ...growth(earlier.month, earlier.rate),
        weight: earlier.weight,
      })),
      n: history.n,
      mean: history.mean,
      sd: history.sd,
      score,
    };
  }

  private alps(month: number) {
    const { level } = this.columns;
    const fit = this.alerts.fitAt(month) as AlpsFit;
    for (const fitted of fit.months) this.months.add(fitted);
    const first = fit.months[0]!;
    const { breakMonth } = alpsOptionsOf(this.settings);
    return {
      ...this.price(level, month),
      calendar_month: calendarMonthOf(month) + 1,
      t: month - first,
      after_break: breakMonth !== null && month >= breakMonth ? 1 : 0,
      expected: fit.expected(month),
      fit: {
        first_month: dateOf(first),
        last_month: dateOf(fit.months.at(-1)!),
        n: fit.months.length,
        alpha: fit.alpha,
        step: fit.step,
        sd: fit.sd,
        calendar_months: fit.calendarMonths.map(({ n, t, p, b }, index) => ({
          calendar_month: index + 1,
          n,
          t: orNull(t),
          price: orNull(p),
          after_break: orNull(b),
        })),
      },
    };
  }

  private before(column: MonthlyColumn, month: number, months: number): number | null {
    this.months.add(month - months);
    return orNull(column.before(month, months));
  }

  private price(column: MonthlyColumn, month: number): UsedPrice {
    this.months.add(month);
    return { date: dateOf(month), value: orNull(column.at(month)) };
  }
}

const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));

/** JSON has no NaN. */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
