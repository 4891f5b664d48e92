import BetterSqlite3 from 'better-sqlite3';
import { addPairList, numbersOfPairs } from './pair-list.js';

describe('pair_list', () => {
  let database: BetterSqlite3.Database;
  beforeEach(() => addPairList((database = new BetterSqlite3(':memory:'))));
  afterEach(() => database.close());

  const pairs = (rows: string, groups = '') =>
    (
      database
        .prepare(`SELECT pair_list(column1, column2) FROM (VALUES ${rows}) ${groups}`)
        .pluck()
        .all() as Buffer[]
    ).map((blob) => [...numbersOfPairs(blob)]);

  it('has the numbers of each group to the last digit', () => {
    expect(pairs('(1, 0.1), (2, 5e-324), (3, 7)')).toEqual([[1, 0.1, 2, 5e-324, 3, 7]]);
    expect(pairs('(1, 5), (2, 6)', 'GROUP BY column1')).toEqual([
      [1, 5],
      [2, 6],
    ]);
    expect(pairs('(1, 5)', 'WHERE column1 > 1')).toEqual([[]]);
  });

  it('is in the order of the keys, however rows come', () => {
    expect(pairs('(3, 7), (1, 9), (2, 8)')).toEqual([[1, 9, 2, 8, 3, 7]]);
  });
});
