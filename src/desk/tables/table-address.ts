import { addressOf, type AddressValues } from '../../web/address.js';

/** What was done before a page is shown, for its first line. */
export const DONE = ['created', 'saved', 'removed', 'merged'] as const;
export type Done = (typeof DONE)[number];

/** The address of a table's list. */
export const tableAddress = (table: string, values: AddressValues & { done?: Done } = {}): string =>
  addressOf(`/desk/tables/${table}`, values);

/** The address of a record. */
export const recordAddress = (table: string, id: number, values: { done?: Done } = {}): string =>
  addressOf(`/desk/tables/${table}/${id}`, values);

/** The address of the page that merges a record. @param into the other one, where it is known */
export const mergeAddress = (table: string, id: number, into?: number): string =>
  addressOf(`${recordAddress(table, id)}/merge`, { into });
