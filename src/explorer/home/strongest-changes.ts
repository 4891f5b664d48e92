import type { YearlyChange } from '../../analysis/changes/yearly-changes.js';
import type { CountryMonths } from '../../analysis/warnings/country-months.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { exact, percent, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { countryLabel } from '../countries/country-label.js';
import { texts } from '../texts.js';

/** Changes that are listed in each direction. */
const MOST = 6;

/**
 * The foods whose prices have risen or fallen most in a year: of each country at most one in each
 * direction, none of countries with old prices. Null where nothing has changed.
 */
export function strongestChanges(
  changes: readonly YearlyChange[],
  months: CountryMonths,
  catalogue: CatalogueSnapshot,
): Html | null {
  const fresh = changes.filter(({ fields }) => !months.isOld(countryOf(fields)));
  const rises = onePerCountry(
    fresh.filter(({ change }) => change > 0).sort((one, other) => other.change - one.change),
  );
  const falls = onePerCountry(
    fresh.filter(({ change }) => change < 0).sort((one, other) => one.change - other.change),
  );
  if (rises.length + falls.length === 0) return null;
  return html`<h2>${texts.home.strongest}</h2>
    ${rises.length === 0 ? null : changesTable(texts.home.rises, rises, catalogue)}
    ${falls.length === 0 ? null : changesTable(texts.home.falls, falls, catalogue)}`;
}

const countryOf = (fields: YearlyChange['fields']) => String(fields.iso3_country_code);

function onePerCountry(changes: readonly YearlyChange[]): YearlyChange[] {
  const countries = new Map<string, YearlyChange>();
  for (const change of changes) {
    const country = countryOf(change.fields);
    if (!countries.has(country)) countries.set(country, change);
    if (countries.size === MOST) break;
  }
  return [...countries.values()];
}

function changesTable(caption: string, changes: readonly YearlyChange[], catalogue: CatalogueSnapshot): Html {
  const rows = changes.map(({ fields, change, matched, month }) => {
    const { price_type_id, currency, unit, commodity, commodity_id, price_type } = fields;
    const iso3 = countryOf(fields);
    const address = addressOf(`/countries/${iso3}/commodities/${commodity_id}`, {
      price_type_id: Number(price_type_id),
      currency: String(currency),
      unit: String(unit),
    });
    return [
      html`<a href="${address}">${nameOf(String(commodity))}</a>`,
      html`<a href="/countries/${iso3}">${nameOf(countryLabel(catalogue, iso3))}</a>`,
      nameOf(String(price_type).toLowerCase()),
      exact(change, percent),
      wholeNumber(matched),
      html`<span class="nowrap">${isoFromMonth(month)}</span>`,
    ];
  });
  const columns = [
    textColumn(texts.commodity),
    textColumn(texts.country),
    textColumn(texts.home.priceType),
    numberColumn(texts.commodityPrices.inYear),
    numberColumn(texts.home.matched),
    textColumn(texts.warnings.month),
  ];
  return table(caption, columns, rows);
}
