import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { HistoryColumns } from '../indicators/store/history-columns.js';
import { GroupMonths, SERIES_PER_YIELD } from './group-months.js';

/** What warnings are given for. */
export const WARNING_GROUPS = ['country', 'country,category', 'country,commodity'] as const;
export type WarningGrouping = (typeof WARNING_GROUPS)[number];

/** What a group has in common, as replies show it. */
export interface GroupKey {
  iso3_country_code: string;
  country_name: string;
  category?: string;
  commodity_id?: number;
  commodity?: string;
}

/** Series that are counted together. */
export interface WarningGroup {
  readonly key: GroupKey;
  readonly months: GroupMonths;
  /** The first month with a price, and the newest one of the country. */
  readonly first: number;
  readonly countryNewest: number;
}

/** Series with their histories, at one state of the data. */
export interface SeriesHistories {
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  readonly histories: HistoryColumns;
  /** Ascending catalogue rows. */
  readonly rows: readonly number[];
  /** The index of the history of each row. */
  readonly indices: readonly number[];
}

/** Series of a group or a country, in the order of rows. */
interface Members {
  rows: number[];
  indices: number[];
}

/**
 * Groups series by country and what else is asked for: ordered by country, then by category or by
 * name and id of the commodity. Averages of a country or region are left out where the country has
 * series of markets; without a month with a price, a series does not count.
 */
export async function warningGroups(
  { catalogue, histories, rows, indices }: SeriesHistories,
  grouping: WarningGrouping,
  timeSlice: TimeSlice,
): Promise<WarningGroup[]> {
  const { countryOf, regionalAverage } = catalogue.dictionaries.marketIndex;
  const { market } = catalogue.columns;
  /** By the index of the country in the order of codes: first of markets, then averages. */
  const countries = new Map<number, [ofMarkets: Members, averages: Members]>();
  for (const [member, row] of rows.entries()) {
    if (member % SERIES_PER_YIELD === 0) await timeSlice.yield();
    const index = indices[member]!;
    if (histories.last(index) < 0) continue;
    const country = countryOf[market[row]!]!;
    let members = countries.get(country);
    if (members === undefined) countries.set(country, (members = [noMembers(), noMembers()]));
    addTo(members[regionalAverage[market[row]!]!]!, row, index);
  }
  const groups: WarningGroup[] = [];
  for (const [, [ofMarkets, averages]] of [...countries].sort(([one], [other]) => one - other)) {
    const counted = ofMarkets.rows.length > 0 ? ofMarkets : averages;
    const { iso3_country_code, country_name } = catalogue.referenceAt('market', counted.rows[0]!);
    const parts = new Map<string | number, Members & { first: number }>();
    let countryNewest = 0;
    for (const [member, row] of counted.rows.entries()) {
      if (member % SERIES_PER_YIELD === 0) await timeSlice.yield();
      const index = counted.indices[member]!;
      countryNewest = Math.max(countryNewest, histories.last(index));
      const key = partOf(catalogue, row, grouping);
      let part = parts.get(key);
      if (part === undefined) parts.set(key, (part = { ...noMembers(), first: Infinity }));
      part.first = Math.min(part.first, histories.first(index));
      addTo(part, row, index);
    }
    const ordered = Array.from(parts.values(), (part) => {
      const key = partKey(catalogue, part.rows[0]!, grouping);
      return { ...part, key, order: orderOf(key) };
    }).sort((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0));
    for (const { key, first, rows, indices } of ordered)
      groups.push({
        key: { iso3_country_code, country_name, ...key },
        months: new GroupMonths({ histories, rows, indices }),
        first,
        countryNewest,
      });
  }
  return groups;
}

const noMembers = (): Members => ({ rows: [], indices: [] });

function addTo({ rows, indices }: Members, row: number, index: number): void {
  rows.push(row);
  indices.push(index);
}

/** The same for the series of a country that are in one group. */
function partOf(catalogue: CatalogueSnapshot, row: number, grouping: WarningGrouping): string | number {
  if (grouping === 'country') return '';
  const commodity = catalogue.columns.commodity[row]!;
  return grouping === 'country,commodity'
    ? commodity
    : catalogue.dictionaries.of('commodity').at(commodity).category;
}

function partKey(catalogue: CatalogueSnapshot, row: number, grouping: WarningGrouping): Partial<GroupKey> {
  if (grouping === 'country') return {};
  const { category, name, id } = catalogue.referenceAt('commodity', row);
  return grouping === 'country,category' ? { category } : { commodity_id: id, commodity: name };
}

/** A text that orders the groups of a country. */
const orderOf = ({ category, commodity, commodity_id }: Partial<GroupKey>): string =>
  category ?? `${commodity}\n${String(commodity_id).padStart(10, '0')}`;
