import { addressOf, type AddressValues } from '../../web/address.js';
import type { DeskSeriesQuery, SeriesOutcome } from './desk-series-view.js';

/** The address of a series at the desk, or of what can be done with it. */
export const deskSeriesAddress = (
  uuid: string,
  values: AddressValues & { done?: SeriesOutcome; change_set?: number | null } = {},
  action = '',
): string => addressOf(`/desk/series/${uuid}${action}`, values);

/** Which prices of a series a page shows. */
export const windowOf = ({ periodicity, start_date, end_date, page }: DeskSeriesQuery): AddressValues => ({
  periodicity,
  start_date,
  end_date,
  page: page === 1 ? undefined : page,
});
