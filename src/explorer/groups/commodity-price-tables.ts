import { html, type Html, type HtmlValue } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import type { CommodityPrice } from './commodity-prices.js';
import { isOldPrice, newestPriceMonth, priceRowsTable } from './price-rows.js';

const words = texts.commodityPrices;

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
export function commodityPriceTables(
  prices: readonly CommodityPrice[],
  { note, address, high }: PriceTableOptions,
): Html {
  const newest = newestPriceMonth(prices);
  const tableOf = (some: readonly CommodityPrice[]) =>
    priceRowsTable(
      some.map((price) => ({
        ...price,
        address: address(price.id),
        last: isOldPrice(price, newest) ? null : high?.(price.id),
      })),
      {
        heading: texts.commodity,
        note,
        newest,
        ...(high === undefined ? {} : { last: texts.warnings.highPrices }),
      },
    );
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
