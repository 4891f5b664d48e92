import BetterSqlite3 from 'better-sqlite3';
import { preparedStatement } from './prepared-statement.js';

describe('preparedStatement', () => {
  let database: BetterSqlite3.Database;
  beforeEach(() => (database = new BetterSqlite3(':memory:')));
  afterEach(() => database.close());

  const withIds = (count: number) => `SELECT 1 WHERE 1 IN (${'?, '.repeat(count - 1)}?)`;

  it('keeps statements by their text and the shape of their rows', () => {
    const objects = preparedStatement(database, 'SELECT 1 AS one');
    const arrays = preparedStatement(database, 'SELECT 1 AS one', true);
    expect([objects.all(), arrays.all()]).toEqual([[{ one: 1 }], [[1]]]);
    for (let count = 1; count <= 200; count++) preparedStatement(database, withIds(count));
    expect(preparedStatement(database, 'SELECT 1 AS one')).toBe(objects);
    expect(preparedStatement(database, 'SELECT 1 AS one', true)).toBe(arrays);
  });

  it.each([
    ['many', 500, (index: number) => `SELECT ${index}`],
    ['long', 40, (index: number) => withIds(10_000 + index)],
  ])('does not keep %s statements for ever', (_, count, sqlOf) => {
    const first = preparedStatement(database, sqlOf(0));
    expect(preparedStatement(database, sqlOf(0))).toBe(first);
    for (let index = 1; index <= count; index++) preparedStatement(database, sqlOf(index));
    expect(preparedStatement(database, sqlOf(0))).not.toBe(first);
  });
});
