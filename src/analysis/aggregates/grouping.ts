import { sortInSteps } from '../../lib/scheduling/sort-in-steps.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import type { Measure, Per } from '../price-columns.js';
import {
  currencyOf,
  type Dimension,
  dimensionFields,
  dimensionKey,
  type GroupFields,
  unitOf,
} from './dimensions.js';

/** Series that are put together. */
export interface SeriesGroup {
  readonly fields: GroupFields;
  /** Catalogue rows, ascending, with those that are left out for their unit. */
  readonly rows: readonly number[];
}

/** How series are put together. */
interface Grouping {
  /** As `splitBy` returns them. */
  readonly dimensions: readonly Dimension[];
  readonly measure: Measure;
  readonly per: Per;
}

/** Series of one value of all dimensions and of one currency, by unit. */
interface Family {
  readonly fields: GroupFields;
  readonly byUnit: Map<string, number[]>;
  /** Series whose prices cannot be converted to a base unit. */
  readonly unitless: number[];
}

/**
 * Groups the series with monthly prices, and sorts the groups by their fields. A series that cannot
 * be converted to a base unit is left out of every group that it would be in if it could; there is
 * a group without unit only where no other one is.
 * @param rows ascending
 */
export async function groupSeries(
  catalogue: CatalogueSnapshot,
  rows: Uint32Array,
  { dimensions, measure, per }: Grouping,
): Promise<SeriesGroup[]> {
  const timeSlice = new TimeSlice();
  const families = new Map<string, Family>();
  for (const row of rows) {
    await timeSlice.yield();
    if (!catalogue.periodicityAt(row).some(({ period }) => period === MONTHLY)) continue;
    const currency = currencyOf(catalogue, row, measure);
    const key = [...dimensions.map((dimension) => dimensionKey(catalogue, row, dimension)), currency].join(
      '\n',
    );
    let family = families.get(key);
    if (family === undefined) {
      const fields = { ...dimensionFields(catalogue, row, dimensions), currency };
      families.set(key, (family = { fields, byUnit: new Map(), unitless: [] }));
    }
    const unit = unitOf(catalogue, row, per);
    const members = unit === null ? family.unitless : family.byUnit.get(unit);
    if (members === undefined) family.byUnit.set(unit!, [row]);
    else members.push(row);
  }
  const groups: SeriesGroup[] = [];
  for (const { fields, byUnit, unitless } of families.values()) {
    for (const [unit, members] of byUnit)
      groups.push({
        fields: { ...fields, unit },
        rows: members.concat(unitless).sort((one, other) => one - other),
      });
    if (byUnit.size === 0) groups.push({ fields: { ...fields, unit: null }, rows: unitless });
    await timeSlice.yield();
  }
  return sortInSteps(groups, compareFields, timeSlice);
}

/** By the first field that differs: numbers by value, texts by their code units. */
function compareFields({ fields: one }: SeriesGroup, { fields: other }: SeriesGroup): number {
  for (const [name, value] of Object.entries(one)) {
    const compared = other[name]!;
    if (value !== compared) return value! < compared ? -1 : 1;
  }
  return 0;
}
