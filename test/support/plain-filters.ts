import type { Item } from './factories.js';
import type { PlainEntry } from './plain-series.js';

/** Parameters and their values, as a query gives them. */
export type Values = Record<string, string>;

/** Where the clock of test applications stands. */
const TODAY = '2026-11-21';

/** What each filter says, of one entry. All values of a query are given, because those on periodicity items belong together. */
export const MEANING: Record<string, (entry: PlainEntry, value: string, values: Values) => boolean> = {
  iso3_country_codes: (entry, value) => list(value).map(upper).includes(entry.iso3_country_code),
  iso3_country_codes_ne: (entry, value) => !list(value).map(upper).includes(entry.iso3_country_code),
  periodicity: someItem,
  start_date: someItem,
  end_date: someItem,
  data_from: someItem,
  data_to: someItem,
  newerThan: (entry, value) => last(entry) !== null && last(entry)! >= absolute(value),
  olderThan: (entry, value) => last(entry) !== null && last(entry)! <= absolute(value),
  price_types_ids: (entry, value) => list(value).includes(String(entry.price_type_id)),
  sources_ids: (entry, value) => list(value).includes(String(entry.source_id)),
  commodity_ids: (entry, value) => list(value).includes(String(entry.commodity_id)),
  market_ids: (entry, value) => list(value).includes(String(entry.market_id)),
  commodity__hs_class_code: (entry, value) =>
    list(value).some((code) =>
      code.length === 2 || code.length === 4 || code.length === 6
        ? String(entry.hs_code).startsWith(code)
        : entry.hs_code === code,
    ),
  admin_units: (entry, value) =>
    list(value).some((unit) =>
      [entry.admin_unit, entry.admin_unit2].some((own) => own !== '' && same(String(own), unit)),
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
        [entry.commodity, entry.market, entry.country_name].some((name) =>
          plain(String(name)).includes(word),
        ),
      ),
};

const upper = (text: string) => text.toUpperCase();
const last = (entry: PlainEntry) => entry.last_price_date as string | null;
const same = (a: string, b: string) => key(a) === key(b);
const key = (text: string) => text.trim().normalize('NFC').toLowerCase();
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** The items of a list, of which some are quoted. */
function list(text: string): string[] {
  return (text.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [])
    .map((part) => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part).trim())
    .filter((part) => part !== '');
}

function hasType(entry: PlainEntry, value: string): boolean {
  const type = String(entry.market_type);
  return type !== '' && list(value).some((wanted) => same(type, wanted));
}

function someItem(entry: PlainEntry, _: string, values: Values): boolean {
  return (entry.periodicity as Item[]).some(
    (item) =>
      (values.periodicity === undefined || list(values.periodicity.toLowerCase()).includes(item.period)) &&
      (values.start_date === undefined || item.start_date >= values.start_date) &&
      (values.end_date === undefined || item.end_date <= values.end_date) &&
      (values.data_from === undefined || item.end_date >= values.data_from) &&
      (values.data_to === undefined || item.start_date <= values.data_to),
  );
}

/** A date, also where it is given as so many days ago. */
export function absolute(value: string): string {
  const match = /^(\d+) days? ago$/.exec(value);
  if (match === null) return value;
  return new Date(Date.parse(TODAY) - Number(match[1]) * 86_400_000).toISOString().slice(0, 10);
}

/** Whether an entry passes every filter. */
export function keepsPlainly(entry: PlainEntry, values: Values): boolean {
  return Object.entries(values).every(([name, value]) => MEANING[name]!(entry, value, values));
}
