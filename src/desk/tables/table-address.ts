import { addressOf, type AddressValues } from '../../web/address.js';

/** What was done before a page is shown, for its first line. */
export const TABLE_OUTCOMES = ['created', 'saved', 'removed', 'merged'] as const;
export type TableOutcome = (typeof TABLE_OUTCOMES)[number];

/** The address of a table's list. */
export const tableAddress = (table: string, values: AddressValues & { done?: TableOutcome } = {}): string =>
  addressOf(`/desk/tables/${table}`, values);

/** The address of a record. */
export const recordAddress = (table: string, id: number, values: { done?: TableOutcome } = {}): string =>
  addressOf(`/desk/tables/${table}/${id}`, values);

/** The address of the page that merges a record. @param into the other one, where it is known */
export const mergeAddress = (table: string, id: number, into?: number): string =>
  addressOf(`${recordAddress(table, id)}/merge`, { into });
