import { mergeCorrection } from './correction.js';

describe('mergeCorrection', () => {
  it.each([
    // What the source had, what the maintainer set, what the source has now.
    [10, 12, null, 'keeps'],
    [10, 12, 10, 'keeps'],
    [10, 12, 12, 'confirms'],
    [10, 12, 11, 'supersedes'],
    // Only the comment was corrected.
    [10, 10, null, 'keeps'],
    [10, 10, 10, 'keeps'],
    [10, 10, 11, 'supersedes'],
    // Removed.
    [10, null, null, 'keeps'],
    [10, null, 10, 'keeps'],
    [10, null, 11, 'supersedes'],
    // Added.
    [null, 12, null, 'keeps'],
    [null, 12, 12, 'confirms'],
    [null, 12, 11, 'supersedes'],
  ])('of base %p, ours %p and theirs %p %s', (base, ours, theirs, outcome) => {
    expect(mergeCorrection(base, ours, theirs)).toBe(outcome);
  });
});
