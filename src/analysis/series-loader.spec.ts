import { DAILY, MONTHLY, type PeriodicityItem } from '../price-series/periodicity.js';
import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import { PointWindow } from '../prices/read/point-window.js';
import { loadBatches } from './series-loader.js';

/** A catalogue of series that are as long as these items. */
const catalogueOf = (items: readonly PeriodicityItem[]) =>
  ({ periodicityAt: (row: number) => [items[row]!] }) as unknown as CatalogueSnapshot;

const daily = (days: number): PeriodicityItem => ({
  period: DAILY,
  start: 730_000,
  end: 730_000 + days - 1,
  calculated: false,
});
const month: PeriodicityItem = { period: MONTHLY, start: 730_000, end: 730_000, calculated: false };
const sizesOf = (items: readonly PeriodicityItem[], window: PointWindow) =>
  Array.from(loadBatches(catalogueOf(items), items.keys(), window), ({ length }) => length);

describe('series that are loaded together', () => {
  it('are 100 short ones at most', () => {
    const items = new Array<PeriodicityItem>(250).fill(month);
    expect(sizesOf(items, new PointWindow([MONTHLY]))).toEqual([100, 100, 50]);
  });

  it('have 20,000 points at most, unless one has more', () => {
    const items = [9000, 9000, 9000, 30_000, 1, 20_000].map(daily);
    expect(sizesOf(items, new PointWindow([DAILY]))).toEqual([2, 1, 1, 1, 1]);
  });

  it('are more where only the newest points are asked for', () => {
    const items = [9000, 9000, 9000].map(daily);
    expect(sizesOf(items, new PointWindow([DAILY], 0, Infinity, 30))).toEqual([3]);
  });

  it('are none where there are no rows', () => {
    expect(sizesOf([], new PointWindow([MONTHLY]))).toEqual([]);
  });
});
