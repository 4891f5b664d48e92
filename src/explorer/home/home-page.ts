import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NewestIndicators, NewestIndicatorStore } from '../../analysis/indicators/newest-indicators.js';
import { Environment } from '../../config/environment.js';
import { type ChangeSetRecord, ChangeSets } from '../../history/change-sets.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import { field } from '../layout/form.js';
import { html, type Html, nameOf } from '../layout/html.js';
import { dateOf, share, wholeNumber } from '../layout/numbers.js';
import { numberColumn, table, textColumn } from '../layout/table.js';
import { pageReply } from '../layout/page.js';
import { texts } from '../texts.js';
import { countryOverviews, type CountryOverview } from './country-overview.js';

/** Milliseconds for which the page waits for indicators that are being calculated. */
const INDICATOR_WAIT = 1000;
/** The kinds of change sets that bring or change data. */
const CHANGE_KINDS = ['import', 'correction', 'record', 'merge', 'revert', 'sample'] as const;
/** Change sets that are listed. */
const CHANGE_SETS = 8;

/** The start page: search, the countries, and what came in lately. */
@Injectable()
export class HomePage {
  constructor(
    private readonly environment: Environment,
    private readonly catalogue: SeriesCatalogue,
    private readonly indicators: NewestIndicatorStore,
    private readonly changeSets: ChangeSets,
  ) {}

  /** Whether there are pages at all. */
  get isOn(): boolean {
    return this.environment.explorer;
  }

  async reply(context: RequestContext): Promise<Reply> {
    const indicators = await this.readyIndicators();
    // The page is complete once they are there: until then it is made for every request.
    if (indicators === null) context.admitted = false;
    const catalogue = indicators?.catalogue ?? (await this.catalogue.current());
    const countries = await countryOverviews(catalogue, indicators);
    const { items } = await this.changeSets.page(
      { kind: [...CHANGE_KINDS] },
      { page: 1, pageSize: 3 * CHANGE_SETS },
    );
    const changes = items.filter(({ first_revision }) => first_revision !== null).slice(0, CHANGE_SETS);
    return pageReply(
      {
        title: texts.name,
        description: texts.home.description(catalogue.size, countries.length),
        address: '/',
        main: html`<h1>${texts.home.title}</h1>
          <p>${texts.home.description(catalogue.size, countries.length)}</p>
          ${searchForm} ${countriesTable(countries)} ${changesTable(changes)}`,
      },
      context,
    );
  }

  /** The newest indicators if they are there soon. If not, they are calculated on. */
  private async readyIndicators(): Promise<NewestIndicators | null> {
    const current = this.indicators.current().catch(() => null);
    return Promise.race([current, sleep(INDICATOR_WAIT, null, { ref: false })]);
  }
}

const searchForm = html`<form class="row" method="get" action="/browse" role="search">
  <div class="wide">${field(texts.search, 'search', undefined, 'search')}</div>
  <button>${texts.home.search}</button>
</form>`;

function countriesTable(countries: readonly CountryOverview[]): Html {
  if (countries.length === 0) return html`<p>${texts.home.empty}</p>`;
  const rows = countries.map(({ iso3, name, series, newestDate, rated, high }) => [
    html`<a href="/countries/${iso3}">${nameOf(name)}</a>`,
    wholeNumber(series),
    dateOf(newestDate),
    rated === null ? texts.home.calculating : highShare(high, rated),
  ]);
  const columns = [
    textColumn(texts.country),
    numberColumn(texts.series),
    textColumn(texts.newestDate),
    numberColumn(texts.home.high),
  ];
  return html`<h2>${texts.home.countries}</h2>
    ${table(texts.home.countriesNote, columns, rows)}`;
}

const highShare = (high: number, rated: number) =>
  rated === 0 ? texts.home.unrated : `${share(high / rated)} (${wholeNumber(high)}/${wholeNumber(rated)})`;

function changesTable(changes: readonly ChangeSetRecord[]): Html | null {
  if (changes.length === 0) return null;
  const rows = changes.map(({ id, kind, started_at, input, reason }) => [
    html`<time class="nowrap" datetime="${started_at}">${started_at.slice(0, 16).replace('T', ' ')}</time>`,
    html`<a href="/api/v1/ChangeSet/${id}/">${texts.changeKind(kind)}</a>`,
    nameOf([input, reason].filter((text) => text !== '').join(' – ')),
  ]);
  const columns = [texts.timeUtc, texts.change, texts.home.input].map(textColumn);
  return html`<h2>${texts.home.changes}</h2>
    ${table(texts.home.changesNote, columns, rows)}`;
}
