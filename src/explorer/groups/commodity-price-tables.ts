import { monthNumber } from '../../analysis/analysis.parameters.js';
import { FRESH_MONTHS } from '../../analysis/indicators/freshness.js';
import { MONTH_GAP } from '../../web/chart/segments.js';
import { sparkline } from '../../web/chart/sparkline.js';
import { html, Html, type HtmlValue, nameOf } from '../../web/html.js';
import { exact, monthText, percent, wholeNumber } from '../../web/numbers.js';
import { numberColumn, QuietRow, table, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';
import type { CommodityPrice } from './commodity-prices.js';
import { groupUnit, newestMedians } from './group-chart.js';
import type { PricedView } from './group-views.js';

const words = texts.commodityPrices;

/** Months of the lines. */
const TREND_MONTHS = 24;

/** The newest month of any of the prices (a month number). */
export const newestPriceMonth = (prices: readonly CommodityPrice[]): number =>
  Math.max(...prices.map(({ group }) => monthNumber(group.change.month)));

/** Whether a price is old beside the newest one. */
export const isOldPrice = ({ group }: CommodityPrice, newest: number): boolean =>
  newest - monthNumber(group.change.month) > FRESH_MONTHS;

/** How tables of prices are made. */
interface PriceTableOptions {
  /** What the prices are of, and what is grey. @param oldest month of fresh prices, in words */
  readonly note: (oldest: string) => string;
  /** The address of a commodity. */
  readonly address: (id: number) => string;
  /** How many prices of a commodity are high; tables without it have no such column. */
  readonly high?: (id: number) => HtmlValue;
}

/** What commodities cost, and how much that has changed: food, and what is no food folded. */
export function commodityPriceTables(prices: readonly CommodityPrice[], options: PriceTableOptions): Html {
  const newest = newestPriceMonth(prices);
  const tableOf = (some: readonly CommodityPrice[]) => priceTable(some, newest, options);
  const [food, others] = [true, false].map((isFood) => prices.filter((each) => each.isFood === isFood));
  return html`${food!.length === 0 ? html`<p>${words.noFood}</p>` : tableOf(food!)}
  ${
    others!.length === 0
      ? null
      : html`<details>
          <summary>${words.notFood} (${wholeNumber(others!.length)})</summary>
          ${tableOf(others!)}
        </details>`
  }`;
}

function priceTable(
  prices: readonly CommodityPrice[],
  newest: number,
  { note, address, high }: PriceTableOptions,
): Html {
  const rows = prices.map((price) => {
    const { id, name, group } = price;
    const { change, fields } = group;
    const isOld = isOldPrice(price, newest);
    const unit = `${groupUnit('nominal', group)}, ${String(fields.price_type).toLowerCase()}`;
    const cells = [
      html`<a href="${address(id)}">${nameOf(name)}</a>`,
      exact(change.median),
      exact(change.change_12m, percent),
      exact(change.change_1m, percent),
      html`<span class="nowrap">${nameOf(unit)}</span>`,
      html`<span class="nowrap">${change.month}</span>`,
      trend(group, name),
      ...(high === undefined ? [] : [isOld ? null : high(id)]),
    ];
    return isOld ? new QuietRow(cells) : cells;
  });
  const columns = [
    textColumn(texts.commodity),
    numberColumn(words.median),
    numberColumn(words.inYear),
    numberColumn(words.inMonth),
    textColumn(words.of),
    textColumn(texts.warnings.month),
    textColumn(words.trend),
    ...(high === undefined ? [] : [numberColumn(texts.warnings.highPrices)]),
  ];
  return table(note(monthText(newest - FRESH_MONTHS)), columns, rows);
}

/** The medians of two years as a line; null of one month. */
function trend(group: PricedView, name: string): Html | null {
  const points = newestMedians(group, TREND_MONTHS);
  return points.length < 2 ? null : new Html(sparkline(points, MONTH_GAP, words.trendOf(name)));
}
