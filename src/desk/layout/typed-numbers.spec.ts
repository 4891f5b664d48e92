import { chooseReadings, chosenReading, readTypedNumber, typedNumber } from './typed-numbers.js';

describe('a number as it is typed', () => {
  it.each([
    ['6220', '6220'],
    ['6 220', '6220'],
    ['6\u00a0220', '6220'],
    ['6\u2009220,5', '6220.5'],
    ['6\u202f220.50', '6220.50'],
    ["6'220.50", '6220.50'],
    ['6,220.50', '6220.50'],
    ['6.220,50', '6220.50'],
    ['1.234.567', '1234567'],
    ['1,234,567', '1234567'],
    [' 62,5 ', '62.5'],
    ['62.5', '62.5'],
    ['0,125', '0.125'],
    ['0.125', '0.125'],
    ['6220,125', '6220.125'],
    ['1.5e3', '1.5e3'],
    ['-6 220', '-6220'],
    ['six', 'six'],
    ['6..2', '6..2'],
    ['', ''],
  ])('is %j', (text, expected) => expect(readTypedNumber(text)).toBe(expected));

  it.each(['6,220', '6.220', ' 6,220 '])('may be two, as %j', (text) => {
    expect(readTypedNumber(text)).toEqual({ whole: '6220', decimal: '6.2200' });
    expect(chosenReading(text, '6220')).toBe('6220');
    expect(chosenReading(text, '6.2200')).toBe('6.2200');
    // Of another number that was typed before.
    expect(chosenReading(text, '7220')).toBe(text);
    expect(readTypedNumber('6.2200')).toBe('6.2200');
  });

  it('is no number of thousands in a field of degrees', () =>
    expect(['36.817', '36,817'].map((text) => readTypedNumber(text, true))).toEqual(['36.817', '36.817']));

  it('is compared with stored ones as JavaScript reads it, where it may be two', () =>
    expect(['6 220', '1.125', '1,125', 'x', ''].map(typedNumber)).toEqual([6220, 1.125, NaN, NaN, NaN]));

  it('gives way to the reading that was chosen', () => {
    const form = new URLSearchParams({
      price: '6,220',
      'reading.price': '6220',
      'reading.gone': '1',
      other: '6,220',
    });
    chooseReadings(form);
    expect(Object.fromEntries(form)).toEqual({ price: '6220', other: '6,220' });
  });
});
