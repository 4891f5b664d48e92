import type { NumberField } from '../../analysis/indicators/indicator-fields.js';
import type { IndicatorStore } from '../../analysis/indicators/store/indicator-store.js';
import { countryMonths, isOldBeside } from '../../analysis/warnings/country-months.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Sort } from '../../platform/listing/sort.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { NULL_RANK, type Ranks, ranksOf, sortByRank } from '../../price-series/catalogue/series-order.js';
import { selectSorted } from '../../price-series/catalogue/selection.js';
import type { Criteria } from '../../price-series/filters/criteria.js';
import { PERIODS } from '../../price-series/periodicity.js';
import { matchRanks } from '../../price-series/search/match-ranks.js';

/** The columns of the lists of series by which the table is ordered, under their names here. */
const COLUMNS = {
  commodity: 'commodity',
  market: 'market',
  country: 'country_name',
  price_type: 'price_type',
  unit: 'measure_unit',
  last_price_date: 'last_price_date',
} as const;

/** The fields of indicators by which it is. */
const FIELDS = { price: 'value', change: 'change_12m' } as const satisfies Record<string, NumberField>;

const NAMES = [...Object.keys(COLUMNS), 'frequency', ...Object.keys(FIELDS)] as OrderName[];
export type OrderName = keyof typeof COLUMNS | keyof typeof FIELDS | 'frequency';
export type BrowseOrder = OrderName | `-${OrderName}`;

/** What the table can be ordered by, up or down. */
export const BROWSE_ORDERS = NAMES.flatMap((name): BrowseOrder[] => [name, `-${name}`]);

/** Of equal ones, those with the newest prices come first, then by name. */
const TIES: Sort = [
  { column: 'last_price_date', descending: true },
  ...['commodity', 'market', 'price_type', 'measure_unit', 'source'].map((column) => ({
    column,
    descending: false,
  })),
];

const isColumn = (name: OrderName): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);
const isField = (name: OrderName): name is keyof typeof FIELDS => Object.hasOwn(FIELDS, name);

/** The column of an order, and its direction. */
export const orderParts = (order: BrowseOrder): { name: OrderName; descending: boolean } => ({
  name: order.replace('-', '') as OrderName,
  descending: order.startsWith('-'),
});

/** An order as `sort` of the lists of series has it; undefined where they have none such. */
export function sortText(order: BrowseOrder | undefined): string | undefined {
  if (order === undefined) return undefined;
  const { name, descending } = orderParts(order);
  return isColumn(name) ? (descending ? '-' : '') + COLUMNS[name] : undefined;
}

/**
 * The series that match, in an order or, without one, the best matches of a search first. By prices
 * and changes, those that are old come last.
 * @param indicators of the newest state, by whose newest months prices and changes are compared;
 *   null for an earlier state, which has no order by these
 */
export async function orderedRows(
  catalogue: CatalogueSnapshot,
  criteria: Criteria,
  order: BrowseOrder | undefined,
  search: string | undefined,
  indicators: IndicatorStore | null,
): Promise<Uint32Array> {
  const { name, descending } = order === undefined ? { name: null, descending: false } : orderParts(order);
  const sort = name !== null && isColumn(name) ? [{ column: COLUMNS[name], descending }, ...TIES] : TIES;
  const rows = (await selectSorted(catalogue, criteria, distinct(sort))).slice();
  const timeSlice = new TimeSlice();
  if (name === 'frequency') return sortByRank(rows, frequencies(catalogue), descending, timeSlice);
  if (name !== null && isField(name) && indicators !== null) {
    const ranks = await fieldRanks(catalogue, FIELDS[name], indicators, timeSlice);
    const sorted = await sortByRank(rows, ranks, descending, timeSlice);
    const { current } = await countryMonths(catalogue);
    return sortByRank(sorted, oldLast(catalogue, current), false, timeSlice);
  }
  if (name === null && search !== undefined)
    return sortByRank(rows, matchRanks(catalogue, search), false, timeSlice);
  return rows;
}

/** A column that stands again later decides nothing there. */
const distinct = (sort: Sort): Sort =>
  sort.filter(({ column }, index) => sort.findIndex((each) => each.column === column) === index);

/** Ranks of the finest frequency of each series. */
const frequencies = ({ columns }: CatalogueSnapshot): Ranks => ({
  count: PERIODS.length,
  at: (row) => {
    const rank = PERIODS.findIndex((period) => columns[`start${period}`][row] !== 0);
    return rank < 0 ? NULL_RANK : rank;
  },
});

/** Ranks by whether the newest price of a series is old: 0 where it is not, 1 where it is. */
const oldLast = (catalogue: CatalogueSnapshot, current: number | null): Ranks => ({
  count: 2,
  at: (row) => Number(isOldBeside(current, catalogue.columns.last_day[row]!)),
});

async function fieldRanks(
  catalogue: CatalogueSnapshot,
  field: NumberField,
  store: IndicatorStore,
  timeSlice: TimeSlice,
): Promise<Ranks> {
  const { catalogue: stored, indices, newest } = await store.current();
  const values = Array.from(indices, (index) => newest.numberAt(index, field));
  const ranks = await ranksOf(values, timeSlice);
  return {
    count: values.length,
    at(row) {
      // The data may have changed meanwhile.
      const known = stored === catalogue ? row : stored.find(catalogue.uuidAt(row));
      return known === null ? NULL_RANK : ranks[known]!;
    },
  };
}
