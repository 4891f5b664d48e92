import { monthNumber } from '../../analysis/analysis.parameters.js';
import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { BASE } from '../../config/price-paths.js';
import { MONTH_GAP } from '../../web/chart/segments.js';
import { sparkline } from '../../web/chart/sparkline.js';
import { type AddressValues } from '../../web/address.js';
import { html, Html, type HtmlValue, nameOf } from '../../web/html.js';
import { exact, monthText, percent } from '../../web/numbers.js';
import { numberColumn, MutedRow, table, textColumn } from '../../web/table.js';
import type { DataLink } from '../layout/data-section.js';
import { texts } from '../texts.js';
import { groupUnit, newestMedians } from './group-chart.js';
import type { PricedView } from './group-views.js';
import type { PriceReading } from './price-kinds.js';

const words = texts.commodityPrices;

/** Months of the lines. */
const TREND_MONTHS = 24;

/** The newest month of any of the prices (a month number). */
export const newestPriceMonth = (prices: readonly { readonly group: PricedView }[]): number =>
  Math.max(...prices.map(({ group }) => monthNumber(group.change.month)));

/** Whether a price is old beside the newest one. */
export const isOldPrice = ({ group }: { readonly group: PricedView }, newest: number): boolean =>
  newest - monthNumber(group.change.month) > FRESH_MONTHS;

/** A row of a table of prices. */
interface PricedRow {
  readonly name: string;
  /** Of what the name leads to. */
  readonly address: string;
  readonly group: PricedView;
  /** The cell of the last column, where the table has one. */
  readonly last?: HtmlValue;
}

/** How tables of prices are made. */
interface PriceRowsOptions {
  /** What the names are. */
  readonly heading: string;
  /** What the prices are of, and what is grey. @param oldest month of fresh prices, in words */
  readonly note: (oldest: string) => string;
  /** The heading of the last column; without it, there is none. */
  readonly last?: string;
  /** The newest month of all prices of the page (a month number). */
  readonly newest: number;
}

/** The newest local price of each row, its changes, and its line of two years. */
export function priceRowsTable(
  prices: readonly PricedRow[],
  { heading, note, last, newest }: PriceRowsOptions,
): Html {
  const rows = prices.map((price) => {
    const { name, address, group } = price;
    const { change, fields } = group;
    const unit = `${groupUnit('nominal', group)}, ${String(fields.price_type).toLowerCase()}`;
    const cells = [
      html`<a href="${address}">${nameOf(name)}</a>`,
      exact(change.median),
      exact(change.change_12m, percent),
      exact(change.change_1m, percent),
      html`<span class="price-unit">${nameOf(unit)}</span>`,
      html`<span class="nowrap">${change.month}</span>`,
      trend(group, name),
      ...(last === undefined ? [] : [price.last ?? null]),
    ];
    return isOldPrice(price, newest) ? new MutedRow(cells) : cells;
  });
  const columns = [
    textColumn(heading),
    numberColumn(words.median),
    numberColumn(words.inYear),
    numberColumn(words.inMonth),
    textColumn(words.of),
    textColumn(texts.warnings.month),
    textColumn(words.trend),
    ...(last === undefined ? [] : [numberColumn(last)]),
  ];
  return table(note(monthText(newest - FRESH_MONTHS)), columns, rows);
}

/** The medians of two years as a line; null of one month. */
function trend(group: PricedView, name: string): Html | null {
  const points = newestMedians(group, TREND_MONTHS);
  return points.length < 2 ? null : new Html(sparkline(points, MONTH_GAP, words.trendOf(name)));
}

/**
 * The prices and changes of such a table in the API: an address for each way in which they are put
 * together.
 * @param address of a list of the API with what selects the series
 */
export const changeLinks = (
  readings: readonly PriceReading[],
  address: (path: string, values: AddressValues) => string,
): DataLink[] =>
  readings.map(({ isAverage, per }) => ({
    label: words.changesOf(isAverage, per),
    address: (format) =>
      address(`/${BASE}/PriceChange/`, {
        min_matched: 1,
        goods: false,
        ...(isAverage ? { regional_average: true } : {}),
        ...(per === 'unit' ? { per } : {}),
        format,
      }),
  }));
