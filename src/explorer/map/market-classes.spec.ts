import { changeClass, MARKERS, PRICE_CLASSES, priceClasses } from './market-classes.js';

describe('classes of prices', () => {
  it('have about as many markets each, from the lowest to the highest', () => {
    const prices = [5, 1, 2, 3, 4, 10, 9, 8, 7, 6];
    expect(priceClasses(prices)).toEqual([
      { name: 'share0', from: 1, to: 2 },
      { name: 'share1', from: 3, to: 4 },
      { name: 'share2', from: 5, to: 6 },
      { name: 'share3', from: 7, to: 8 },
      { name: 'share4', from: 9, to: 10 },
    ]);
  });

  it('are fewer where few prices differ', () => {
    expect(priceClasses([7, 7, 7])).toEqual([{ name: 'share2', from: 7, to: 7 }]);
    expect(priceClasses([7, 1e-9, 7])).toEqual([
      { name: 'share0', from: 1e-9, to: 1e-9 },
      { name: 'share4', from: 7, to: 7 },
    ]);
    expect(priceClasses([])).toEqual([]);
  });

  it('get larger with the price', () => {
    const sizes = PRICE_CLASSES.map((name) => MARKERS[name].size);
    expect(sizes.toSorted((one, other) => one - other)).toEqual(sizes);
    expect(new Set(sizes).size).toBe(sizes.length);
  });
});

it.each([
  [-1, 'fall1', 'down'],
  [-0.2, 'fall0', 'down'],
  [-0.05, 'even', 'circle'],
  [0.0499, 'even', 'circle'],
  [0.05, 'rise0', 'up'],
  [0.2, 'rise1', 'up'],
  [40, 'rise1', 'up'],
] as const)('a change of %p points the way it goes', (change, name, form) => {
  expect(changeClass(change)).toBe(name);
  expect(MARKERS[name].form).toBe(form);
});
