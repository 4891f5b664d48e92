import fc from 'fast-check';
import { holds } from '../../test/support/property.js';
import { DAILY, MONTHLY } from '../price-series/periodicity.js';
import type { PriceRow } from './formats/series.js';
import { WaitingPrices } from './waiting-prices.js';

const price = (line: number): PriceRow => ({
  line,
  series: { uuid: '' },
  period: line % 2 ? DAILY : MONTHLY,
  day: 700_000 - line,
  value: line / 3,
  comment: line % 3 ? '' : `Comment ${line}`,
  calculated: line % 5 === 0,
  forecast: line % 7 === 0,
});

describe('prices that wait', () => {
  it('come out series by series, in the order in which they came, and only once', async () => {
    const added = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3000 });
    await holds(
      'waiting prices come in the order of their series',
      fc.property(added, fc.integer({ min: 1, max: 500 }), (numbers, most) => {
        const waiting = new WaitingPrices();
        numbers.forEach((number, line) => waiting.add(number, price(line)));
        expect(waiting.length).toBe(numbers.length);
        const taken = [...waiting.take(most)];
        const expected = numbers
          .map((number, line) => ({ ...price(line), series: number, serieId: 0 }))
          .sort((one, other) => one.series - other.series);
        expect(taken.flat()).toEqual(expected);
        expect(taken.slice(0, -1).every(({ length }) => length === most)).toBe(true);
        expect([waiting.length, [...waiting.take(1)]]).toEqual([0, []]);
      }),
      { numRuns: 100 },
    );
  });

  it('can wait again after the others have gone', () => {
    const waiting = new WaitingPrices();
    for (const line of [1, 2]) {
      waiting.add(9, price(line));
      expect([...waiting.take(10)]).toEqual([[{ ...price(line), series: 9, serieId: 0 }]]);
    }
  });
});
