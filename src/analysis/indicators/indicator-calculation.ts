import { firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { type Alps, AlpsCalculation } from '../methods/alps.js';
import { changeAt } from '../methods/changes.js';
import { type FiveYearMean, fiveYearMeanAt } from '../methods/five-year-mean.js';
import { annualIfpa, type Ifpa, IfpaCalculation } from '../methods/ifpa.js';
import { calendarMonthOf, type DerivedColumn } from '../methods/monthly-column.js';
import { isValue, type Outcome, type Reason } from '../methods/reason.js';
import { type Seasonality, seasonalityOf } from '../methods/seasonality.js';
import { logChanges, volatilityAt } from '../methods/volatility.js';
import type { MonthlyPriceColumns } from '../price-columns.js';
import type { AnnualObservation, IndicatorField, Observation, OrNulls } from './indicator-fields.js';
import { alpsOptionsOf, ifpaOptionsOf, type IndicatorSettings } from './indicator-settings.js';

/** An indicator as observations show it. */
type FieldValue = number | null | OrNulls<Ifpa> | OrNulls<Alps>;

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
    private readonly columns: MonthlyPriceColumns,
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
