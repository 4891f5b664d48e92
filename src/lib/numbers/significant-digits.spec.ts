import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { toSignificantDigits } from './significant-digits.js';

const exact = (value: number) => Number(value.toPrecision(15));

describe('toSignificantDigits', () => {
  it.each([
    [0.1 + 0.2, 0.3],
    [1 / 3, 0.333333333333333],
    [2 / 3, 0.666666666666667],
    [100 / 3, 33.3333333333333],
    [-2 / 3, -0.666666666666667],
    [0, 0],
    [5, 5],
    [17_250_000, 17_250_000],
    [123456789.012345, 123456789.012345],
    [9.999999999999999, 10],
    [999999999999999.9, 1e15],
    [1234567890123456, 1234567890123460],
    [1.2345678901234567e-9, 1.23456789012346e-9],
    [1.2345678901234567e300, 1.23456789012346e300],
    [5e-324, 5e-324],
  ])('%d is %d', (value, rounded) => {
    expect(toSignificantDigits(value)).toBe(rounded);
  });

  it('rounds every number exactly', async () => {
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ noNaN: true, min: 1e-6, max: 1e9 }),
      // Next to the midpoint between two 15-digit numbers.
      fc
        .tuple(
          fc.integer({ min: 1e8, max: 1e9 - 1 }),
          fc.integer({ min: 0, max: 1e6 }),
          fc.integer({ min: -9, max: 9 }),
        )
        .map(([high, low, power]) => Number(`${high}${String(low).padStart(6, '0')}5e${power - 15}`)),
    );
    await assertProperty(
      'exact rounding to 15 digits',
      fc.property(numbers, (value) => {
        expect(toSignificantDigits(value)).toBe(exact(value));
        expect(toSignificantDigits(-value)).toBe(exact(-value));
      }),
      { numRuns: 20_000 },
    );
  });
});
