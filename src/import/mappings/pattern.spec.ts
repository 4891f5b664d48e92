import { parsePattern } from './pattern.js';

const match = (pattern: string, text: string) => {
  const parsed = parsePattern(pattern);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.match(text);
};

describe('a pattern', () => {
  it.each([
    ['{commodity} ({measure_unit})', 'Maize (kg)', { commodity: 'Maize', measure_unit: 'kg' }],
    [
      '{commodity} ({measure_unit})',
      'Maize (white) (kg)',
      { commodity: 'Maize (white)', measure_unit: 'kg' },
    ],
    ['{commodity} ({measure_unit})', 'Maize', null],
    ['{commodity} ({measure_unit})', ' (kg)', null],
    ['{commodity} ({measure_unit})', 'Maize ()', null],
    ['Y{year}', 'Y2024', { year: '2024' }],
    ['Y{year}', 'Y', null],
    ['{date}', '2024-01', { date: '2024-01' }],
    ['Price*', 'Price', {}],
    ['Price*', 'Price in XOF', {}],
    ['*_{market}.csv', '2024_Bamako_Dibida.csv', { market: 'Dibida' }],
    ['Maize', 'Maize', {}],
    ['Maize', 'Maize ', null],
    ['a{x}a', 'aa', null],
    ['a{x}a', 'aba', { x: 'b' }],
    ['a*a', 'a', null],
    ['*', '', {}],
  ])('%s takes from %j %j', (pattern, text, expected) => expect(match(pattern, text)).toEqual(expected));

  it.each([
    ['{commodity}{measure_unit}', 'must have text between any two of its fields and asterisks.'],
    ['{commodity}*', 'must have text between any two of its fields and asterisks.'],
    ['{commodity} / {commodity}', 'must not have {commodity} twice.'],
    ['{}', 'must not have {}, which names no field.'],
    ['{a b}', 'must not have {a b}, which names no field.'],
    ['{commodity', 'must not have a brace without a field, such as {market}.'],
  ])('%s %s', (pattern, problem) => expect(parsePattern(pattern)).toEqual({ problem }));

  it('of many asterisks is matched in time with a text that almost fits', () => {
    const pattern = `${'*a'.repeat(10_000)}b`;
    const began = performance.now();
    expect(match(pattern, `${'a'.repeat(100_000)}c`)).toBeNull();
    expect(match(`${'*a'.repeat(10_000)}`, 'a'.repeat(100_000))).toEqual({});
    expect(match(`b${'*a'.repeat(10_000)}`, 'a'.repeat(100_000))).toBeNull();
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
