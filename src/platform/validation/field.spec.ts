import {
  ApiSchema,
  ArrayOf,
  Constant,
  fieldsOf,
  MapOf,
  Nested,
  Optional,
  OrNull,
  RecordOf,
  schemaOf,
  wholeSchemaOf,
  WithSchema,
} from './field.js';
import { CalendarDate, Count, Decimal, Id, OneOf, Text, WideCount } from './fields.js';
import { IntersectionType, OmitType, PickType, RequiredType } from './mapped-types.js';

const COLOURS = ['red', 'green'] as const;

class Place {
  @Text() name!: string;
}

@ApiSchema({ name: 'Box' })
class StoredBox {
  @Id() id!: number;
  @Text(20, { description: 'What is written on it' }) label!: string;
  @Optional(Text(20)) note?: string;
  @OrNull(Decimal({ above: 0 })) weight!: number | null;
  @OrNull(OneOf(COLOURS)) colour!: (typeof COLOURS)[number] | null;
}

class Shelf {
  @Nested(Place, { description: 'Where it stands' }) place!: Place;
  @ArrayOf(Nested(StoredBox)) boxes!: StoredBox[];
  @OrNull(Nested(StoredBox)) first!: StoredBox | null;
  @OrNull(Nested(Place)) second!: Place | null;
  @MapOf(WideCount(), { description: 'By label' }) counts!: Readonly<Record<string, number>>;
  @RecordOf(COLOURS, Count()) colours!: Record<'red' | 'green', number>;
  @RecordOf(COLOURS, Optional(Count())) some!: Partial<Record<'red' | 'green', number>>;
  @Optional(Constant(true)) open?: true;
  @Constant(null) nothing!: null;
  @OrNull(WideCount(), { description: 'Null where it is not weighed' }) grams!: number | null;
  @WithSchema<string | number>({ type: ['string', 'integer'] }) code!: string | number;
  @OneOf(COLOURS, { typed: false }) colour!: 'red' | 'green';
}

describe('the schema of a class', () => {
  const box = { $ref: '#/components/schemas/Box' };

  it('has its fields in order, and what may be left out of them', () => {
    expect(JSON.stringify(wholeSchemaOf(StoredBox))).toBe(
      JSON.stringify({
        type: 'object',
        properties: {
          id: { type: 'integer' },
          label: { type: 'string', description: 'What is written on it' },
          note: { type: 'string' },
          weight: { type: ['number', 'null'] },
          colour: { type: ['string', 'null'], enum: ['red', 'green', null] },
        },
        required: ['id', 'label', 'weight', 'colour'],
        additionalProperties: false,
      }),
    );
  });

  it('says which values are accepted where clients send it', () => {
    @ApiSchema({ limits: true })
    class NewBox extends OmitType(StoredBox, ['id', 'colour']) {
      @Text(5, { stated: { maxLength: 10 } }) mark!: string;
    }
    expect(schemaOf(NewBox)).toEqual({ $ref: '#/components/schemas/NewBox' });
    expect(wholeSchemaOf(NewBox).properties).toEqual({
      label: { type: 'string', maxLength: 20, minLength: 1, description: 'What is written on it' },
      note: { type: 'string', maxLength: 20 },
      weight: { type: ['number', 'null'], exclusiveMinimum: 0 },
      mark: { type: 'string', maxLength: 10 },
    });
  });

  it('shows other classes in place, and components by their names', () => {
    const place = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    };
    const count = { type: 'integer' };
    const counts = { red: count, green: count };
    expect(wholeSchemaOf(Shelf).properties).toEqual({
      place: { ...place, description: 'Where it stands' },
      boxes: { type: 'array', items: box },
      first: { oneOf: [box, { type: 'null' }] },
      second: { ...place, type: ['object', 'null'] },
      counts: {
        type: 'object',
        additionalProperties: { type: 'integer', format: 'int64' },
        description: 'By label',
      },
      colours: {
        type: 'object',
        properties: counts,
        required: ['red', 'green'],
        additionalProperties: false,
      },
      some: { type: 'object', properties: counts, additionalProperties: false },
      open: { const: true },
      nothing: { type: 'null' },
      grams: { type: ['integer', 'null'], format: 'int64', description: 'Null where it is not weighed' },
      code: { type: ['string', 'integer'] },
      colour: { enum: ['red', 'green'] },
    });
  });
});

describe('the name of a schema', () => {
  it('belongs to one class', () =>
    expect(() => ApiSchema({ name: 'Box' })(Place)).toThrow('Two schemas have the name Box.'));
});

describe('classes made of others', () => {
  const namesOf = (shape: object) => fieldsOf(shape).map(({ name }) => name);

  it('have their fields, in order', () => {
    class Note extends OmitType(StoredBox, ['id', 'weight', 'colour', 'label']) {}
    class Label extends PickType(StoredBox, ['weight', 'label']) {}
    expect(namesOf(Label)).toEqual(['weight', 'label']);
    class Whole extends IntersectionType(RequiredType(Note), Place) {}
    expect(namesOf(Note)).toEqual(['note']);
    const whole: Whole = { note: '', name: 'a' };
    expect(namesOf(Whole)).toEqual(Object.keys(whole));
    expect(fieldsOf(Whole).map(({ required }) => required)).toEqual([true, true]);
    expect(fieldsOf(Note).map(({ required }) => required)).toEqual([false]);
  });
});

describe('a decorator', () => {
  it('does not compile on a property of another type', () => {
    class Wrong {
      // @ts-expect-error a number
      @Id() id!: string;
      // @ts-expect-error never null
      @Decimal() value!: number | null;
      // @ts-expect-error may be null
      @OrNull(CalendarDate()) date!: string;
      // @ts-expect-error may be left out
      @Optional(Text(5)) note!: string;
      // @ts-expect-error must be given
      @Text(5) label?: string;
      // @ts-expect-error has other words
      @OneOf(COLOURS) colour!: 'red' | 'blue';
      // @ts-expect-error has more words
      @OneOf(COLOURS) only!: 'red';
      // @ts-expect-error an array
      @ArrayOf(Id()) ids!: string[];
      // @ts-expect-error another class
      @Nested(StoredBox) place!: Place;
    }
    expect(fieldsOf(Wrong)).toHaveLength(9);
  });
});
