import { Matches, validateSync } from 'class-validator';
import { ValidationError } from '../errors/api-error.js';
import { validateBody } from './validate-body.js';
import { fieldsOf, Optional, OrNull } from './field.js';
import {
  CalendarDate,
  CurrencyCode,
  Decimal,
  Digits,
  Flag,
  Id,
  Iso3,
  OneOf,
  Text,
  Verbatim,
} from './fields.js';
import { parseJson } from './json-text.js';

class Sample {
  @Optional(Id()) sample_id?: number;
  @Text(5) sample_name!: string;
  @Optional(Text(10)) sample_note?: string;
  @Optional(OrNull(Digits(2, 12))) sample_hs_code?: string | null;
  @Optional(OneOf(['mass', 'volume'])) sample_dimension?: 'mass' | 'volume';
  @Optional(CalendarDate({ firstOfMonth: true })) sample_month?: string;
  @Optional(Iso3()) sample_iso3?: string;
  @Optional(CurrencyCode()) sample_currency?: string;
  @Optional(OrNull(Decimal({ above: 0 }))) sample_rate?: number | null;
  @Optional(Decimal({ atLeast: -90, atMost: 90 })) sample_latitude?: number;
  @Optional(Decimal({ atLeast: -1, below: 1 })) sample_share?: number;
  @Optional(Decimal({ above: -1, atMost: 1 })) sample_other_share?: number;
  @Optional(Flag()) sample_flag?: boolean;
  @Optional(Verbatim(8)) sample_secret?: string;
  @Matches(/^ok$/) @Optional(Text(10)) sample_foreign?: string;
}

class Credentials {
  @Verbatim(8) secret!: string;
}

class Extended extends Sample {
  @Optional(Text(3, { description: 'Shorter than above.', example: 'abc' }))
  override sample_note?: string;
  @Optional(Text(5)) extra?: string;
}

const aliases = { id: 'sample_id', name: 'sample_name', note: 'sample_note', rate: 'sample_rate' };
const check = (body: unknown, partial = false) => validateBody(Sample, body, { partial, aliases });

function violationsOf(body: unknown, partial = false): [string | undefined, string][] {
  try {
    check(body, partial);
  } catch (error) {
    if (error instanceof ValidationError) return error.violations.map(({ pointer, code }) => [pointer, code]);
    throw error;
  }
  return [];
}

describe('validateBody', () => {
  it('returns an instance with normalized values and only the fields that were sent', () => {
    const body = {
      name: ' e\u0301a ',
      sample_hs_code: '0100',
      sample_currency: 'kes',
      sample_iso3: 'Ken',
      sample_rate: 0.1,
      sample_flag: false,
      sample_month: '2024-02-01',
    };
    const instance = check(body);
    expect(instance).toBeInstanceOf(Sample);
    expect({ ...instance }).toEqual({
      sample_name: 'éa',
      sample_hs_code: '0100',
      sample_currency: 'KES',
      sample_iso3: 'KEN',
      sample_rate: 0.1,
      sample_flag: false,
      sample_month: '2024-02-01',
    });
  });

  it('accepts null for nullable fields, and an empty body on PATCH', () => {
    expect({ ...check({ rate: null, sample_hs_code: null }, true) }).toEqual({
      sample_rate: null,
      sample_hs_code: null,
    });
    expect({ ...check({}, true) }).toEqual({});
  });

  it.each([
    [{}, [['/sample_name', 'required']]],
    [{ name: null }, [['/name', 'null']]],
    [{ name: '' }, [['/name', 'blank']]],
    [{ name: ' \u00a0 ' }, [['/name', 'blank']]],
    [{ name: 'abcdef' }, [['/name', 'too_long']]],
    [{ name: `a${'\u0301\u0323'.repeat(50_000)}` }, [['/name', 'too_long']]],
    [{ name: `abcde${' '.repeat(50_000)}` }, []],
    [{ name: '😀😀😀😀😀' }, []],
    [{ name: '😀😀😀😀😀😀' }, [['/name', 'too_long']]],
    [{ name: 'a\0b' }, [['/name', 'invalid_text']]],
    [{ name: 'a\nb' }, [['/name', 'invalid_text']]],
    [{ name: 'a\ud800' }, [['/name', 'invalid_text']]],
    [{ name: 5 }, [['/name', 'invalid_type']]],
    [{ name: ['a'] }, [['/name', 'invalid_type']]],
    [{ name: { a: 1 } }, [['/name', 'invalid_type']]],
    [{ name: 'a', sample_note: '' }, []],
    [{ name: 'a', sample_note: null }, [['/sample_note', 'null']]],
    [{ name: 'a', sample_hs_code: 100630 }, [['/sample_hs_code', 'invalid_type']]],
    [{ name: 'a', sample_hs_code: '1' }, [['/sample_hs_code', 'invalid_format']]],
    [{ name: 'a', sample_hs_code: '1234567890123' }, [['/sample_hs_code', 'too_long']]],
    [{ name: 'a', sample_hs_code: '' }, [['/sample_hs_code', 'blank']]],
    [{ name: 'a', sample_dimension: 'Mass' }, [['/sample_dimension', 'invalid_choice']]],
    [{ name: 'a', sample_month: '2024-02-02' }, [['/sample_month', 'invalid_date']]],
    [{ name: 'a', sample_month: '2023-02-30' }, [['/sample_month', 'invalid_date']]],
    [{ name: 'a', sample_month: 20230201 }, [['/sample_month', 'invalid_type']]],
    [{ name: 'a', sample_currency: 'KE' }, [['/sample_currency', 'invalid_format']]],
    [{ name: 'a', sample_iso3: 'ＫＥＮ' }, [['/sample_iso3', 'invalid_format']]],
    [{ name: 'a', sample_rate: 0 }, [['/sample_rate', 'out_of_range']]],
    [{ name: 'a', sample_rate: '1' }, [['/sample_rate', 'invalid_type']]],
    [{ name: 'a', sample_rate: 1e400 }, [['/sample_rate', 'out_of_range']]],
    [{ name: 'a', sample_rate: 0.1234567890123456 }, [['/sample_rate', 'out_of_range']]],
    [{ name: 'a', sample_rate: 0.123456789012345 }, []],
    [{ name: 'a', sample_latitude: 90.5 }, [['/sample_latitude', 'out_of_range']]],
    [{ name: 'a', sample_latitude: -91 }, [['/sample_latitude', 'out_of_range']]],
    [{ name: 'a', sample_flag: 1 }, [['/sample_flag', 'invalid_type']]],
    [{ name: 'a', sample_id: '5' }, [['/sample_id', 'invalid_type']]],
    [{ name: 'a', sample_id: 1.5 }, [['/sample_id', 'invalid_type']]],
    [{ name: 'a', sample_id: 0 }, [['/sample_id', 'out_of_range']]],
    [{ name: 'a', sample_id: 2147483648 }, [['/sample_id', 'out_of_range']]],
    [{ name: 'a', sample_name: 'a' }, []],
    [
      { name: 'a', sample_name: 'b' },
      [
        ['/name', 'conflicting_fields'],
        ['/sample_name', 'conflicting_fields'],
      ],
    ],
    [
      { name: 'a', constructor: 1, prototype: 2 },
      [
        ['/constructor', 'unknown_field'],
        ['/prototype', 'unknown_field'],
      ],
    ],
    [JSON.parse('{"name":"a","__proto__":{"x":1}}'), [['/__proto__', 'unknown_field']]],
    [{ name: 'a', 'x/y~z': 1 }, [['/x~1y~0z', 'unknown_field']]],
    [
      { name: 5, sample_rate: -1, other: 1 },
      [
        ['/other', 'unknown_field'],
        ['/name', 'invalid_type'],
        ['/sample_rate', 'out_of_range'],
      ],
    ],
    [[], [['', 'invalid_type']]],
    ['x', [['', 'invalid_type']]],
    [null, [['', 'invalid_type']]],
    [5, [['', 'invalid_type']]],
  ] as [unknown, [string, string][]][])('%j', (body, expected) => {
    expect(violationsOf(body)).toEqual(expected);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it.each([
    ['sample_dimension', 5, 'invalid_type'],
    ['sample_iso3', 5, 'invalid_type'],
    ['sample_iso3', ' ', 'blank'],
    ['sample_share', 1, 'out_of_range'],
    ['sample_share', -1.5, 'out_of_range'],
    ['sample_other_share', -1, 'out_of_range'],
    ['sample_other_share', 1.5, 'out_of_range'],
    ['sample_secret', 5, 'invalid_type'],
    ['sample_secret', '\ud800', 'invalid_text'],
    ['sample_secret', 'ééééé', 'too_long'],
    ['sample_foreign', 'no', 'invalid_format'],
  ])('%s: %j is %s', (name, value, code) => {
    expect(violationsOf({ name: 'a', [name]: value })).toEqual([[`/${name}`, code]]);
  });

  it('accepts inclusive bounds', () => {
    const body = { name: 'a', sample_share: -1, sample_other_share: 1, sample_foreign: 'ok' };
    expect(violationsOf(body)).toEqual([]);
  });

  it('turns -0 into 0 and does not normalize secrets', () => {
    const instance = check({ name: 'a', sample_latitude: -0, sample_secret: ' e\u0301 ' });
    expect([Object.is(instance.sample_latitude, 0), instance.sample_secret]).toEqual([true, ' e\u0301 ']);
    expect(() => validateBody(Credentials, { secret: '  ' })).toThrow('1 field is not valid.');
    expect({ ...validateBody(Credentials, { secret: 'x' }) }).toEqual({ secret: 'x' });
  });

  it('inherits the fields of base classes, and overrides those that are redeclared', () => {
    expect(
      fieldsOf(Extended)
        .map(({ name }) => name)
        .slice(-2),
    ).toEqual(['sample_note', 'extra']);
    expect(fieldsOf(Object)).toEqual([]);
    expect(() => validateBody(Extended, { sample_name: 'a', sample_note: 'four' })).toThrow(ValidationError);
    expect({ ...validateBody(Sample, { sample_name: 'a', sample_note: 'four' }) }).toEqual({
      sample_name: 'a',
      sample_note: 'four',
    });
  });

  it('uses decorators that work with class-validator alone', () => {
    const instance = Object.assign(new Sample(), { sample_name: 'toolong', sample_rate: null });
    const messages = validateSync(instance, { skipMissingProperties: true }).map(
      ({ constraints }) => constraints,
    );
    expect(messages).toEqual([{ field: 'sample_name must be at most 5 characters long.' }]);
  });

  it('reports at most 20 violations, with suggestions only for those', () => {
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`sample_nam${index}`, 1]));
    try {
      check(body);
    } catch (error) {
      const { violations, errors } = error as ValidationError;
      expect([violations.length, errors?.length]).toEqual([31, 20]);
      expect(violations.filter(({ suggestion }) => suggestion !== undefined)).toHaveLength(20);
    }
    expect.assertions(2);
  });

  it('says what is accepted, and suggests the closest field name', () => {
    expect.assertions(1);
    try {
      check({ name: 'toolong', sample_dimension: 'x', sample_nam: 'a' });
    } catch (error) {
      expect((error as ValidationError).errors).toEqual([
        {
          in: 'body',
          name: 'sample_nam',
          pointer: '/sample_nam',
          code: 'unknown_field',
          detail: 'sample_nam is not a field of this record. Did you mean sample_name?',
          suggestion: 'sample_name',
        },
        {
          in: 'body',
          name: 'name',
          pointer: '/name',
          code: 'too_long',
          detail: 'name must be at most 5 characters long.',
          max: 5,
        },
        {
          in: 'body',
          name: 'sample_dimension',
          pointer: '/sample_dimension',
          code: 'invalid_choice',
          detail: 'sample_dimension must be one of mass, volume.',
          allowed: ['mass', 'volume'],
        },
      ]);
    }
  });

  it('rejects numbers that JSON.parse would silently round', () => {
    expect(violationsOf(parseJson('{"name":"a","rate":1.00000000000000001}'))).toEqual([
      ['/rate', 'out_of_range'],
    ]);
    expect(violationsOf(parseJson('{"name":"a","rate":1.0000000000000000000}'))).toEqual([]);
  });

  it('rejects a value nested 14,000 levels deep', () => {
    const deep = parseJson(`{"name":${'['.repeat(14_000)}${']'.repeat(14_000)}}`);
    expect(violationsOf(deep)).toEqual([['/name', 'invalid_type']]);
  });

  it('checks the rules between fields only when each field is valid', () => {
    const names: string[] = [];
    const also = (_: Sample, sentAs: (field: string) => string) => {
      names.push(sentAs('sample_name'), sentAs('sample_id'));
      return [{ in: 'body' as const, code: 'id_mismatch' as const, detail: 'no' }];
    };
    expect(() => validateBody(Sample, { name: 'a' }, { crossFieldRules: also, aliases })).toThrow(
      ValidationError,
    );
    expect(names).toEqual(['name', 'sample_id']);
    expect(() => validateBody(Sample, { name: '' }, { crossFieldRules: also, aliases })).toThrow(
      ValidationError,
    );
    expect(names).toHaveLength(2);
  });
});
