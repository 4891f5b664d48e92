import { shownRange } from './shown.js';

describe('a range of numbers', () => {
  it.each([
    [[2, 0.123456, 7], '0.1235 to 7'],
    [[3, 3], '3'],
    [Array.from({ length: 200_000 }, (_, index) => index + 1), '1 to 200000'],
  ])('is told by its ends, however many there are', (values, text) => {
    expect(shownRange(values)).toBe(text);
  });
});
