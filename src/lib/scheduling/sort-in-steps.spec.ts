import { sortInSteps } from './sort-in-steps.js';
import { TimeSlice } from './time-slice.js';

const byKey = (one: readonly [number, number], other: readonly [number, number]) => one[0] - other[0];

describe('sortInSteps', () => {
  it.each([0, 1, 2, 499, 500, 501, 2345])(
    'sorts %i items, and keeps the order of equal ones',
    async (length) => {
      const items = Array.from({ length }, (_, index) => [(index * 7919) % 97, index] as const);
      const sorted = await sortInSteps(items, byKey, new TimeSlice());
      expect(sorted).toEqual([...items].sort(byKey));
    },
  );
});
