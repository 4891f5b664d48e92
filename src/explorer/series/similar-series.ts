import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { select } from '../../price-series/catalogue/selection.js';
import { anyOf, countryCode, idOf } from '../../price-series/filters/conditions.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { html, type Html, nameOf } from '../layout/html.js';
import { dateOf } from '../layout/numbers.js';
import { texts } from '../texts.js';
import type { SeriesView } from './series-view.js';

/** Series that are listed. */
const MOST = 12;

/** Other series of the commodity in the country, in the order of the lists. */
export function similarSeries({ catalogue, row, entry }: SeriesView): Html | null {
  const criteria = Criteria.none
    .and('iso3_country_codes', [entry.iso3_country_code], anyOf(countryCode))
    .and('commodity_ids', [entry.commodity_id], anyOf(idOf('commodity')));
  const rows = Array.from(select(catalogue, criteria).slice(0, MOST + 1)).filter((other) => other !== row);
  if (rows.length === 0) return null;
  const items = rows.slice(0, MOST).map((other) => {
    const { market, price_type, measure_unit, currency, lastDay, uuid } = catalogue.seriesAt(other);
    return html`<li>
      <a href="/series/${uuid}">${nameOf(market.name)}</a> ${price_type.name.toLowerCase()}, ${currency}
      ${texts.perAmount} ${nameOf(measure_unit.name)},
      ${dateOf(lastDay === null ? null : isoFromDay(lastDay))}
    </li>`;
  });
  return html`<h2>${texts.similar}</h2>
    <ul class="plain">
      ${items}
    </ul>`;
}
