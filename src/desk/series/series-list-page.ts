import { addressOf } from '../../web/address.js';
import { field } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import { table, textColumn } from '../../web/table.js';
import { texts as pageTexts } from '../../explorer/texts.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { Selection } from '../../price-series/catalogue/selection.js';
import type { DeskView } from '../layout/desk-page.js';
import { deskSeriesTexts as texts } from '../texts/series.js';
import { deskSeriesAddress } from './series-address.js';

/** Series on one page. */
const PAGE_SIZE = 50;

/** What series are searched by. */
interface SeriesSearch {
  readonly search: string;
  readonly country: string;
  readonly page: number;
}

/**
 * The search of series.
 * @throws NotFound past the last page
 */
export function seriesListPage(selection: Selection, { search, country, page }: SeriesSearch): DeskView {
  const { catalogue, count } = selection;
  const state = { search, iso3_country_codes: country };
  const { items, links } = paged(Array.from(selection.slice()), page, PAGE_SIZE, (to) =>
    addressOf('/desk/series', { ...state, page: to }),
  );
  const isSearch = search !== '' || country !== '';
  return {
    title: texts.title,
    section: '/desk/series',
    main: html`<h1>${texts.title}</h1>
      <form class="row" method="get" action="/desk/series" role="search">
        <div class="wide">${field(texts.search, 'search', search, 'search')}</div>
        ${field(texts.country, 'iso3_country_codes', country)}
        <button>${texts.find}</button>
      </form>
      ${
        count === 0
          ? html`<p><strong>${isSearch ? texts.nothing : texts.none}</strong></p>`
          : seriesTable(catalogue, items, wholeNumber(count))
      }
      ${links}`,
  };
}

function seriesTable(catalogue: CatalogueSnapshot, rows: readonly number[], count: string): Html {
  const columns = [
    pageTexts.commodity,
    pageTexts.market,
    pageTexts.country,
    pageTexts.priceType,
    pageTexts.unit,
    pageTexts.source,
    pageTexts.newestDate,
  ];
  const cells = rows.map((row) => {
    const { uuid, commodity, market, price_type, measure_unit, source, currency, lastDay } =
      catalogue.seriesAt(row);
    return [
      html`<a href="${deskSeriesAddress(uuid)}">${nameOf(commodity.name)}</a>`,
      nameOf(market.name),
      nameOf(market.country_name || market.iso3_country_code),
      price_type.name.toLowerCase(),
      html`${currency} ${pageTexts.perAmount} ${nameOf(measure_unit.name)}`,
      nameOf(source.name),
      dateOf(lastDay === null ? null : isoFromDay(lastDay)),
    ];
  });
  return table(texts.found(count), columns.map(textColumn), cells);
}
