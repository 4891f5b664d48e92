import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { anyOf, countryCode, idOf } from '../../price-series/filters/conditions.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { entryOf } from '../../price-series/price-serie.view.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { typeAndStatus } from './series-names.js';

/** Series that are listed. */
const MOST = 12;

/**
 * Other series of the commodity in the country, in the order of the lists.
 * @param without rows that are left out
 * @param addressOf where the name of one leads
 */
export function similarSeries(
  catalogue: CatalogueSnapshot,
  row: number,
  without: readonly number[],
  addressOf: (uuid: string) => string,
  heading: string = texts.similar,
): Html | null {
  const criteria = Criteria.none
    .and('iso3_country_codes', [catalogue.referenceAt('market', row).iso3_country_code], anyOf(countryCode))
    .and('commodity_ids', [catalogue.referenceAt('commodity', row).id], anyOf(idOf('commodity')));
  const rows = Array.from(selectSeries(catalogue, criteria).slice(0, MOST + without.length));
  const others = rows.filter((other) => !without.includes(other)).slice(0, MOST);
  if (others.length === 0) return null;
  const items = others.map((other) => {
    const { market, measure_unit, currency, lastDay, uuid } = catalogue.seriesAt(other);
    return html`<li>
      <a href="${addressOf(uuid)}">${nameOf(market.name)}</a> ${typeAndStatus(entryOf(catalogue, other))},
      ${currency} ${texts.perAmount} ${nameOf(measure_unit.name)},
      ${dateOf(lastDay === null ? null : isoFromDay(lastDay))}
    </li>`;
  });
  return html`<h2>${heading}</h2>
    <ul class="plain">
      ${items}
    </ul>`;
}
