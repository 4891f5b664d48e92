import type { FieldCase } from './reference-tables.js';

type Bad = [json: string, code: string];

const wrong = (...values: string[]): Bad[] => values.map((value) => [value, 'invalid_type']);
const each = (code: string, ...values: string[]): Bad[] => values.map((value) => [value, code]);
const long = (length: number) => JSON.stringify('x'.repeat(length));
/** One more character than fits, each of them two UTF-16 units. */
const longInEmoji = (length: number) => JSON.stringify('🌾'.repeat(length));

/** Values that a field of this kind refuses, as JSON, with the code of the refusal. */
export function badValues(field: FieldCase): Bad[] {
  switch (field.kind) {
    case 'text':
      return [
        ...wrong('5', 'true', '[]', '{}', '["x"]', '{"x":1}'),
        ...each('invalid_text', '"a\\u0000b"', '"a\\u0007b"', '"a\\nb"', '"\\ud800"', '"a\\udc00b"'),
        ...each('too_long', long(field.max + 1), longInEmoji(field.max + 1)),
        ...(field.required ? each('blank', '""', '"   "', '"\\u00a0"') : []),
      ];
    case 'digits':
      return [
        ...wrong('100630', 'false', '[]'),
        ...each('blank', '""'),
        ...each('invalid_format', '"1"', '"10 06"', '"1006.30"', '"١٠٠٦"'),
        ...each('too_long', JSON.stringify('1'.repeat(field.max + 1))),
      ];
    case 'choice':
      return [
        ...wrong('5', 'true', '[]'),
        ...each('invalid_choice', '"something else"', '""', JSON.stringify(field.allowed[0]!.toUpperCase())),
      ];
    case 'date':
      return [
        ...wrong('20230101', 'true', '{}'),
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
        ...wrong('5', 'true', '[]'),
        ...each('blank', '""'),
        ...each('invalid_format', '"KE"', '"KENY"', '"K1N"', '"KÉN"'),
      ];
    case 'number':
      return [
        ...wrong('"5"', '"0.5"', 'true', '[]', '{}'),
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
      return wrong('1', '0', '"true"', '[]');
  }
}
