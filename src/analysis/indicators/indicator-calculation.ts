import { firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { type Alps, ALPS_CLASSES, AlpsCalculation, type AlpsClass } from '../methods/alps.js';
import { changeAt } from '../methods/changes.js';
import { type FiveYearMean, fiveYearMeanAt } from '../methods/five-year-mean.js';
import { annualIfpa, type Ifpa, IFPA_CLASSES, IfpaCalculation, type IfpaClass } from '../methods/ifpa.js';
import { calendarMonthOf, type DerivedColumn } from '../methods/monthly-column.js';
import { isValue, type Outcome, type Reason, REASONS } from '../methods/reason.js';
import { type Seasonality, seasonalityOf } from '../methods/seasonality.js';
import { logChanges, volatilityAt } from '../methods/volatility.js';
import type { PriceColumns } from '../price-columns.js';
import type { IndicatorField, NumberField } from './indicator-fields.js';
import { alpsOptionsOf, ifpaOptionsOf, type IndicatorSettings } from './indicator-settings.js';
import { Nested, Optional, OrNull, RecordOf, WithSchema } from '../../platform/validation/field.js';
import { CalendarDate, Count, Decimal, Flag, OneOf } from '../../platform/validation/fields.js';

/** An object whose members are all null where there is no value. */
type OrNulls<T> = { [K in keyof T]: T[K] | null };

/** An indicator as observations show it. */
type FieldValue = number | null | OrNulls<Ifpa> | OrNulls<Alps>;

class ShownIfpa implements OrNulls<Ifpa> {
  @OrNull(Decimal({ description: 'Indicator of food price anomalies' })) value!: number | null;
  @OrNull(Decimal({ description: 'Its part from the growth of three months' }))
  quarterly!: number | null;
  @OrNull(Decimal({ description: 'Its part from the growth of twelve months' }))
  annual!: number | null;
  @OrNull(OneOf(IFPA_CLASSES, { typed: false })) class!: IfpaClass | null;
  @OrNull(Flag({ description: 'The four years before are not complete' }))
  provisional!: boolean | null;
  @OrNull(Flag({ description: 'It rests on few or hardly different years' })) weak!: boolean | null;
}

class ShownAlps implements OrNulls<Alps> {
  @OrNull(Decimal({ description: 'Alert for price spikes' })) value!: number | null;
  @OrNull(Decimal({ description: 'The price that trend and season let expect' }))
  expected!: number | null;
  @OrNull(OneOf(ALPS_CLASSES, { typed: false })) class!: AlpsClass | null;
}

/** The indicators of one month, as responses show them: those that were asked for. */
export class Observation implements Partial<Record<NumberField, number | null>> {
  @CalendarDate() date!: string;
  @Optional(OrNull(Decimal({ description: 'The price, as `measure` and `per` say' })))
  value?: number | null;
  @Optional(OrNull(Decimal({ description: 'Change from the month before, as a fraction of 1' })))
  change_1m?: number | null;
  @Optional(OrNull(Decimal({ description: 'Change from three months before' })))
  change_3m?: number | null;
  @Optional(OrNull(Decimal({ description: 'Change from twelve months before' })))
  change_12m?: number | null;
  @Optional(OrNull(Decimal({ description: 'Mean of the same month in the five years before' })))
  mean_5y?: number | null;
  @Optional(Count({ description: 'How many of the five years have a price' }))
  mean_5y_years?: number;
  @Optional(OrNull(Decimal({ description: 'Price ÷ mean − 1' }))) against_mean_5y?: number | null;
  @Optional(OrNull(Decimal({ description: 'Of the calendar month; uses later prices, too' })))
  seasonal_index?: number | null;
  @Optional(OrNull(Decimal({ description: 'Standard deviation of the log changes of twelve months' })))
  volatility_12m?: number | null;
  @Optional(Nested(ShownIfpa)) ifpa?: ShownIfpa;
  @Optional(Nested(ShownAlps)) alps?: ShownAlps;
  @WithSchema<Partial<Record<IndicatorField, Reason>>>({
    type: 'object',
    description: 'Why fields are null, by field',
    additionalProperties: { type: 'string', enum: REASONS },
  })
  reasons!: Partial<Record<IndicatorField, Reason>>;
}

/** A year as responses show it. */
export class AnnualObservation {
  @Count() year!: number;
  @Count({ description: 'Months that have a value' }) n_months!: number;
  @Flag({ description: 'Fewer than twelve months have a value' }) partial!: boolean;
  @OrNull(Decimal({ description: 'Mean of the indicator of food price anomalies of the months' }))
  ifpa!: number | null;
  /** Only where there is no value: why the last month has none. */
  @Optional(RecordOf(['ifpa'], OneOf(REASONS))) reasons?: { ifpa: Reason };
}

/** The seasonal pattern as responses show it. */
export type ShownSeasonality = OrNulls<Seasonality>;

const NO_IFPA: OrNulls<Ifpa> = {
  value: null,
  quarterly: null,
  annual: null,
  class: null,
  provisional: null,
  weak: null,
};
const NO_ALPS: OrNulls<Alps> = { value: null, expected: null, class: null };

/** Calculates the indicators of one series, month by month. */
export class IndicatorCalculation {
  private readonly ifpas: IfpaCalculation;
  private readonly alerts: AlpsCalculation;
  private readonly changes: DerivedColumn;
  private seasonalPattern: Outcome<Seasonality> | null = null;
  /** That of the last month asked for, which three fields show. */
  private lastFiveYears: { month: number; mean: FiveYearMean } | null = null;

  constructor(
    private readonly columns: PriceColumns,
    settings: IndicatorSettings,
  ) {
    this.ifpas = new IfpaCalculation(columns.real, columns.nominal, ifpaOptionsOf(settings));
    this.alerts = new AlpsCalculation(columns.level, alpsOptionsOf(settings));
    this.changes = logChanges(columns.measured);
  }

  /** The months that have a price, newest first. */
  months(): number[] {
    const { nominal } = this.columns;
    const months: number[] = [];
    for (let month = nominal.last; month >= nominal.first; month--)
      if (nominal.has(month)) months.push(month);
    return months;
  }

  /** The seasonal pattern of all months; all members are null where there is none. */
  seasonal(): ShownSeasonality {
    if (!isValue(this.seasonality)) return { index: null, sd: null, years: null };
    const { index, sd, years } = this.seasonality;
    return { index: index.map(toSignificantDigits), sd: sd.map(toSignificantDigits), years };
  }

  /** The indicators of a month. @param fields in order */
  observation(month: number, fields: readonly IndicatorField[]): Observation {
    const values: Partial<Record<IndicatorField, FieldValue>> = {};
    const reasons: Observation['reasons'] = {};
    for (const field of fields) {
      const value = this.outcome(field, month);
      if (!isValue(value)) reasons[field] = value;
      values[field] = shownValue(field, value);
    }
    return { date: isoFromDay(firstDayOfMonth(month)), ...values, reasons } as Observation;
  }

  /** A year: the mean of the indicators of food price anomalies of its months. */
  year(year: number): AnnualObservation {
    const months = Array.from({ length: 12 }, (_, index) => year * 12 + index);
    const outcomes = months
      .filter((month) => this.columns.nominal.has(month))
      .map((month) => this.ifpa(month));
    const { ifpa, ...counted } = annualIfpa(year, outcomes);
    const last = outcomes.at(-1);
    if (ifpa !== null) return { ...counted, ifpa: toSignificantDigits(ifpa) };
    return { ...counted, ifpa, reasons: { ifpa: last as Reason } };
  }

  /** The indicator of food price anomalies of a month. */
  ifpa(month: number): Outcome<Ifpa> {
    return this.ifpas.at(month);
  }

  /** The alert for price spikes of a month. */
  alps(month: number): Outcome<Alps> {
    return this.alerts.at(month);
  }

  /** Calculated when it is first asked for: warnings need none. */
  private get seasonality(): Outcome<Seasonality> {
    return (this.seasonalPattern ??= seasonalityOf(this.columns.measured));
  }

  private fiveYears(month: number): FiveYearMean {
    if (this.lastFiveYears?.month !== month)
      this.lastFiveYears = { month, mean: fiveYearMeanAt(this.columns.measured, month) };
    return this.lastFiveYears.mean;
  }

  private outcome(field: IndicatorField, month: number): Outcome<number | Ifpa | Alps> {
    const { measured } = this.columns;
    switch (field) {
      case 'value':
        return measured.has(month) ? measured.at(month) : measured.reasonAt(month);
      case 'change_1m':
        return changeAt(measured, month, 1);
      case 'change_3m':
        return changeAt(measured, month, 3);
      case 'change_12m':
        return changeAt(measured, month, 12);
      case 'mean_5y':
        return this.fiveYears(month).mean;
      case 'mean_5y_years':
        return this.fiveYears(month).years;
      case 'against_mean_5y':
        return this.fiveYears(month).against;
      case 'seasonal_index':
        return isValue(this.seasonality) ? this.seasonality.index[calendarMonthOf(month)]! : this.seasonality;
      case 'volatility_12m':
        return volatilityAt(this.changes, month);
      case 'ifpa':
        return this.ifpa(month);
      case 'alps':
        return this.alps(month);
    }
  }
}

function shownValue(field: IndicatorField, outcome: Outcome<number | Ifpa | Alps>): FieldValue {
  if (!isValue(outcome)) return field === 'ifpa' ? NO_IFPA : field === 'alps' ? NO_ALPS : null;
  if (typeof outcome === 'number') return toSignificantDigits(outcome);
  if ('expected' in outcome) {
    const { value, expected } = outcome;
    return { ...outcome, value: toSignificantDigits(value), expected: toSignificantDigits(expected) };
  }
  const { value, quarterly, annual } = outcome;
  return {
    ...outcome,
    value: toSignificantDigits(value),
    quarterly: toSignificantDigits(quarterly),
    annual: toSignificantDigits(annual),
  };
}
