import { BASE } from '../../config/price-paths.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { PeriodName } from '../../price-series/periodicity.js';
import { type AddressValues, addressOf } from '../../web/address.js';
import type { DataFormat } from '../layout/data-section.js';

/** What the page of a price is asked for beside its address. */
export const pointQuery = new QuerySchema({ as_of: asOfParameter });

export type PointPageQuery = QueryValues<typeof pointQuery.parameters>;

/** Which price a page shows, at which state of the data. */
export interface PointPageState {
  readonly uuid: string;
  readonly periodicity: PeriodName;
  readonly date: string;
  /** As the address says it. */
  readonly asOf: string | undefined;
}

/** The address of the page of a price. */
export const pointAddress = ({ uuid, periodicity, date, asOf }: PointPageState): string =>
  addressOf(`/series/${uuid}/points/${periodicity}/${date}`, { as_of: asOf });

/** The price in the list of the API. */
export const priceAddress = (
  { uuid, periodicity, date, asOf }: PointPageState,
  format?: DataFormat,
): string =>
  addressOf(`/${BASE}/PriceSeriePrice/${uuid}/`, {
    periodicity,
    start_date: date,
    end_date: date,
    as_of: asOf,
    format,
  });

/** The price itself in the API, or what belongs to it. @param id of the point */
export const apiPointAddress = (
  { uuid }: PointPageState,
  id: number,
  suffix: '' | 'versions/',
  values: AddressValues,
): string => addressOf(`/${BASE}/PriceSeriePrice/${uuid}/${id}/${suffix}`, values);
