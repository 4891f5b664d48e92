import { BASE } from '../../config/price-paths.js';
import { CALENDAR } from '../../platform/formats/page-formats.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, exact, wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { dataSection } from '../layout/data-section.js';
import type { PageContext, PageView } from '../layout/page.js';
import { texts } from '../texts.js';

const words = texts.releases;

/** What the rows can be ordered by. */
export const RELEASE_ORDERS = ['country', 'late'] as const;

/** Rows of the table on one page. */
const PAGE_SIZE = 100;

/** What the page of releases is made of. */
interface ReleasesView {
  readonly records: readonly ReleaseRecord[];
  /** Countries, as the address says them. */
  readonly codes: string | undefined;
  readonly order: (typeof RELEASE_ORDERS)[number];
  readonly page: number;
}

/**
 * The page of when sources publish.
 * @throws NotFound past the last page of the table
 */
export function releasesPage({ records, codes, order, page }: ReleasesView, info: PageContext): PageView {
  const values = { iso3_country_codes: codes, order: order === 'country' ? undefined : order };
  const address = (change: AddressValues = {}) => addressOf('/releases', { ...values, ...change });
  const api = (format?: string) =>
    addressOf(`/${BASE}/Release/`, {
      iso3_country_codes: codes,
      sort: order === 'late' && format !== CALENDAR ? '-days_late' : undefined,
      format,
    });
  const ordered = order === 'late' ? records.toSorted(byLateness) : records;
  const { items, links } = paged(ordered, page, PAGE_SIZE, (to) => address({ page: to }));
  return {
    title: words.title,
    description: words.description,
    address: address(),
    main: html`<h1>${words.title}</h1>
      <p>${words.description} ${words.how}</p>
      ${records.length === 0 ? html`<p><strong>${words.none}</strong></p>` : html`${orders(order, address)} ${releasesTable(items)} ${links}`}
      <p><a href="${api(CALENDAR)}">${words.calendar}</a> (iCalendar)</p>
      ${dataSection(info.origin, [{ label: words.title, address: api }])}`,
  };
}

/** Links to the other order. */
function orders(order: ReleasesView['order'], address: (change: AddressValues) => string): Html {
  const link = (to: ReleasesView['order'], text: string) =>
    to === order
      ? html`<strong>${text}</strong>`
      : html`<a href="${address({ order: to === 'country' ? undefined : to })}">${text}</a>`;
  return html`<nav aria-label="${words.order}">
    <p>${link('country', words.byCountry)} · ${link('late', words.lateFirst)}</p>
  </nav>`;
}

function releasesTable(records: readonly ReleaseRecord[]): Html {
  const rows = records.map((release) => [
    html`<a href="${addressOf(`/countries/${release.iso3_country_code}`, {})}"
      >${nameOf(release.country_name)}</a
    >`,
    nameOf(release.source),
    texts.period[release.periodicity],
    dateOf(release.last_period_end),
    dateOf(release.last_stored),
    dateOf(release.next_period_end),
    release.next_expected === null ? words.tooFew(release.releases) : dateOf(release.next_expected),
    exact(release.days_late, wholeNumber),
    exact(release.median_lag_days),
    exact(release.p90_lag_days),
  ]);
  const columns = [
    textColumn(texts.country),
    textColumn(words.source),
    textColumn(texts.frequency),
    textColumn(words.newest),
    textColumn(words.stored),
    textColumn(words.next),
    textColumn(words.expected),
    numberColumn(words.late),
    numberColumn(words.usual),
    numberColumn(words.nine),
  ];
  return table(words.note, columns, rows);
}

/** The latest first; of as many days, and where nothing is expected, the order stays. */
const byLateness = (one: ReleaseRecord, other: ReleaseRecord): number =>
  (other.days_late ?? -1) - (one.days_late ?? -1);
