import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { LAST_DAY } from '../../lib/dates/calendar-date.js';
import { DAILY, PERIODS, WEEKLY } from '../../price-series/periodicity.js';
import { parsePointId, pointId } from './point-id.js';

describe('point ids', () => {
  it('are (series id × 4 + period code) × 4194304 + day number', () => {
    expect(pointId(1, DAILY, 1)).toBe(20_971_521);
    expect(pointId(5031, WEEKLY, 739_251)).toBe((5031 * 4 + 2) * 4_194_304 + 739_251);
  });

  it('decode to their key, and stay below 2^53', async () => {
    await assertProperty(
      'point ids',
      fc.property(
        fc.integer({ min: 1, max: 2 ** 29 - 1 }),
        fc.constantFrom(...PERIODS),
        fc.integer({ min: 1, max: LAST_DAY }),
        (serieId, period, day) => {
          const id = pointId(serieId, period, day);
          expect(id).toBeLessThan(2 ** 53);
          expect(parsePointId(id)).toEqual({ serieId, period, day });
        },
      ),
    );
  });

  it.each([0, 1, -1, 4_194_303, 4_194_304 * 4, 4_194_304 * 4 + 7, 4_194_304 * 5, 1.5, 2 ** 60, NaN])(
    'cannot be %d',
    (number) => {
      expect(parsePointId(number)).toBeNull();
    },
  );
});
