import { getMetadataArgsStorage } from 'typeorm';
import { CommodityDto } from '../reference/commodity/commodity.dto.js';
import { importTables, type TableName } from './formats/table-rows.js';
import { RECORD_TABLES } from './record-writer.js';

const names = Object.keys(RECORD_TABLES) as TableName[];

describe.each(names)('%s as the import sees it', (name) => {
  const { table } = RECORD_TABLES[name];
  const { fields, unique } = importTables[name];

  it('has the columns of its table', () => expect(Object.keys(fields).sort()).toEqual([...table.own].sort()));

  it('has its unique key', () => expect([...unique].sort()).toEqual([...table.uniqueKey].sort()));

  it('has its defaults and required fields', () => {
    const complete = table.complete({});
    const expected = Object.fromEntries(
      Object.entries(fields).map(([column, { required, blank }]) => [column, required ? undefined : blank]),
    );
    expect(complete).toEqual(expected);
  });

  it('has its lengths', () => {
    const columns = getMetadataArgsStorage().columns.filter(({ options }) => options.type === 'varchar');
    for (const [column, { read }] of Object.entries(fields)) {
      const stored = columns.find(
        ({ propertyName, target }) =>
          propertyName === column &&
          getMetadataArgsStorage().tables.find((one) => one.name === table.name)?.target === target,
      );
      const longest = Number(stored?.options.length ?? 0);
      // Dates, codes and words of a list have forms of their own.
      if (longest < 20 || column === 'hs_code') continue;
      expect([column, 'reason' in read('x'.repeat(longest), column)]).toEqual([column, false]);
      expect([column, read('x'.repeat(longest + 1), column)]).toEqual([
        column,
        expect.objectContaining({ reason: 'too_long' }),
      ]);
    }
  });
});

it('checks texts as the API does', () =>
  expect(Object.values(CommodityDto.reads)).toEqual(['id', ...Object.keys(importTables.Commodity.fields)]));
