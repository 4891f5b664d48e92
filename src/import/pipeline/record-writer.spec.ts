import { getMetadataArgsStorage } from 'typeorm';
import { CommodityDto } from '../../reference/commodity/commodity.dto.js';
import { importTables, type TableName } from '../formats/table-rows.js';
import { RECORD_TABLES } from './record-writer.js';

const names = Object.keys(RECORD_TABLES) as TableName[];

describe.each(names)('the import definition of %s', (name) => {
  const { table } = RECORD_TABLES[name];
  const { fields, unique } = importTables[name];

  it('has the columns of its table', () =>
    expect(Object.keys(fields).sort()).toEqual([...table.ownColumns].sort()));

  it('has its unique key', () => expect([...unique].sort()).toEqual([...table.uniqueKey].sort()));

  it('has its defaults and required fields', () => {
    const complete = table.withDefaults({});
    const expected = Object.fromEntries(
      Object.entries(fields).map(([column, { required, defaultValue }]) => [
        column,
        required ? undefined : defaultValue,
      ]),
    );
    expect(complete).toEqual(expected);
  });

  it('has its maximum lengths', () => {
    const columns = getMetadataArgsStorage().columns.filter(({ options }) => options.type === 'varchar');
    for (const [column, { read }] of Object.entries(fields)) {
      const stored = columns.find(
        ({ propertyName, target }) =>
          propertyName === column &&
          getMetadataArgsStorage().tables.find(({ name }) => name === table.name)?.target === target,
      );
      const maxLength = Number(stored?.options.length ?? 0);
      // Dates, codes and choices have a fixed form.
      if (maxLength < 20 || column === 'hs_code') continue;
      expect([column, 'reason' in read('x'.repeat(maxLength), column)]).toEqual([column, false]);
      expect([column, read('x'.repeat(maxLength + 1), column)]).toEqual([
        column,
        expect.objectContaining({ reason: 'too_long' }),
      ]);
    }
  });
});

it('has the fields of the API', () =>
  expect(Object.values(CommodityDto.reads)).toEqual(['id', ...Object.keys(importTables.Commodity.fields)]));
