import type { CountryMonths } from '../../analysis/warnings/country-months.js';
import { highShare, PERSISTENT_SHARE } from '../../analysis/warnings/group-months.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { countryLabel } from '../countries/country-label.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';
import { highCell } from '../warnings/high-prices.js';

/** Warnings that are listed. */
const MOST = 8;

/**
 * The warnings with the largest shares, from that on with which one persists; of equal ones those
 * of more series, then in the order of the API. Countries with old prices have none.
 */
export function newestWarnings(rows: readonly WarningRow[], months: CountryMonths): WarningRow[] {
  const shareOf = (row: WarningRow) => highShare(row) ?? 0;
  return rows
    .filter((row) => !months.isOld(row.key.iso3_country_code) && shareOf(row) >= PERSISTENT_SHARE)
    .toSorted((one, other) => shareOf(other) - shareOf(one) || other.rated - one.rated)
    .slice(0, MOST);
}

/** The newest warnings as a table, with a link to all of them. */
export function warningsTable(rows: readonly WarningRow[], catalogue: CatalogueSnapshot): Html | null {
  if (rows.length === 0) return null;
  const cells = rows.map((row) => [
    html`<a href="/countries/${row.key.iso3_country_code}"
      >${nameOf(countryLabel(catalogue, row.key.iso3_country_code))}</a
    >`,
    html`<a href="/countries/${row.key.iso3_country_code}/commodities/${row.key.commodity_id}"
      >${nameOf(row.key.commodity!)}</a
    >`,
    html`<span class="nowrap">${isoFromMonth(row.month)}</span>`,
    wholeNumber(row.fresh),
    highCell(row),
  ]);
  const columns = [
    textColumn(texts.country),
    textColumn(texts.commodity),
    textColumn(texts.warnings.month),
    numberColumn(texts.warnings.fresh),
    numberColumn(texts.warnings.highPrices),
  ];
  return html`<h2>${texts.home.warnings}</h2>
    ${table(texts.home.warningsNote, columns, cells)}
    <p><a href="/warnings">${texts.home.allWarnings}</a></p>`;
}
