import { type AddressValues, addressOf } from '../../web/address.js';
import type { QueryPairs } from '../../platform/validation/query-pairs.js';
import { findingQuery } from '../../quality/finding-list.js';

export const FINDINGS = '/desk/findings';

/** The filters of findings as an address has them. */
export type GivenFilters = Readonly<Record<string, string>>;

const NAMES = Object.keys(findingQuery.parameters).filter((name) => !name.startsWith('page'));

/** The filters in a query, by which pages of single findings know what comes next. */
export function givenFilters(query: QueryPairs): GivenFilters {
  const given = NAMES.map((name) => [name, query.all(name).join(',')] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The list with some filters. */
export const listAddress = (filters: AddressValues, more: AddressValues = {}): string =>
  addressOf(FINDINGS, { ...filters, ...more });

/** One finding among those of some filters. */
export const findingAddress = (id: number, filters: GivenFilters, more: AddressValues = {}): string =>
  addressOf(`${FINDINGS}/${id}`, { ...filters, ...more });

/** Where a form about a finding is sent. */
export const actionAddress = (id: number, action: string, filters: GivenFilters): string =>
  addressOf(`${FINDINGS}/${id}/${action}`, filters);
