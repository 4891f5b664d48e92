import { FRESH_MONTHS } from '../../price-series/calendar.js';
import { isOldBeside } from '../../analysis/warnings/country-months.js';
import { BASE } from '../../config/price-paths.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { isFood } from '../../price-series/commodity-kinds.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { html, nameOf } from '../../web/html.js';
import { dateOf, monthText, wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import { longColumn, numberColumn, MutedRow, table, textColumn } from '../../web/table.js';
import { asOfNote, citeLink, type DataFormat, dataSection, SERIES_CODES } from '../layout/data-section.js';
import type { PageContext, PageView } from '../layout/page.js';
import { texts } from '../texts.js';
import type { CommodityIndexView } from './commodity-view.js';

const words = texts.commodities.index;

const PATH = '/commodities';

/** Commodities on one page. */
const PAGE_SIZE = 200;

/** A commodity with what is known of it at a glance. */
interface CommodityOverview {
  readonly id: number;
  readonly name: string;
  readonly category: string;
  readonly isFood: boolean;
  readonly series: number;
  readonly countries: number;
  /** The day of its newest price; 0 for none. */
  readonly lastDay: number;
  readonly isOld: boolean;
}

/**
 * The page of all commodities that have series: foods first, those with old prices after the
 * others, each by name.
 * @throws NotFound past the last page
 */
export function commodityIndex(view: CommodityIndexView, info: PageContext): PageView {
  const { catalogue, current, asOf, revision, page } = view;
  const all = overviewsOf(catalogue, current);
  const { items, links } = paged(all, page, PAGE_SIZE, (to) => addressOf(PATH, { as_of: asOf, page: to }));
  const rows = items.map(({ id, name, category, countries, series, lastDay, isOld }) => {
    const cells = [
      html`<a href="${addressOf(`${PATH}/${id}`, { as_of: asOf })}">${nameOf(name)}</a>`,
      dateOf(lastDay === 0 ? null : isoFromDay(lastDay)),
      wholeNumber(countries),
      wholeNumber(series),
      nameOf(category),
    ];
    return isOld ? new MutedRow(cells) : cells;
  });
  // The category comes last: of a table that is wider than a phone, the first columns are seen.
  const columns = [
    textColumn(texts.commodity),
    textColumn(texts.newestDate),
    numberColumn(words.countries),
    numberColumn(texts.series),
    longColumn(words.category),
  ];
  const description = words.description(all.length);
  // Records are not read at earlier states, so commodities are the newest ones.
  const link = (label: string, list: string, values: AddressValues = {}) => ({
    label,
    address: (format?: DataFormat) => addressOf(`/${BASE}/${list}/`, { ...values, format }),
    codes: SERIES_CODES,
  });
  return {
    title: words.title,
    description,
    address: addressOf(PATH, { as_of: asOf, page: page === 1 ? undefined : page }),
    main: html`<h1>${words.title}</h1>
      ${asOf === undefined ? null : asOfNote(PATH, revision)}
      ${
        all.length === 0
          ? html`<p>${texts.home.empty}</p>`
          : html`<p>${description}</p>
              ${table(words.note(current === null ? null : monthText(current - FRESH_MONTHS)), columns, rows)}
              ${links}
              ${dataSection(
                info.origin,
                [link(words.title, 'Commodity'), link(texts.series, 'PriceSerie', { as_of: asOf })],
                citeLink(info, addressOf(PATH, { as_of: asOf ?? `r${revision}` }), revision, words.title),
              )}`
      }`,
  };
}

function overviewsOf(catalogue: CatalogueSnapshot, current: number | null): CommodityOverview[] {
  const { columns, dictionaries, countryStarts } = catalogue;
  const commodities = dictionaries.of('commodity').records;
  const [series, countries, lastDays, lastCountry] = Array.from({ length: 4 }, () =>
    new Array<number>(commodities.length).fill(0),
  ) as [number[], number[], number[], number[]];
  // Series are in the order of their countries.
  for (let country = 0; country + 1 < countryStarts.length; country++)
    for (let row = countryStarts[country]!; row < countryStarts[country + 1]!; row++) {
      const index = columns.commodity[row]!;
      series[index]!++;
      lastDays[index] = Math.max(lastDays[index]!, columns.last_day[row]!);
      if (lastCountry[index] === country + 1) continue;
      lastCountry[index] = country + 1;
      countries[index]!++;
    }
  return commodities
    .map(({ id, name, category }, index) => ({
      id,
      name,
      category,
      isFood: isFood(name, category),
      series: series[index]!,
      countries: countries[index]!,
      lastDay: lastDays[index]!,
      isOld: isOldBeside(current, lastDays[index]!),
    }))
    .filter((each) => each.series > 0)
    .sort(
      (one, other) =>
        Number(other.isFood) - Number(one.isFood) ||
        Number(one.isOld) - Number(other.isOld) ||
        one.name.localeCompare(other.name, 'en') ||
        one.id - other.id,
    );
}
