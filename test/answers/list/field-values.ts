import type { Field } from './seeds.js';

/** JSON values to write into a field of a kind: nearly all invalid, a few valid. */
export function fieldValues(field: Field): string[] {
  const wrong = ['5', 'true', '[]', '{}', '"5"', '["x"]'];
  const long = (length: number, letter = 'x') => JSON.stringify(letter.repeat(length));
  switch (field.kind) {
    case 'text':
      return [
        ...['5', 'true', '[]', '{}', '["x"]'],
        ...['"a\\u0000b"', '"a\\u0007b"', '"a\\nb"', '"a\\u2028b"', '"\\ud800"', '"a\\udc00b"'],
        ...[long(field.max + 1), long(field.max + 1, '🌾'), '""', '"   "', '"\\u00a0"'],
        ...['"  around  "', '"e\\u0301"', '"\\u202eabc"', '"<b>&amp;\'"'],
      ];
    case 'digits':
      return [
        ...['100630', 'false', '[]', '""', '"1"', '"10 06"', '"1006.30"', '"١٠٠٦"'],
        long(field.max + 1, '1'),
      ];
    case 'choice':
      return ['5', 'true', '[]', '"something else"', '""', JSON.stringify(field.allowed[0]!.toUpperCase())];
    case 'date':
      return [
        ...['20230101', 'true', '{}', '""', '"2023-02-30"', '"2023-02-29"', '"2023-13-01"', '"0000-00-00"'],
        ...['"2023-1-5"', '"05/01/2023"', '"20230105"', '"2023-01-01T00:00:00Z"', '"today"', '"0999-01-01"'],
        ...['" 2023-01-01"', '"2023-06-02"'],
      ];
    case 'code':
      return ['5', 'true', '[]', '""', '"KE"', '"KENY"', '"K1N"', '"KÉN"', '" KEN"', '"ken"'];
    case 'number':
      return [
        ...wrong,
        ...['1e400', '-1e400', '1.2345678901234567', '0.1000000000000000001', '123456789012345678'],
        ...[String(field.tooSmall), String(field.tooLarge), '-0', '1e-5', '12.5000', '"NaN"'],
      ];
    case 'flag':
      return ['1', '0', '"true"', '[]', 'false'];
  }
}
