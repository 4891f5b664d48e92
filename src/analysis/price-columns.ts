import { monthOf } from '../lib/dates/calendar-date.js';
import { MONTHLY, type Period } from '../price-series/periodicity.js';
import { dayOfConversion } from '../prices/derive/conversion.js';
import type { SeriesPoints } from '../prices/read/price-loader.js';
import { pointsSerializer, type PriceSerializer } from '../prices/read/price-serializers.js';
import { type ConversionReason, MonthlyColumn } from './methods/monthly-column.js';

/** In which money prices are given. */
export const MEASURES = ['nominal', 'real', 'usd', 'real_usd'] as const;
export type Measure = (typeof MEASURES)[number];

/** Whether prices in a measure are in terms of the base period of a consumer price index. */
export const isReal = (measure: Measure): boolean => measure === 'real' || measure === 'real_usd';

/** Per published unit, or per kilogram or litre. */
export const PER = ['unit', 'base'] as const;
export type Per = (typeof PER)[number];

/** The country whose index turns dollars into real dollars. */
export const DOLLAR_COUNTRY = 'USA';

/** Loads prices for calculations: nothing is written, and nothing cached. */
export const columnsSerializer: PriceSerializer = {
  ...pointsSerializer,
  valuesOnly: true,
  countries: [DOLLAR_COUNTRY],
};

/** Converts a price of a frequency and a day, or says why it cannot be converted. */
type PriceConversion = (price: number, period: Period, day: number) => number | ConversionReason;

/**
 * Converts prices of a series to what is asked for.
 *
 * Real dollars are dollars × 100 ÷ the general consumer price index of the United States. Real
 * prices are in terms of one base period, the newest. A month whose index has no link to it has
 * none.
 */
export function priceConversion(series: SeriesPoints, measure: Measure, per: Per): PriceConversion {
  const { conversion, conversionFactor: factor } = series.context;
  const dollarIndices = series.indicesOf(DOLLAR_COUNTRY);
  const dollar: PriceConversion = (price, period, day) => conversion.dollar(price, period, day) ?? 'no_rate';
  const conversions: Record<Measure, PriceConversion> = {
    nominal: (price) => price,
    real: (price, period, day) =>
      conversion.otherBase(period, day) === null
        ? (conversion.real(price, period, day) ?? 'no_cpi')
        : 'other_base',
    usd: dollar,
    real_usd: (price, period, day) => {
      const value = dollar(price, period, day);
      const month = monthOf(dayOfConversion(period, day));
      const index = dollarIndices.at(month);
      if (typeof value === 'string') return value;
      if (dollarIndices.otherBases.has(month)) return 'other_base';
      return index > 0 ? (value * 100) / index : 'no_cpi';
    },
  };
  const measured = conversions[measure];
  if (per === 'unit') return measured;
  if (factor === null) return () => 'no_factor';
  return (price, period, day) => {
    const value = measured(price, period, day);
    return typeof value === 'string' ? value : value * factor;
  };
}

/** The monthly prices of a series, as calculations need them. */
export interface MonthlyPriceColumns {
  /** As published, per published unit. */
  nominal: MonthlyColumn;
  /** In real terms, per published unit: also those that are in terms of an earlier base period. */
  real: MonthlyColumn;
  /** As published, per unit or per kilogram or litre. */
  level: MonthlyColumn;
  /** As asked for. */
  measured: MonthlyColumn;
}

/**
 * The monthly prices of a series as published, and as asked for. A month that is not over is left
 * out.
 */
export function measuredColumns(
  series: SeriesPoints,
  measure: Measure,
  per: Per,
): Pick<MonthlyPriceColumns, 'nominal' | 'measured'> {
  const nominal = monthlyColumn(series, 'nominal', 'unit');
  const isPublished = measure === 'nominal' && per === 'unit';
  return { nominal, measured: isPublished ? nominal : monthlyColumn(series, measure, per) };
}

/** The monthly prices of a series, stored or calculated. A month that is not over is left out. */
export function priceColumns(series: SeriesPoints, measure: Measure, per: Per): MonthlyPriceColumns {
  const nominal = monthlyColumn(series, 'nominal', 'unit');
  const level = per === 'unit' ? nominal : monthlyColumn(series, 'nominal', per);
  return {
    nominal,
    real: realColumn(series),
    level,
    measured: measure === 'nominal' ? level : monthlyColumn(series, measure, per),
  };
}

/** The monthly prices of a series, converted. A month that is not over is left out. */
export const monthlyColumn = (series: SeriesPoints, measure: Measure, per: Per): MonthlyColumn =>
  columnOf(series, priceConversion(series, measure, per));

/** Real prices of all base periods: growth rates compare those of one. */
function realColumn(series: SeriesPoints): MonthlyColumn {
  const { conversion } = series.context;
  const real: PriceConversion = (price, period, day) => conversion.real(price, period, day) ?? 'no_cpi';
  return columnOf(series, real, conversion.otherBases);
}

function columnOf(
  series: SeriesPoints,
  convert: PriceConversion,
  bases: ReadonlyMap<number, string> | null = null,
): MonthlyColumn {
  const [, , monthly] = series.points;
  const months: number[] = [];
  const values: (number | ConversionReason)[] = [];
  for (let index = monthly.begin; index < monthly.end; index++) {
    if (monthly.isPartial(index)) continue;
    const day = monthly.days[index]!;
    months.push(monthOf(day));
    values.push(convert(monthly.values[index]!, MONTHLY, day));
  }
  return MonthlyColumn.of(months, values, bases);
}
