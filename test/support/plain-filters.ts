import type { ServedPeriodicityItem } from '../../src/price-series/price-serie.view.js';
import { countries } from '../../src/lib/codes/countries.js';
import type { PlainEntry } from './plain-series.js';

/** The parameters of a query with their values. */
export type FilterValues = Record<string, string>;

/** The date of the clock of test applications. */
const TODAY = '2026-11-21';

/**
 * Each filter as a plain predicate on one entry, independent of the service's code. Receives all
 * values of a query, because the filters on periodicity items apply to the same item.
 */
export const plainFilters: Record<
  string,
  (entry: PlainEntry, value: string, values: FilterValues) => boolean
> = {
  iso3_country_codes: (entry, value) => list(value).map(upper).includes(entry.iso3_country_code),
  iso3_country_codes_ne: (entry, value) => !list(value).map(upper).includes(entry.iso3_country_code),
  periodicity: someItem,
  start_date: someItem,
  end_date: someItem,
  data_from: someItem,
  data_to: someItem,
  newerThan: (entry, value) => last(entry) !== null && last(entry)! >= absoluteDate(value),
  olderThan: (entry, value) => last(entry) !== null && last(entry)! <= absoluteDate(value),
  price_types_ids: (entry, value) => list(value).includes(String(entry.price_type_id)),
  sources_ids: (entry, value) => list(value).includes(String(entry.source_id)),
  commodity_ids: (entry, value) => list(value).includes(String(entry.commodity_id)),
  measure_units_ids: (entry, value) => list(value).includes(String(entry.measure_unit_id)),
  market_ids: (entry, value) => list(value).includes(String(entry.market_id)),
  commodity__hs_class_code: (entry, value) =>
    list(value).some((code) =>
      code.length === 2 || code.length === 4 || code.length === 6
        ? String(entry.hs_code).startsWith(code)
        : entry.hs_code === code,
    ),
  categories: (entry, value) => list(value).some((item) => same(String(entry.category), item)),
  admin_units: (entry, value) =>
    list(value).some((unit) =>
      [entry.admin_unit, entry.admin_unit2].some((name) => same(String(name), unit)),
    ),
  market_types: (entry, value) => hasType(entry, value),
  market_types_ne: (entry, value) => !hasType(entry, value),
  regional_average: (entry, value) => entry.regional_average === (value === 'true' || value === '1'),
  currencies: (entry, value) => list(value).map(upper).includes(String(entry.currency)),
  uuids: (entry, value) => list(value.toLowerCase()).includes(entry.uuid),
  search: (entry, value) =>
    plain(value)
      .split(' ')
      .filter((word) => word !== '')
      .every((word) =>
        plain([entry.commodity, entry.market, entry.country_name, isoName(entry)].join(' '))
          .split(/[^\p{L}\p{N}%]+/u)
          .some((name) => name.startsWith(word) || (word === '%' && name.includes(word))),
      ),
};

const isoName = (entry: PlainEntry) =>
  countries.find(({ iso3 }) => iso3 === entry.iso3_country_code)?.name ?? '';

const upper = (text: string) => text.toUpperCase();
const last = (entry: PlainEntry) => entry.last_price_date as string | null;
const same = (a: string, b: string) => key(a) === key(b);
const key = (text: string) => text.trim().normalize('NFC').toLowerCase();
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** The items of a list parameter; some may be quoted. */
function list(text: string): string[] {
  return (text.match(/"(?:[^"]|"")*"|[^,]+/g) ?? []).map((part) =>
    (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part).trim(),
  );
}

function hasType(entry: PlainEntry, value: string): boolean {
  return list(value).some((item) => same(String(entry.market_type), item));
}

function someItem(entry: PlainEntry, _: string, values: FilterValues): boolean {
  return (entry.periodicity as ServedPeriodicityItem[]).some(
    (item) =>
      (values.periodicity === undefined || list(values.periodicity.toLowerCase()).includes(item.period)) &&
      (values.start_date === undefined || item.start_date >= values.start_date) &&
      (values.end_date === undefined || item.end_date <= values.end_date) &&
      (values.data_from === undefined || item.end_date >= values.data_from) &&
      (values.data_to === undefined || item.start_date <= values.data_to),
  );
}

/** A date as it is, or one given in days ago as a date. */
export function absoluteDate(value: string): string {
  const match = /^(\d+) days? ago$/.exec(value);
  if (match === null) return value;
  return new Date(Date.parse(TODAY) - Number(match[1]) * 86_400_000).toISOString().slice(0, 10);
}

/** Whether an entry matches all filters. */
export function matchesPlainly(entry: PlainEntry, values: FilterValues): boolean {
  return Object.entries(values).every(([name, value]) => plainFilters[name]!(entry, value, values));
}
