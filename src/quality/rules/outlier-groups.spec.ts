import { batches, suspectMonths, swappedPairs, type Outlier } from './outlier-groups.js';

const outlier = (serieId: number, fields: Partial<Outlier> = {}): Outlier => {
  const { value = 50, median = 10 } = fields;
  return {
    serieId,
    uuid: `uuid ${serieId}`,
    country: 'CAF',
    marketId: 1,
    market: 'Yaloké',
    commodityId: serieId,
    commodity: `commodity ${serieId}`,
    day: 1,
    month: 24_000,
    value,
    median,
    ratio: value / median,
    ...fields,
  };
};
const idsOf = (groups: Outlier[][]) => groups.map((group) => group.map(({ serieId }) => serieId));

describe('swapped pairs', () => {
  const one = outlier(1, { value: 788, median: 98 });
  const other = outlier(2, { value: 102, median: 800 });
  it.each<[string, Outlier[], number[][]]>([
    ['fit into the place of each other', [one, other], [[1, 2]]],
    ['are of one market', [one, { ...other, marketId: 2 }], []],
    ['are of one month', [one, { ...other, month: 24_001 }], []],
    ['are of different commodities', [one, { ...other, commodityId: 1 }], []],
    ['both stand apart three times', [one, outlier(2, { value: 100, median: 270 })], []],
    ['are within a factor of e^0.35', [one, outlier(2, { value: 140, median: 800 })], []],
    [
      'may be several',
      [one, other, { ...other, serieId: 3 }],
      [
        [1, 2],
        [1, 3],
      ],
    ],
    [
      'are each with the one that fits best',
      [
        one,
        { ...other, value: 110 },
        { ...other, serieId: 3, uuid: 'uuid 3' },
        { ...one, serieId: 4, uuid: 'uuid 4', commodityId: 4 },
      ],
      [
        [1, 3],
        [1, 2],
        [3, 4],
      ],
    ],
    ['are none among none', [], []],
  ])('%s', (_, outliers, expected) => {
    expect(idsOf(swappedPairs(outliers))).toEqual(expected);
  });
});

describe('batches', () => {
  const same = (serieId: number, fields: Partial<Outlier> = {}) =>
    outlier(serieId, { commodityId: 9, ...fields });
  it.each<[string, Outlier[], number[][]]>([
    ['are three series, in either direction', [same(1), same(2, { value: 4 }), same(3)], [[1, 2, 3]]],
    ['are not two', [same(1), same(2)], []],
    ['are not two series with three points', [same(1), same(1, { day: 2 }), same(2)], []],
    ['are of one commodity', [same(1), same(2), outlier(3)], []],
    ['are of one month', [same(1), same(2), same(3, { month: 24_001 })], []],
    ['may be of several markets', [same(1), same(2, { marketId: 2 }), same(3, { marketId: 3 })], [[1, 2, 3]]],
  ])('%s', (_, outliers, expected) => {
    expect(idsOf(batches(outliers))).toEqual(expected);
  });
});

describe('suspect months', () => {
  it('have outliers of five series, of any commodities', () => {
    const five = [1, 2, 3, 4, 5].map((id) => outlier(id));
    expect(idsOf(suspectMonths(five))).toEqual([[1, 2, 3, 4, 5]]);
    expect(suspectMonths([...five.slice(1), outlier(2, { day: 2 })])).toEqual([]);
  });
});
