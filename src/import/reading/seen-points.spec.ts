import fc from 'fast-check';
import { holds } from '../../../test/support/property.js';
import { SeenPoints } from './seen-points.js';

describe('points seen in an import', () => {
  it('gives null the first time, and the first value ever after', () => {
    const seen = new SeenPoints();
    expect([seen.note(7, 10), seen.note(7, 11), seen.note(7, 10), seen.note(6, 12)]).toEqual([
      null,
      10,
      10,
      null,
    ]);
  });

  it('takes another value for a known day, in order or not', () => {
    const seen = new SeenPoints();
    for (const day of [7, 3]) seen.note(day, 10);
    for (const day of [7, 3]) seen.replace(day, 20 + day);
    expect([seen.note(7, 1), seen.note(3, 1)]).toEqual([27, 23]);
  });

  it('remembers what a Map remembers, in whatever order days come', async () => {
    const days = fc.array(fc.tuple(fc.integer({ min: -300, max: 300 }), fc.boolean()), { maxLength: 2000 });
    const orders = [
      (one: number, other: number) => one - other,
      (one: number, other: number) => other - one,
      () => 0,
    ];
    await holds(
      'points seen as a Map remembers them',
      fc.property(days, fc.constantFrom(...orders), (found, order) => {
        const seen = new SeenPoints();
        const map = new Map<number, number>();
        for (const [index, [day, replaces]] of [...found].sort(([a], [b]) => order(a, b)).entries()) {
          expect(seen.note(day, index)).toBe(map.get(day) ?? null);
          if (!map.has(day)) map.set(day, index);
          else if (replaces) {
            seen.replace(day, -index);
            map.set(day, -index);
          }
        }
        for (const [day, value] of map) expect(seen.note(day, 0.5)).toBe(value);
      }),
    );
  });
});
