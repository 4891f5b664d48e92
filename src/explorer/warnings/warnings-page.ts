import { monthNumber } from '../../analysis/analysis.parameters.js';
import { WARNING_GROUPS } from '../../analysis/warnings/warning-groups.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { BASE } from '../../config/price-paths.js';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { countryLabel } from '../countries/country-label.js';
import { imageLinks } from '../images/image-links.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { asOfNote, citeLink, type DataFormat, dataSection } from '../layout/data-section.js';
import { datasetBlock } from '../layout/dataset.js';
import { field, hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import type { PageContext, PageView } from '../layout/page.js';
import { paged } from '../../web/paging.js';
import { numberColumn, QuietRow, table, textColumn } from '../../web/table.js';
import { mapFigure } from '../map/map-figure.js';
import { asOfText } from '../series/series-state.js';
import { texts } from '../texts.js';
import { newestWholeText } from '../layout/age.js';
import { monthSlider } from './month-slider.js';
import type { WarningsView } from './warning-views.js';
import { highCell } from './high-prices.js';
import { warningsMap } from './warnings-map.js';

/** Series of a row that are named. */
const MOST_SERIES = 3;

/** Rows of the table on one page. */
const PAGE_SIZE = 100;

/**
 * The page of warnings: a map by month, and a row for each country, or part of one.
 * @throws NotFound past the last page of the table
 */
export function warningsPage(view: WarningsView, info: PageContext): PageView {
  const { origin } = info;
  const { rows, by, month, codes, asOf, page, revision } = view;
  const values = {
    by: by === 'country' ? undefined : by,
    month,
    iso3_country_codes: codes,
    as_of: asOfText(asOf),
  };
  const address = (change: AddressValues = {}, suffix = '') =>
    addressOf(`/warnings${suffix}`, { ...values, ...change });
  const dataAddress = (format?: DataFormat) => addressOf(`/${BASE}/PriceWarning/`, { ...values, format });
  const data = [{ label: texts.warnings.title, address: dataAddress }];
  const map = warningsMap(view);
  const { items, links } = paged(byCountryName(view), page, PAGE_SIZE, (to) => address({ page: to }));
  return {
    title: map.title,
    description: texts.warnings.description,
    address: address(),
    preview: { address: address({}, '.preview.png'), alt: `${map.title}. ${map.unit}` },
    head: datasetBlock(
      { name: map.title, description: texts.warnings.description, address: address(), links: data },
      origin,
      month === undefined ? {} : { temporalCoverage: month },
    ),
    main: html`<h1>${map.title}</h1>
      <p>${newestWholeText(view.reach.newestUpTo(view.today), view.today)} ${texts.warnings.description}</p>
      ${asOfText(asOf) === undefined ? null : asOfNote(address({ as_of: undefined }), revision)}
      ${choices(view)} ${monthLinks(view, (to) => address({ month: to }))} ${mapFigure(map)}
      ${imageLinks((suffix) => address({}, suffix))}
      ${rows.length === 0 ? html`<p><strong>${texts.warnings.none}</strong></p>` : rowsTable(view, items)}
      ${links}
      ${dataSection(
        origin,
        data,
        citeLink(info, address({ as_of: asOfText(asOf) ?? `r${revision}` }), revision, map.title),
      )}`,
  };
}

/**
 * The rows by the name of their country, which is what the table shows; they come by its code.
 * Countries with old prices come last.
 */
function byCountryName({ catalogue, rows, reach }: WarningsView): readonly WarningRow[] {
  const codes = new Set(rows.map(({ key }) => key.iso3_country_code));
  const names = new Map([...codes].map((code) => [code, countryLabel(catalogue, code)]));
  const keyOf = ({ key: { iso3_country_code: iso3 } }: WarningRow) =>
    `${reach.isOld(iso3) ? 1 : 0}${names.get(iso3)!}`;
  return rows.toSorted((one, other) =>
    keyOf(one) === keyOf(other) ? 0 : keyOf(one) < keyOf(other) ? -1 : 1,
  );
}

/** The form that changes what is shown: the month, at an earlier state of the data, too. */
function choices(view: WarningsView): Html {
  const { by, month, months, codes, asOf } = view;
  const all = Array.from({ length: Math.max(0, months.last - months.first + 1) }, (_, back) =>
    isoFromMonth(months.last - back),
  );
  const options = month === undefined || all.includes(month) ? all : [month, ...all];
  const known = asOfText(asOf);
  const isInstant = known !== undefined && !known.startsWith('r');
  return html`<form class="row" method="get" action="/warnings">
    ${select(texts.warnings.month, 'month', month ?? '', [
      ['', texts.warnings.newestMonth],
      ...options.map((each) => [each, each] as const),
    ])}
    ${select(
      texts.warnings.by,
      'by',
      by,
      WARNING_GROUPS.map((group) => [group, texts.warnings.groups[group]] as const),
    )}
    ${
      known === undefined || isInstant
        ? field(texts.warnings.knownOn, 'as_of', known?.slice(0, 10), 'date')
        : hidden('as_of', known)
    }
    ${hidden('iso3_country_codes', codes)}
    <button>${texts.show}</button>
    ${monthSlider(view)}
  </form>`;
}

/** Steps through time by a month or a year. */
function monthLinks(
  { month, months, reach, today }: WarningsView,
  address: (month: string) => string,
): Html | null {
  if (months.last === 0) return null;
  // Those of the newest month that is over, which the page says first.
  const newest = reach.newestUpTo(today) ?? months.last;
  const shown = month === undefined ? newest : monthNumber(month);
  const link = (step: number, text: string) => {
    const to = shown + step;
    return to < months.first || to > months.last
      ? null
      : html`<a href="${address(isoFromMonth(to))}">${text} (${isoFromMonth(to)})</a>`;
  };
  return html`<nav class="pages" aria-label="${texts.warnings.month}">
    ${link(-12, texts.warnings.yearBefore)} ${link(-1, texts.warnings.monthBefore)}
    ${link(1, texts.warnings.monthAfter)} ${link(12, texts.warnings.yearAfter)}
  </nav>`;
}

function rowsTable({ catalogue, by, asOf, reach }: WarningsView, rows: readonly WarningRow[]): Html {
  const as_of = asOfText(asOf);
  const columns = [
    textColumn(texts.country),
    ...(by === 'country' ? [] : [textColumn(texts.warnings.groups[by])]),
    textColumn(texts.warnings.month),
    numberColumn(texts.series),
    numberColumn(texts.warnings.fresh),
    numberColumn(texts.warnings.highPrices),
    numberColumn(texts.warnings.high),
    numberColumn(texts.warnings.alert),
    textColumn(texts.warnings.worst),
  ];
  const cells = rows.map((row) => {
    const { key, month, series, fresh, ifpa, alps, top } = row;
    const isOld = reach.isOld(key.iso3_country_code);
    const values = [
      html`<a href="${addressOf(`/countries/${key.iso3_country_code}`, { as_of })}"
        >${nameOf(countryLabel(catalogue, key.iso3_country_code))}</a
      >`,
      ...(by === 'country' ? [] : [nameOf(key.commodity ?? key.category ?? '')]),
      html`<span class="nowrap">${isoFromMonth(month)}</span>`,
      wholeNumber(series),
      wholeNumber(fresh),
      isOld ? texts.warnings.old : highCell(row),
      wholeNumber(ifpa.high),
      wholeNumber(alps.alert + alps.crisis),
      worst(catalogue, top, as_of),
    ];
    return isOld ? new QuietRow(values) : values;
  });
  return table(texts.warnings.note, columns, cells);
}

/** The series with the highest IFPA. */
const worst = (catalogue: CatalogueSnapshot, top: WarningRow['top'], as_of: string | undefined) =>
  top
    .slice(0, MOST_SERIES)
    .map(
      ({ row }) =>
        html`<a href="${addressOf(`/series/${catalogue.uuidAt(row)}`, { as_of })}"
            >${nameOf(catalogue.referenceAt('commodity', row).name)},
            ${nameOf(catalogue.referenceAt('market', row).name)}</a
          ><br />`,
    );
