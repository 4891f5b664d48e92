import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { countryLabel } from '../countries/country-label.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { exact, share, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { isRecent } from '../map/map-scale.js';
import { texts } from '../texts.js';
import { largerShare } from '../warnings/warning-rows.js';

/** Warnings that are listed. */
const MOST = 8;
/** Shares below this are no warning, as for the persistence of warnings. */
const LEAST_SHARE = 0.25;

/**
 * The warnings with the largest shares; of equal ones those of more series, then in the order of
 * the API. Countries without new prices have none.
 */
export function newestWarnings(rows: readonly WarningRow[]): WarningRow[] {
  const newest = rows.reduce((month, row) => Math.max(month, row.month), 0);
  return rows
    .filter((row) => isRecent(row.month, newest) && largerShare(row) >= LEAST_SHARE)
    .toSorted((one, other) => largerShare(other) - largerShare(one) || other.fresh - one.fresh)
    .slice(0, MOST);
}

/** The newest warnings as a table, with a link to all of them. */
export function warningsTable(rows: readonly WarningRow[], catalogue: CatalogueSnapshot): Html | null {
  if (rows.length === 0) return null;
  const cells = rows.map(({ key, month, fresh, share_high, share_alert_or_worse }) => [
    html`<a href="/countries/${key.iso3_country_code}"
      >${nameOf(countryLabel(catalogue, key.iso3_country_code))}</a
    >`,
    html`<a href="/commodities/${key.commodity_id}">${nameOf(key.commodity!)}</a>`,
    html`<span class="nowrap">${isoFromMonth(month)}</span>`,
    wholeNumber(fresh),
    exact(share_high, share),
    exact(share_alert_or_worse, share),
  ]);
  const columns = [
    textColumn(texts.country),
    textColumn(texts.commodity),
    textColumn(texts.warnings.month),
    numberColumn(texts.warnings.fresh),
    numberColumn(texts.warnings.shareHigh),
    numberColumn(texts.warnings.shareAlert),
  ];
  return html`<h2>${texts.home.warnings}</h2>
    ${table(texts.home.warningsNote, columns, cells)}
    <p><a href="/warnings">${texts.home.allWarnings}</a></p>`;
}
