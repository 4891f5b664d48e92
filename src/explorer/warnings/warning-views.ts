import { Injectable } from '@nestjs/common';
import { month, monthNumber } from '../../analysis/analysis.parameters.js';
import { foodFilter, withGoods } from '../../analysis/goods.parameter.js';
import { WARNING_GROUPS, type WarningGrouping } from '../../analysis/warnings/warning-groups.js';
import type { CountryMonths } from '../../analysis/warnings/country-months.js';
import {
  type ComparedWarning,
  WarningChangesService,
} from '../../analysis/warnings/warning-changes.service.js';
import { type AsOf, asOfParameter } from '../../ledger/revision/as-of.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { monthToday } from '../layout/age.js';

/** What the rows can be ordered by. */
const WARNING_ORDERS = ['severity', 'country', 'year_before'] as const;
export type WarningOrder = (typeof WARNING_ORDERS)[number];

/** Months that can be chosen, up to the last: one wrong date would add ten thousand. */
const MAX_MONTHS = 600;
/** Rows that are looked at between two looks at the time. */
const ROWS_PER_YIELD = 5000;

const filters = { iso3_country_codes: priceSeriesFilters.iso3_country_codes, ...foodFilter };

/** What the page is asked for; the names are those of the API. */
export const warningsQuery = new QuerySchema({
  by: one(choice(WARNING_GROUPS), 'What a row is about.'),
  order: one(choice(WARNING_ORDERS), 'What comes first.'),
  month: one(month, 'This month, in place of the newest of each country.'),
  iso3_country_codes: filters.iso3_country_codes,
  as_of: asOfParameter,
  page: pageParameters.page,
});

export type WarningsQuery = QueryValues<typeof warningsQuery.parameters>;

/** What the page of warnings is made of. */
export interface WarningsView {
  catalogue: CatalogueSnapshot;
  revision: number;
  /** By country, of all pages. */
  countries: readonly ComparedWarning[];
  /** How far the prices of each country reach, in the month that is shown. */
  reach: CountryMonths;
  /** The month of today (a month number). */
  today: number;
  /** As asked for, of all pages, in the order of the API. */
  rows: readonly ComparedWarning[];
  by: WarningGrouping;
  order: WarningOrder;
  /** `YYYY-MM`; the newest month of each country where it is left out. */
  month: string | undefined;
  /** Months that can be chosen (month numbers), both included. */
  months: { first: number; last: number };
  /** As the address says it. */
  codes: string | undefined;
  asOf: AsOf | undefined;
  page: number;
}

/** Loads what the page of warnings and its map show, by the service of the API. */
@Injectable()
export class WarningViews {
  constructor(private readonly changes: WarningChangesService) {}

  /** @throws ValidationError for an unknown revision, and too many series with `as_of` */
  async read(query: WarningsQuery, info: RequestInfo): Promise<WarningsView> {
    const {
      signal,
      permit: { expectItems },
    } = info;
    const {
      by = 'country',
      order = 'severity',
      month: asked,
      page = 1,
      iso3_country_codes,
      as_of: asOf,
    } = query;
    const list = (grouping: WarningGrouping) =>
      this.changes.list(
        {
          grouping,
          criteria: Criteria.of(filters, withGoods({ iso3_country_codes, goods: undefined }, 'food')),
          month: asked === undefined ? null : monthNumber(asked),
          view: { asOf, firstPublished: false },
        },
        signal,
        expectItems,
      );
    const today = monthToday(info);
    const found = await list('country');
    const { catalogue, revision, reach, rows: countries } = found;
    return {
      catalogue,
      revision,
      countries,
      reach,
      today,
      rows: by === 'country' ? countries : (await list(by)).rows,
      by,
      order,
      month: asked,
      months: await monthsOf(catalogue),
      codes: iso3_country_codes?.join(','),
      asOf,
      page,
    };
  }
}

/** From the first month with a price to the last one, or the newest of them. */
async function monthsOf({ columns, size }: CatalogueSnapshot): Promise<WarningsView['months']> {
  const { start1, start2, start3, last_day } = columns;
  const timeSlice = new TimeSlice();
  let [first, last] = [Infinity, 0];
  for (const starts of [start1, start2, start3]) {
    for (let row = 0; row < size; row++) {
      if (row % ROWS_PER_YIELD === 0) await timeSlice.yield();
      const start = starts[row]!;
      if (start > 0 && start < first) first = start;
      if (last_day[row]! > last) last = last_day[row]!;
    }
  }
  if (last === 0) return { first: 1, last: 0 };
  return { first: Math.max(monthOf(first), monthOf(last) - MAX_MONTHS + 1), last: monthOf(last) };
}
