import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { foodFilter, withGoods } from '../../analysis/goods.parameter.js';
import {
  type CountryMonths,
  countryMonths,
  newestMonthUpTo,
} from '../../analysis/warnings/country-months.js';
import { YearlyChanges } from '../../analysis/changes/yearly-changes.js';
import type { WarningGrouping } from '../../analysis/warnings/warning-groups.js';
import { Environment } from '../../config/environment.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { type WarningRow, WarningsService } from '../../analysis/warnings/warnings.service.js';
import {
  type ComparedWarning,
  WarningChangesService,
} from '../../analysis/warnings/warning-changes.service.js';
import { type ChangeSetRecord, ChangeSets } from '../../history/change-sets.js';
import { NOTICE_SOURCE, type NoticeSource, type RequestInfo } from '../../platform/http/request.js';
import type { Reply } from '../../platform/http/reply.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { imageLinks } from '../images/image-links.js';
import { field } from '../../web/form.js';
import { html, type Html, type HtmlValue, nameOf } from '../../web/html.js';
import { dateOf, wholeNumber } from '../../web/numbers.js';
import { numberColumn, MutedRow, table, textColumn } from '../../web/table.js';
import { ageText, monthToday, newestText } from '../layout/age.js';
import { inOneLine, pageReply } from '../layout/page.js';
import { mapFigure } from '../map/map-figure.js';
import type { WorldMap } from '../map/world-map.js';
import { texts } from '../texts.js';
import { countryOverviews, type CountryOverview } from './country-overview.js';
import { highCell } from '../warnings/high-prices.js';
import { newsText } from '../warnings/news.js';
import { strongestChanges } from './strongest-changes.js';
import { homeMap } from './home-map.js';
import { newestWarnings, warningsTable } from './newest-warnings.js';

/** Milliseconds for which the page waits for what is being calculated of all series. */
const CALCULATION_WAIT = 1000;
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
    private readonly changeSets: ChangeSets,
    private readonly warnings: WarningsService,
    private readonly warningChanges: WarningChangesService,
    private readonly changes: YearlyChanges,
    @Inject(NOTICE_SOURCE) private readonly notices: NoticeSource,
  ) {}

  /** Whether there are pages at all. */
  get isOn(): boolean {
    return this.environment.explorer;
  }

  async reply(info: RequestInfo): Promise<Reply> {
    // Its address has another answer for programs, so that no guard of pages stands before it.
    info.notice = await this.notices.current();
    const late = lateness();
    const { catalogue, months, countries, byCountry } = await this.overviews(info, late);
    const ofCommodities = await ready(this.ofCommodities(info), late, info);
    const warnings = newestWarnings(ofCommodities ?? [], months);
    const news = byCountry === null ? null : newsText(byCountry, months, null);
    const yearly = (await ready(this.changes.list(), late, info)) ?? [];
    const today = monthToday(info);
    const about = texts.home.description(catalogue.size, countries.length);
    const { items } = await this.changeSets.page(
      { kind: [...CHANGE_KINDS] },
      { page: 1, pageSize: 3 * CHANGE_SETS },
    );
    const changes = items.filter(({ first_revision }) => first_revision !== null).slice(0, CHANGE_SETS);
    return pageReply(
      {
        title: texts.name,
        description: inOneLine(news, about),
        address: '/',
        preview: { address: '/map.preview.png', alt: texts.home.mapTitle },
        main: html`<h1>${texts.home.title}</h1>
          <p>
            ${about}
            <strong>${newestText(newestMonth(countries, today), today)}</strong> ${news}
          </p>
          ${info.query.all('as_of').length > 0 ? html`<p>${texts.home.newestOnly}</p>` : null} ${searchForm}
          ${countries.length === 0 ? null : worldMap(homeMap(countries, months.newestUpTo(today)))}
          ${warningsTable(warnings, catalogue)} ${strongestChanges(yearly, months, catalogue)}
          ${countriesTable(countries, today)} ${changesTable(changes)} ${dataText}`,
      },
      info,
    );
  }

  /** The map of the page. */
  async map(info: RequestInfo): Promise<WorldMap> {
    const { months, countries } = await this.overviews(info, lateness());
    return homeMap(countries, months.newestUpTo(monthToday(info)));
  }

  private async overviews(info: RequestInfo, late: Promise<null>): Promise<Overviews> {
    const byCountry = await ready(this.byCountry(info), late, info);
    const catalogue = await this.catalogue.current();
    const months = await countryMonths(catalogue);
    return { catalogue, months, countries: countryOverviews(catalogue, months, byCountry), byCountry };
  }

  /** How many food prices of each country are high, beside a year before. */
  private async byCountry({ signal, permit: { expectItems } }: RequestInfo): Promise<ComparedWarning[]> {
    const { rows } = await this.warningChanges.list(newest('country'), signal, expectItems);
    return [...rows];
  }

  /** How many prices of each commodity in each country are high. */
  private ofCommodities({ signal, permit: { expectItems } }: RequestInfo): Promise<WarningRow[]> {
    return this.warnings.newest(newest('country,commodity'), signal, expectItems);
  }
}

/** The newest warnings about food, of each group in its newest month. */
const newest = (grouping: WarningGrouping) => ({
  grouping,
  criteria: Criteria.of(foodFilter, withGoods({ goods: undefined }, 'food')),
  month: null,
  view: { asOf: undefined, firstPublished: false },
});

const searchForm = html`<form class="row" method="get" action="/browse" role="search">
  <div class="wide">${field(texts.search, 'search', undefined, 'search')}</div>
  <button>${texts.home.search}</button>
</form>`;

const dataText = html`<h2>${texts.home.data}</h2>
  <p>
    ${texts.home.dataText} <a href="/data">${texts.home.dataLinks[0]}</a> ·
    <a href="/docs">${texts.home.dataLinks[1]}</a> · <a href="/help">${texts.home.dataLinks[2]}</a>
  </p>`;

/** The newest month of all that have prices, food or not. */
function newestMonth(countries: readonly CountryOverview[], today: number): number | null {
  const dates = countries.flatMap(({ newestDate }) => newestDate ?? []);
  return newestMonthUpTo(
    dates.map((date) => monthOf(dayFromIso(date)!)),
    today,
  );
}

function countriesTable(countries: readonly CountryOverview[], today: number): Html {
  if (countries.length === 0) return html`<p>${texts.home.empty}</p>`;
  const rows = countries.map(({ iso3, name, series, newestDate, isOld, counts }) => {
    const cells = [
      html`<a href="/countries/${iso3}">${nameOf(name)}</a>`,
      wholeNumber(series),
      dateOf(newestDate),
      newestDate === null ? '' : ageText(monthOf(dayFromIso(newestDate)!), today),
      isOld ? texts.warnings.old : countsText(counts),
    ];
    return isOld ? new MutedRow(cells) : cells;
  });
  const columns = [
    textColumn(texts.country),
    numberColumn(texts.series),
    textColumn(texts.newestDate),
    textColumn(texts.home.age),
    numberColumn(texts.warnings.highPrices),
  ];
  return html`<div id="countries">
    <h2>${texts.home.countries}</h2>
    <p><a href="/commodities">${texts.home.allCommodities}</a></p>
    ${table(texts.home.countriesNote, columns, rows)}
  </div>`;
}

function countsText(counts: CountryOverview['counts']): HtmlValue {
  if (counts === undefined) return texts.home.calculating;
  return counts === null ? texts.home.noFood : highCell(counts);
}

function changesTable(changes: readonly ChangeSetRecord[]): Html | null {
  if (changes.length === 0) return null;
  const rows = changes.map(({ kind, started_at, input, format, reason }) => [
    html`<time class="nowrap" datetime="${started_at}">${started_at.slice(0, 16).replace('T', ' ')}</time>`,
    texts.changeKind(kind),
    nameOf(
      [input === '' && format !== '' ? texts.home.format(format) : input, reason]
        .filter((text) => text !== '')
        .join(' – '),
    ),
  ]);
  const columns = [texts.timeUtc, texts.change, texts.home.input].map(textColumn);
  return html`<h2>${texts.home.changes}</h2>
    ${table(texts.home.changesNote, columns, rows)}`;
}

const worldMap = (map: WorldMap): Html =>
  html`<h2>${map.title}</h2>
    ${mapFigure(map)} ${imageLinks((suffix) => `/map${suffix}`)}`;

/** Comes when a page has waited for long enough, however much it waits for. */
const lateness = () => sleep(CALCULATION_WAIT, null, { ref: false });

/**
 * What is being calculated, if it is there in time; if not, it is calculated on, and the page is
 * made for every request until it is complete.
 */
async function ready<T>(calculation: Promise<T>, late: Promise<null>, info: RequestInfo): Promise<T | null> {
  const found = await Promise.race([calculation.catch(() => null), late]);
  if (found === null) info.admitted = false;
  return found;
}

/** The countries, and how far the prices of each reach. */
interface Overviews {
  catalogue: CatalogueSnapshot;
  months: CountryMonths;
  countries: CountryOverview[];
  /** Null while they are being calculated. */
  byCountry: ComparedWarning[] | null;
}
