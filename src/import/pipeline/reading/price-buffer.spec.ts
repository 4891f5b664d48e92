import fc from 'fast-check';
import { assertProperty } from '../../../../test/support/property.js';
import { DAILY, MONTHLY } from '../../../price-series/periodicity.js';
import type { PriceRow } from '../../formats/series.js';
import type { PriceColumns } from './ordered-prices.js';
import { PriceBuffer } from './price-buffer.js';

const price = (line: number): Omit<PriceRow, 'series'> => ({
  line,
  period: line % 2 ? DAILY : MONTHLY,
  day: 700_000 - line,
  value: line / 3,
  comment: line % 3 ? '' : `Comment ${line % 30}`,
  calculated: line % 5 === 0,
});
const row = (line: number): PriceRow => ({ ...price(line), series: { uuid: '' } });

const rowsOf = (columns: PriceColumns) =>
  Array.from(columns.line, (line, index) => ({
    line,
    series: columns.series[index],
    period: columns.period[index],
    day: columns.day[index],
    value: columns.value[index],
    comment: columns.comments[columns.comment[index]!],
    calculated: columns.calculated[index] === 1,
  }));

describe('PriceBuffer', () => {
  it('returns prices ordered by series, within a series in the order added, and only once', async () => {
    const added = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3000 });
    await assertProperty(
      'buffered prices are ordered by series',
      fc.property(added, fc.integer({ min: 1, max: 5 }), (numbers, every) => {
        const buffer = new PriceBuffer();
        numbers.forEach((number, line) => buffer.add(number, row(line)));
        expect(buffer.length).toBe(numbers.length);
        const ordered = numbers
          .map((number, line) => ({ ...price(line), series: number }))
          .sort((a, b) => a.series - b.series);
        const filtered: number[] = [];
        const drained = buffer.drain(({ line }) => filtered.push(line) % every === 0);
        expect(filtered).toEqual(ordered.map(({ line }) => line));
        expect(rowsOf(drained)).toEqual(ordered.filter((_, index) => (index + 1) % every === 0));
        expect([buffer.length, rowsOf(buffer.drain(() => true))]).toEqual([0, []]);
      }),
      { numRuns: 100 },
    );
  });

  it('can be filled again after it is drained', () => {
    const buffer = new PriceBuffer();
    for (const line of [1, 2]) {
      buffer.add(9, row(line));
      expect(rowsOf(buffer.drain(() => true))).toEqual([{ ...price(line), series: 9 }]);
    }
  });
});
