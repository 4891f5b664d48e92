import { WARNING_GROUPS, type WarningGrouping } from '../../analysis/warnings/warning-groups.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { BASE } from '../../config/price-paths.js';
import { firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { type AddressValues, addressOf } from '../layout/address.js';
import { field, hidden, select } from '../layout/form.js';
import { html, type Html, nameOf } from '../layout/html.js';
import { exact, share, wholeNumber } from '../layout/numbers.js';
import type { PageView } from '../layout/page.js';
import { pageLinks } from '../layout/paging.js';
import { numberColumn, table, textColumn } from '../layout/table.js';
import { texts } from '../texts.js';

/** Series of a row that are named. */
const MOST_SERIES = 3;

/** What the page of warnings is made of. */
export interface WarningsView {
  catalogue: CatalogueSnapshot;
  rows: readonly WarningRow[];
  by: WarningGrouping;
  /** `YYYY-MM`; the newest month of each country where it is left out. */
  month: string | undefined;
  countries: string | undefined;
  page: number;
  lastPage: number;
}

/** The page of warnings: a row for each country, or category or commodity of a country. */
export function warningsPage(view: WarningsView, origin: string): PageView {
  const { rows, by, month, countries, page, lastPage } = view;
  const values = { by: by === 'country' ? undefined : by, month, iso3_country_codes: countries };
  const address = (change: AddressValues = {}) => addressOf('/warnings', { ...values, ...change });
  const data = (format?: string) => addressOf(`/${BASE}/PriceWarning/`, { ...values, format });
  return {
    title: texts.warnings.title,
    description: texts.warnings.description,
    address: address(),
    main: html`<h1>${texts.warnings.title}</h1>
      <p>${texts.warnings.description}</p>
      <form class="row" method="get" action="/warnings">
        ${select(
          texts.warnings.by,
          'by',
          by,
          WARNING_GROUPS.map((group) => [group, texts.warnings.groups[group]] as const),
        )}
        ${field(texts.warnings.month, 'month', month, 'month')} ${hidden('iso3_country_codes', countries)}
        <button>${texts.show}</button>
      </form>
      ${rows.length === 0 ? html`<p><strong>${texts.warnings.none}</strong></p>` : rowsTable(view)}
      ${pageLinks(page, lastPage, (to) => address({ page: to }))}
      <section>
        <h2>${texts.asData}</h2>
        <p><a href="${data()}">JSON</a> · <a href="${data('csv')}">CSV</a></p>
        <div class="api">
          <p>${texts.asCall}</p>
          <pre><code>curl '${origin}${data()}'</code></pre>
        </div>
      </section>`,
  };
}

function rowsTable({ catalogue, rows, by }: WarningsView): Html {
  const columns = [
    textColumn(texts.country),
    ...(by === 'country' ? [] : [textColumn(texts.warnings.groups[by])]),
    textColumn(texts.warnings.month),
    numberColumn(texts.series),
    numberColumn(texts.warnings.fresh),
    numberColumn(texts.warnings.high),
    numberColumn(texts.warnings.shareHigh),
    numberColumn(texts.warnings.alert),
    numberColumn(texts.warnings.shareAlert),
    textColumn(texts.warnings.worst),
  ];
  const cells = rows.map(
    ({ key, month, series, fresh, ifpa, alps, share_high, share_alert_or_worse, top }) => [
      html`<a href="/countries/${key.iso3_country_code}"
        >${nameOf(key.country_name || key.iso3_country_code)}</a
      >`,
      ...(by === 'country' ? [] : [nameOf(key.commodity ?? key.category ?? '')]),
      html`<span class="nowrap">${isoFromDay(firstDayOfMonth(month)).slice(0, 7)}</span>`,
      wholeNumber(series),
      wholeNumber(fresh),
      wholeNumber(ifpa.high),
      exact(share_high, share),
      wholeNumber(alps.alert + alps.crisis),
      exact(share_alert_or_worse, share),
      worst(catalogue, top),
    ],
  );
  return table(texts.warnings.note, columns, cells);
}

/** The series with the highest IFPA. */
const worst = (catalogue: CatalogueSnapshot, top: WarningRow['top']) =>
  top
    .slice(0, MOST_SERIES)
    .map(
      ({ row }) =>
        html`<a href="/series/${catalogue.uuidAt(row)}"
            >${nameOf(catalogue.referenceAt('commodity', row).name)},
            ${nameOf(catalogue.referenceAt('market', row).name)}</a
          ><br />`,
    );
