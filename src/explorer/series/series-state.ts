import type { DataFormat } from '../layout/data-section.js';
import { PER, type Per } from '../../analysis/price-columns.js';
import { BASE } from '../../config/price-paths.js';
import { type AsOf, asOfParameter } from '../../ledger/revision/as-of.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, date, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { type PeriodName, periodNames } from '../../price-series/periodicity.js';
import { type AddressValues, addressOf } from '../../web/address.js';

/** In which money a page shows prices. */
export const PAGE_MEASURES = ['nominal', 'real', 'usd'] as const;
export type PageMeasure = (typeof PAGE_MEASURES)[number];

/** The scales of charts. */
export const SCALES = ['linear', 'log'] as const;
export type Scale = (typeof SCALES)[number];

/** What the page of a series is asked for; the names are those of the API. */
export const seriesQuery = new QuerySchema(
  {
    periodicity: one(choice(periodNames), 'Frequency of the points.'),
    measure: one(choice(PAGE_MEASURES), 'Prices as published, in real terms or in US dollars.'),
    per: one(choice(PER), 'Per published unit, or per kilogram or litre.'),
    scale: one(choice(SCALES), 'The scale of the chart.'),
    start_date: one(date, 'Points of this date or later.'),
    end_date: one(date, 'Points of this date or earlier.'),
    as_of: asOfParameter,
    page: pageParameters.page,
  },
  { ranges: [['start_date', 'end_date']] },
);

export type SeriesPageQuery = QueryValues<typeof seriesQuery.parameters>;

/** What the page shows: the query with its defaults. */
export interface SeriesPageState {
  uuid: string;
  periodicity: PeriodName;
  measure: PageMeasure;
  per: Per;
  scale: Scale;
  startDate: string | undefined;
  endDate: string | undefined;
  /** As the address says it. */
  asOf: string | undefined;
}

/** An earlier state as an address says it. */
export function asOfText(asOf: AsOf | undefined): string | undefined {
  if (asOf === undefined || asOf === 'now') return undefined;
  return 'revision' in asOf ? `r${asOf.revision}` : asOf.instant;
}

const windowOf = ({ startDate, endDate, asOf }: SeriesPageState): AddressValues => ({
  start_date: startDate,
  end_date: endDate,
  as_of: asOf,
});

/** The address of a page in a state, or of its chart (`.svg`). */
export function seriesAddress(state: SeriesPageState, change: AddressValues = {}, suffix = ''): string {
  return addressOf(`/series/${state.uuid}${suffix}`, {
    periodicity: state.periodicity,
    measure: state.measure === 'nominal' ? undefined : state.measure,
    per: state.per === 'unit' ? undefined : state.per,
    scale: state.scale === 'linear' ? undefined : state.scale,
    ...windowOf(state),
    ...change,
  });
}

/** The same prices in the API. */
export const pricesAddress = (state: SeriesPageState, format?: DataFormat): string =>
  addressOf(`/${BASE}/PriceSeriePrice/${state.uuid}/`, {
    periodicity: state.periodicity,
    ...windowOf(state),
    format,
  });

/** The indicators of the same months in the API. */
export const indicatorsAddress = (state: SeriesPageState, format?: DataFormat): string =>
  addressOf(`/${BASE}/PriceSerieIndicator/${state.uuid}/`, {
    measure: state.measure,
    per: state.per,
    ...windowOf(state),
    format,
  });

/** What has changed of the prices since a revision. */
export const differencesAddress = (
  { uuid, asOf }: SeriesPageState,
  from: number,
  format?: DataFormat,
): string =>
  addressOf(`/${BASE}/PriceSeriePrice/${uuid}/differences/`, { from: `r${from}`, to: asOf, format });

/** What maintainers have corrected of the prices. */
export const correctionsAddress = ({ uuid }: SeriesPageState, format?: DataFormat): string =>
  addressOf(`/${BASE}/Correction/`, { uuid__in: uuid, state: 'standing', format });
