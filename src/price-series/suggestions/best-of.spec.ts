import fc from 'fast-check';
import { bestOf } from './best-of.js';

describe('bestOf', () => {
  it('is the beginning of the sorted items, equal ones in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.integer({ min: 1, max: 8 }), (numbers, limit) => {
        const items = numbers.map((number, at) => ({ number, at }));
        const compare = (one: { number: number }, other: { number: number }) => one.number - other.number;
        expect(bestOf(items, limit, compare)).toEqual([...items].sort(compare).slice(0, limit));
      }),
    );
  });
});
