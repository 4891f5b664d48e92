import { ArrayOf, Constant, fieldsOf, Nested, Optional, OrNull } from '../validation/field.js';
import { CalendarDate, Count, Decimal, Flag, Id, Instant, OneOf, Text } from '../validation/fields.js';
import { columnsOf, omitColumns, partsOf } from './columns.js';

class Size {
  @Decimal() value!: number;
  @OneOf(['m', 'ft']) unit!: 'm' | 'ft';
}

class Thing {
  @Id() id!: number;
  @Text() name!: string;
  @Optional(Count()) count?: number;
  @OrNull(CalendarDate()) date!: string | null;
  @Instant() at!: string;
  @Flag() open!: boolean;
  @Optional(Constant(true)) marked?: true;
  @Nested(Size) size!: Size;
  @ArrayOf(Text()) names!: string[];
}

describe('the columns of a class', () => {
  it('have the types of its fields, and objects and arrays as JSON', () =>
    expect(columnsOf(Thing)).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string' },
      { name: 'count', type: 'integer' },
      { name: 'date', type: 'date' },
      { name: 'at', type: 'string' },
      { name: 'open', type: 'boolean' },
      { name: 'marked', type: 'boolean' },
      { name: 'size', type: 'string', nested: true },
      { name: 'names', type: 'string', nested: true },
    ]));

  it('are those of a member, too, under its name', () =>
    expect(omitColumns(partsOf(Size, 'size'), ['size_unit'])).toEqual([
      { name: 'size_value', type: 'number', member: 'size' },
    ]));

  it('tell a constant from other values', () => {
    const marked = fieldsOf(Thing).find(({ name }) => name === 'marked')!;
    expect([marked.check(true), marked.check(false)?.reason]).toEqual([null, 'must be true.']);
  });
});
