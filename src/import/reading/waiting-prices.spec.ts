import fc from 'fast-check';
import { holds } from '../../../test/support/property.js';
import { DAILY, MONTHLY } from '../../price-series/periodicity.js';
import type { PriceRow } from '../formats/series.js';
import type { PriceColumns } from './ordered-prices.js';
import { hasCalculated, hasForecast } from './price-flags.js';
import { WaitingPrices } from './waiting-prices.js';

const price = (line: number): Omit<PriceRow, 'series'> => ({
  line,
  period: line % 2 ? DAILY : MONTHLY,
  day: 700_000 - line,
  value: line / 3,
  comment: line % 3 ? '' : `Comment ${line % 30}`,
  calculated: line % 5 === 0,
  forecast: line % 7 === 0,
});
const row = (line: number): PriceRow => ({ ...price(line), series: { uuid: '' } });

const rowsOf = (columns: PriceColumns) =>
  Array.from(columns.line, (line, at) => ({
    line,
    series: columns.series[at],
    period: columns.period[at],
    day: columns.day[at],
    value: columns.value[at],
    comment: columns.comments[columns.comment[at]!],
    calculated: hasCalculated(columns.flags[at]!),
    forecast: hasForecast(columns.flags[at]!),
  }));

describe('prices that wait', () => {
  it('come out series by series, in the order in which they came, and only once', async () => {
    const added = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3000 });
    await holds(
      'waiting prices come in the order of their series',
      fc.property(added, fc.integer({ min: 1, max: 5 }), (numbers, every) => {
        const waiting = new WaitingPrices();
        numbers.forEach((number, line) => waiting.add(number, row(line)));
        expect(waiting.length).toBe(numbers.length);
        const ordered = numbers
          .map((number, line) => ({ ...price(line), series: number }))
          .sort((one, other) => one.series - other.series);
        const asked: number[] = [];
        const taken = waiting.take(({ line }) => asked.push(line) % every === 0);
        expect(asked).toEqual(ordered.map(({ line }) => line));
        expect(rowsOf(taken)).toEqual(ordered.filter((_, at) => (at + 1) % every === 0));
        expect([waiting.length, rowsOf(waiting.take(() => true))]).toEqual([0, []]);
      }),
      { numRuns: 100 },
    );
  });

  it('can wait again after the others have gone', () => {
    const waiting = new WaitingPrices();
    for (const line of [1, 2]) {
      waiting.add(9, row(line));
      expect(rowsOf(waiting.take(() => true))).toEqual([{ ...price(line), series: 9 }]);
    }
  });
});
