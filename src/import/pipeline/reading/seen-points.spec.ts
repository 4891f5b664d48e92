import fc from 'fast-check';
import { assertProperty } from '../../../../test/support/property.js';
import { SeenPoints } from './seen-points.js';

describe('SeenPoints', () => {
  it('returns null the first time, and the first value ever after', () => {
    const seen = new SeenPoints();
    expect([seen.add(7, 10), seen.add(7, 11), seen.add(7, 10), seen.add(6, 12)]).toEqual([
      null,
      10,
      10,
      null,
    ]);
  });

  it('behaves like a Map, whatever the order of the days', async () => {
    const days = fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 2000 });
    const orders = [(a: number, b: number) => a - b, (a: number, b: number) => b - a, () => 0];
    await assertProperty(
      'seen points equal a Map',
      fc.property(days, fc.constantFrom(...orders), (found, order) => {
        const seen = new SeenPoints();
        const map = new Map<number, number>();
        for (const [index, day] of [...found].sort(order).entries()) {
          expect(seen.add(day, index)).toBe(map.get(day) ?? null);
          if (!map.has(day)) map.set(day, index);
        }
        for (const [day, value] of map) expect(seen.add(day, 0.5)).toBe(value);
      }),
    );
  });
});
