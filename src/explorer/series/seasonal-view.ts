import type { MonthlyColumn } from '../../analysis/methods/monthly-column.js';
import { firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import type { Chart } from '../../web/chart/chart.js';
import { figure } from '../../web/chart/figure.js';
import { html, type Html } from '../../web/html.js';
import { columnFormat, exact } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';

/** Years before the newest one. */
const YEARS_BEFORE = 5;
/** Newest years with a line of their own; the band covers all earlier ones, including those. */
const MAX_LINES = 3;
/** All years are drawn on the days of one: any that is no leap year. */
const AXIS_YEAR = 2001;

/** A year with its prices by month. */
interface YearOfPrices {
  readonly year: number;
  /** January to December; null without a price. */
  readonly values: readonly (number | null)[];
}

/** Prices that are laid over each other year by year. */
interface SeasonalPrices {
  readonly months: MonthlyColumn;
  /** What the prices are of. */
  readonly title: string;
  readonly unit: string;
  /** Source and state of the data. */
  readonly note: string;
}

/** The newest year beside the five before it, as chart and table; null without an earlier year. */
export function seasonalSection(prices: SeasonalPrices): Html | null {
  const years = newestYears(prices.months);
  if (years.length < 2) return null;
  const { seriesPage, chart: chartTexts } = texts;
  const format = columnFormat(years.flatMap(({ values }) => values));
  const rows = chartTexts.months.map((month, index) => [
    month,
    ...years.map(({ values }) => exact(values[index]!, format)),
  ]);
  const columns = [textColumn(seriesPage.month), ...years.map(({ year }) => numberColumn(String(year)))];
  return html`${figure(seasonalChart(prices, years), null, 'season')}
  ${table(seriesPage.seasonNote(prices.unit), columns, rows)}`;
}

/** Newest first; years without a price are left out. */
function newestYears(months: MonthlyColumn): YearOfPrices[] {
  const lastMonth = months.lastValue();
  if (lastMonth === null) return [];
  return Array.from({ length: YEARS_BEFORE + 1 }, (_, back) => {
    const year = Math.floor(lastMonth / 12) - back;
    const values = Array.from({ length: 12 }, (_, index) =>
      months.has(12 * year + index) ? months.at(12 * year + index) : null,
    );
    return { year, values };
  }).filter(({ values }) => values.some((value) => value !== null));
}

function seasonalChart({ title, unit, note }: SeasonalPrices, years: readonly YearOfPrices[]): Chart {
  const day = (index: number) => firstDayOfMonth(12 * AXIS_YEAR + index);
  const before = years.slice(1);
  const band = texts.chart.months.flatMap((_, index) => {
    const values = before.flatMap(({ values: { [index]: value } }) => value ?? []);
    return values.length < 2
      ? []
      : [{ day: day(index), low: Math.min(...values), high: Math.max(...values) }];
  });
  const lines = years.slice(0, MAX_LINES).map(({ year, values }) => ({
    name: String(year),
    points: values.flatMap((value, index) => (value === null ? [] : [{ day: day(index), value }])),
  }));
  return {
    title: `${title}: ${texts.seriesPage.season.toLowerCase()}`,
    unit,
    note,
    summary: texts.chart.lines(
      lines.map(({ name }) => name),
      unit,
    ),
    empty: texts.chart.empty,
    lines,
    ...(band.length === 0
      ? {}
      : { band: { name: texts.seriesPage.seasonBand(before.at(-1)!.year, before[0]!.year), points: band } }),
    // Days.
    gap: 31,
    range: [day(0), day(11)],
    months: texts.chart.months,
  };
}
