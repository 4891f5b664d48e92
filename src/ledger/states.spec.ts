import { replay, effectiveState, statesOf, type State, type StoredVersion } from './states.js';

/** A version: what, from which revision, and until which. */
const version = (value: number, since: number, until: number | null = null): StoredVersion<number> => ({
  value,
  since,
  until,
});

describe('the states of something', () => {
  it('are its versions, with what was missing between them', () => {
    expect(statesOf([version(6, 3, 5), version(5, 1, 3), version(8, 7)])).toEqual([
      { since: 1, value: 5 },
      { since: 3, value: 6 },
      { since: 5, value: null },
      { since: 7, value: 8 },
    ]);
    expect(statesOf([version(5, 1, 2)])).toEqual([
      { since: 1, value: 5 },
      { since: 2, value: null },
    ]);
    expect(statesOf([])).toEqual([]);
  });
});

describe('the state without change sets that are reverted', () => {
  /** States from revision 1 on. */
  const history = (...values: (number | null)[]): State<number>[] =>
    values.map((value, index) => ({ since: index + 1, value }));
  const effective = (states: State<number>[], taken: number[], reverts: number[] = []) =>
    effectiveState(states, {
      isVoid: (revision) => taken.includes(revision),
      isRevert: (revision) => reverts.includes(revision),
    })?.value ?? null;

  it('is the last one that none of them gave', () => {
    expect(effective(history(5), [1])).toBeNull();
    expect(effective(history(5, 6), [2])).toBe(5);
    expect(effective(history(5, 6), [1])).toBe(6);
    expect(effective(history(5, 6, 7), [2, 3])).toBe(5);
    expect(effective(history(5, 6, 7), [1, 3])).toBe(6);
    expect(effective(history(5, null), [2])).toBe(5);
    expect(effective(history(5, null, 6), [3])).toBeNull();
    expect(effective([], [1])).toBeNull();
  });

  it('goes with the change set that a revert has brought it back from', () => {
    // 1 gave 5, 2 gave 6, 3 reverted 2; now 1 is reverted.
    expect(effective(history(5, 6, 5), [1, 2], [3])).toBeNull();
    // The same, after another change set had given 4 before.
    expect(effective(history(4, 5, 6, 5), [2, 3], [4])).toBe(4);
    // 4 has given 5 by itself.
    expect(effective(history(5, 6, 5), [1, 2])).toBe(5);
  });

  it('is restored by the revert of a revert', () => {
    // 1 gave 5, 2 reverted it; now 2 is reverted.
    expect(effective(history(5, null), [2], [2])).toBe(5);
    // 3 reverted 2; now 3 is reverted, and then 2 stands again.
    expect(effective(history(5, null, 5), [1, 3], [2, 3])).toBeNull();
    // Then 1 again, while 3 stands.
    expect(effective(history(5, null, 5), [1, 2], [2, 3])).toBeNull();
  });

  it('does not depend on the order in which others were reverted', () => {
    // 1 gave 5, 2 gave 6, both were reverted, 2 by revision 3; now 1 stands again.
    expect(effective(history(5, 6, null), [2], [3])).toBe(5);
    // 1 gave 5, 2 gave 6, 3 gave 5 and 4 gave 7, which 5 reverted without 3; now 3 stands again.
    expect(effective(history(5, 6, 5, 7, 6), [4], [5])).toBe(5);
  });

  it('is never one that a change set gave which was reverted before', () => {
    // 1 gave 5, 2 gave 6, 1 was reverted and changed nothing; now 2 is reverted.
    expect(effective(history(5, 6), [1, 2])).toBeNull();
  });
});

describe('what is there with corrections', () => {
  /** The source gives 5, a maintainer corrects it and withdraws that, the source gives 6. */
  const states: State<number>[] = [
    { since: 1, value: 5 },
    { since: 2, value: 6, by: { correction: 7 } },
    { since: 3, value: 5, by: 'withdrawal' },
    { since: 4, value: 6 },
  ];
  const without = (...taken: number[]) => {
    const revisions = { isVoid: (one: number) => taken.includes(one), isRevert: () => false };
    const { source, correction, ends } = replay(states, revisions);
    return [source?.since, correction?.since, ends.get(7)?.since];
  };

  it.each([
    [[], [4, undefined, 3]],
    [[4], [1, undefined, 3]],
    [[3], [4, undefined, 4]],
    [
      [3, 4],
      [1, 2, undefined],
    ],
    [
      [1, 3, 4],
      [undefined, 2, undefined],
    ],
    [
      [1, 4],
      [undefined, undefined, 3],
    ],
    [
      [2, 4],
      [1, undefined, undefined],
    ],
  ])('without %j', (taken, expected) => {
    expect(without(...taken)).toEqual(expected);
  });
});
