import { heldReasons } from './held-reasons.js';

const LIMITS = { shrink_limit: 20, reject_limit: 2, change_limit: 10 };
const COUNTS = {
  read: 100,
  new: 10,
  changed: 0,
  unchanged: 90,
  skipped: 0,
  rejected: 0,
  countries: { KEN: 6, MLI: 4 },
};
const reasonsOf = (tried: object, last: object | null = COUNTS, limits: object = {}) =>
  heldReasons({ ...COUNTS, backdated: 0, ...tried }, last === null ? null : { ...COUNTS, ...last }, {
    ...LIMITS,
    ...limits,
  });

describe('a file of a harvest', () => {
  it('is in order up to the limits, and as a first one', () => {
    expect(reasonsOf({ read: 80, rejected: 1.6, changed: 8, unchanged: 72, backdated: 1 })).toEqual([]);
    expect(reasonsOf({ read: 1, new: 1, unchanged: 0, countries: {} }, null)).toEqual([]);
    expect(reasonsOf({ read: 200, new: 110, countries: { KEN: 6, MLI: 4, NER: 9 } })).toEqual([]);
  });

  it('is held with fewer rows, series or countries', () => {
    expect(reasonsOf({ read: 79, unchanged: 69 })).toEqual([
      {
        limit: 'shrink_limit',
        detail: 'Rows: 79, where the file that was imported last had 100 (21 % fewer).',
      },
    ]);
    expect(reasonsOf({ countries: { KEN: 6 } }).map(({ detail }) => detail)).toEqual([
      'Series: 6, where the file that was imported last had 10 (40 % fewer).',
      'Countries: 1, where the file that was imported last had 2 (50 % fewer).',
    ]);
  });

  it('is held with rejected rows', () => {
    expect(reasonsOf({ read: 3000, rejected: 61 })).toEqual([
      { limit: 'reject_limit', detail: 'Rejected rows: 61 of 3,000 (2.03 %).' },
    ]);
  });

  it('is held where it changes stored values, or adds prices of long ago', () => {
    expect(reasonsOf({ changed: 10, unchanged: 80 })).toEqual([
      { limit: 'change_limit', detail: 'Stored values that would be changed: 10 of 90 (11.11 %).' },
    ]);
    expect(reasonsOf({ backdated: 2 })).toEqual([
      {
        limit: 'change_limit',
        detail:
          'New prices more than 90 days before the newest of their series: 2 of 10 (20 %). Day and month may have been exchanged.',
      },
    ]);
  });

  it('is in order by limits of its harvest', () => {
    const odd = { read: 1, rejected: 1, changed: 1, unchanged: 0, new: 1, backdated: 1, countries: {} };
    const all = { shrink_limit: 100, reject_limit: 100, change_limit: 100 };
    expect(reasonsOf(odd, COUNTS, all)).toEqual([]);
    expect(reasonsOf({ rejected: 1 }, COUNTS, { reject_limit: 0 })).toHaveLength(1);
  });
});
