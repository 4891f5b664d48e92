import type { FieldCase } from './reference-tables.js';

type InvalidValue = [json: string, code: string];

const wrongType = (...values: string[]): InvalidValue[] => values.map((value) => [value, 'invalid_type']);
const each = (code: string, ...values: string[]): InvalidValue[] => values.map((value) => [value, code]);
const longText = (length: number) => JSON.stringify('x'.repeat(length));
/** Characters of two UTF-16 units each. */
const longEmoji = (length: number) => JSON.stringify('🌾'.repeat(length));

/** Invalid values for a field of this kind, as JSON, with the codes of their violations. */
export function invalidValues(field: FieldCase): InvalidValue[] {
  switch (field.kind) {
    case 'text':
      return [
        ...wrongType('5', 'true', '[]', '{}', '["x"]', '{"x":1}'),
        ...each('invalid_text', '"a\\u0000b"', '"a\\u0007b"', '"a\\nb"', '"\\ud800"', '"a\\udc00b"'),
        ...each('too_long', longText(field.max + 1), longEmoji(field.max + 1)),
        ...(field.required ? each('blank', '""', '"   "', '"\\u00a0"') : []),
      ];
    case 'digits':
      return [
        ...wrongType('100630', 'false', '[]'),
        ...each('blank', '""'),
        ...each('invalid_format', '"1"', '"10 06"', '"1006.30"', '"١٠٠٦"'),
        ...each('too_long', JSON.stringify('1'.repeat(field.max + 1))),
      ];
    case 'choice':
      return [
        ...wrongType('5', 'true', '[]'),
        ...each('invalid_choice', '"something else"', '""', JSON.stringify(field.allowed[0]!.toUpperCase())),
      ];
    case 'date':
      return [
        ...wrongType('20230101', 'true', '{}'),
        ...each('invalid_date', '"2023-02-30"', '"2023-02-29"', '"2023-13-01"', '"0000-00-00"', '"2023-1-5"'),
        ...each(
          'invalid_date',
          '"05/01/2023"',
          '"20230105"',
          '"2023-01-01T00:00:00Z"',
          '"today"',
          '"0999-01-01"',
        ),
        ...(field.firstOfMonth ? each('invalid_date', '"2023-06-02"') : []),
      ];
    case 'code':
      return [
        ...wrongType('5', 'true', '[]'),
        ...each('blank', '""'),
        ...each('invalid_format', '"KE"', '"KENY"', '"K1N"', '"KÉN"'),
      ];
    case 'number':
      return [
        ...wrongType('"5"', '"0.5"', 'true', '[]', '{}'),
        ...each(
          'out_of_range',
          '1e400',
          '1.2345678901234567',
          '0.1000000000000000001',
          String(field.tooSmall),
        ),
        ...(field.tooLarge === undefined ? [] : each('out_of_range', String(field.tooLarge))),
      ];
    case 'flag':
      return wrongType('1', '0', '"true"', '[]');
  }
}
