import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { GroupMonths } from './group-months.js';
import type { HistoryColumns } from './history-columns.js';

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
  /** The place of the history of each row. */
  readonly places: readonly number[];
}

/** A series of a country. */
interface Member {
  row: number;
  place: number;
}

/**
 * Groups series by country and what else is asked for: ordered by country, then by category or by
 * name and id of the commodity. Averages of a country or region are left out where the country has
 * series of markets; without a month with a price, a series does not count.
 */
export async function warningGroups(
  { catalogue, histories, rows, places }: SeriesHistories,
  grouping: WarningGrouping,
  timeSlice: TimeSlice,
): Promise<WarningGroup[]> {
  const countries = new Map<string, Member[]>();
  for (const [index, row] of rows.entries()) {
    if (index % 500 === 0) await timeSlice.yield();
    const place = places[index]!;
    if (histories.last(place) < 0) continue;
    listIn(countries, catalogue.referenceAt('market', row).iso3_country_code).push({ row, place });
  }
  const groups: WarningGroup[] = [];
  for (const [, members] of [...countries].sort(byKey)) {
    await timeSlice.yield();
    const isAverage = ({ row }: Member) => catalogue.referenceAt('market', row).regional_average;
    const ofMarkets = members.filter((member) => !isAverage(member));
    const counted = ofMarkets.length > 0 ? ofMarkets : members;
    const countryNewest = counted.reduce((newest, { place }) => Math.max(newest, histories.last(place)), 0);
    const country = catalogue.referenceAt('market', counted[0]!.row);
    const parts = new Map<string, Member[]>();
    for (const member of counted) listIn(parts, partOf(catalogue, member.row, grouping)).push(member);
    for (const [, series] of [...parts].sort(byKey)) {
      const places = series.map(({ place }) => place);
      groups.push({
        key: {
          iso3_country_code: country.iso3_country_code,
          country_name: country.country_name,
          ...partKey(catalogue, series[0]!.row, grouping),
        },
        months: new GroupMonths({ histories, places, rows: series.map(({ row }) => row) }),
        first: places.reduce((first, place) => Math.min(first, histories.first(place)), Infinity),
        countryNewest,
      });
    }
  }
  return groups;
}

/** A text that orders the groups of a country, and is the same for the series of one. */
function partOf(catalogue: CatalogueSnapshot, row: number, grouping: WarningGrouping): string {
  if (grouping === 'country') return '';
  const { category, name, id } = catalogue.referenceAt('commodity', row);
  return grouping === 'country,category' ? category : `${name}\n${String(id).padStart(10, '0')}`;
}

function partKey(catalogue: CatalogueSnapshot, row: number, grouping: WarningGrouping): Partial<GroupKey> {
  if (grouping === 'country') return {};
  const { category, name, id } = catalogue.referenceAt('commodity', row);
  return grouping === 'country,category' ? { category } : { commodity_id: id, commodity: name };
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]) =>
  one < other ? -1 : one > other ? 1 : 0;
