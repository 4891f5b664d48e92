import { monthOf } from '../lib/dates/calendar-date.js';
import { MONTHLY } from '../price-series/periodicity.js';
import type { SeriesPoints } from '../prices/read/price-loader.js';
import { pointsSerializer, type PriceSerializer } from '../prices/read/price-serializers.js';
import { type ConversionReason, MonthlyColumn } from './methods/monthly-column.js';

/** In which money prices are given. */
export const MEASURES = ['nominal', 'real', 'usd', 'real_usd'] as const;
export type Measure = (typeof MEASURES)[number];

/** Per published unit, or per kilogram or litre. */
export const PER = ['unit', 'base'] as const;
export type Per = (typeof PER)[number];

/** The country whose index turns dollars into real dollars. */
export const DOLLAR_COUNTRY = 'USA';

/** Loads prices for calculations: nothing is written, and nothing cached. */
export const columnsSerializer: PriceSerializer = { ...pointsSerializer, countries: [DOLLAR_COUNTRY] };

/** The monthly prices of a series, as calculations need them. */
export interface PriceColumns {
  /** As published, per published unit. */
  nominal: MonthlyColumn;
  /** In real terms, per published unit. */
  real: MonthlyColumn;
  /** As published, per unit or per kilogram or litre. */
  level: MonthlyColumn;
  /** As asked for. */
  measured: MonthlyColumn;
}

/**
 * The monthly prices of a series, stored or calculated. A month that is not over is left out.
 *
 * Real dollars are dollars × 100 ÷ the general price index of the United States.
 */
export function priceColumns(series: SeriesPoints, measure: Measure, per: Per): PriceColumns {
  const [, , monthly] = series.points;
  const { conversion, conversionFactor: factor } = series.context;
  const dollarIndices = series.indicesOf(DOLLAR_COUNTRY);
  const months: number[] = [];
  const days: number[] = [];
  const prices: number[] = [];
  for (let index = monthly.begin; index < monthly.end; index++) {
    if (monthly.isPartial(index)) continue;
    const day = monthly.days[index]!;
    months.push(monthOf(day));
    days.push(day);
    prices.push(monthly.values[index]!);
  }
  const real = (index: number) => conversion.real(prices[index]!, MONTHLY, days[index]!) ?? 'no_cpi';
  const dollar = (index: number) => conversion.dollar(prices[index]!, MONTHLY, days[index]!) ?? 'no_rate';
  const realDollar = (index: number) => {
    const value = dollar(index);
    const us = dollarIndices.at(months[index]!);
    return typeof value === 'string' ? value : us > 0 ? (value * 100) / us : 'no_cpi';
  };
  const perUnit = (value: number | ConversionReason) => {
    if (per === 'unit') return value;
    if (factor === null) return 'no_factor';
    return typeof value === 'string' ? value : value * factor;
  };
  const column = (valueOf: (index: number) => number | ConversionReason) =>
    MonthlyColumn.of(
      months,
      months.map((_, index) => valueOf(index)),
    );
  const nominal = (index: number) => prices[index]!;
  const measured = { nominal, real, usd: dollar, real_usd: realDollar }[measure];
  return {
    nominal: column(nominal),
    real: column(real),
    level: column((index) => perUnit(nominal(index))),
    measured: column((index) => perUnit(measured(index))),
  };
}
