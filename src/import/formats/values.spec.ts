import { codeUpTo, quantityViolation, readCountry, readHsCode, readNumber } from './values.js';

describe('number', () => {
  it.each([
    ['5', 5, false],
    [' +5.50 ', 5.5, false],
    ['-.5', -0.5, false],
    ['1e3', 1000, false],
    ['000000000000000000001.50000000000000000000', 1.5, false],
    ['0.0000000000', 0, false],
    ['100000000000000000000', 1e20, true],
    ['1.0000000000000000000001', 1, true],
    ['1e400', Infinity, false],
    ['1.7976931348623157e308', Infinity, true],
    ['123456789.123456', 123_456_789.123456, false],
    ['12345678.12345678901', 12_345_678.1234568, true],
    [`1.${'0'.repeat(398)}`, 1, false],
  ])('reads %s', (text, value, rounded) => expect(readNumber(text, 'price')).toEqual({ value, rounded }));

  it.each(['', ' ', '.', '1,5', '0x1', 'NaN', 'Infinity', '1e', '1e1000', `1.${'0'.repeat(399)}`])(
    'rejects %s',
    (text) => expect(readNumber(text, 'price')).toHaveProperty('reason'),
  );

  it('rejects a very long text', () =>
    expect(readNumber(`1.${'0'.repeat(500_000)}1`, 'price')).toHaveProperty('reason', 'invalid_number'));
});

describe('quantityViolation', () => {
  it.each([1e-100, 0.01, 5, 1e100])('accepts %d', (value) =>
    expect(quantityViolation('rate', value, String(value))).toBeNull(),
  );

  it.each([9.99e-101, 5e-324, 1.01e100, Infinity])('rejects %d as out of range', (value) =>
    expect(quantityViolation('rate', value, String(value))).toEqual({
      field: 'rate',
      reason: 'out_of_range',
      detail: `rate must be between 1e-100 and 1e+100, not "${value}".`,
    }),
  );

  it.each([0, -0, -5, -1e300])('rejects %d as not positive', (value) =>
    expect(quantityViolation('rate', value, '-5')).toEqual({
      field: 'rate',
      reason: 'not_positive',
      detail: 'rate must be greater than 0, not "-5".',
    }),
  );
});

describe('codes that spreadsheets have changed', () => {
  it.each([
    ['0713.33', '071333'],
    ['808.10', '080810'],
    ['1701.14.00', '17011400'],
    ['713.0', '0713'],
  ])('the HS code %s is %s', (text, value) =>
    expect(readHsCode(text, 'hs_code')).toEqual({ value, replaced: true }),
  );

  it.each(['1006.3', '9.02', '0713-33', '999.10'])('the HS code %s is rejected', (text) =>
    expect(readHsCode(text, 'hs_code')).toMatchObject({ reason: 'invalid_hs_code' }),
  );

  it.each([
    ['7,001', '7001'],
    ['7.001E+03', '7001'],
    ['1,23456E+05', '123456'],
    ['7001.0', '7001'],
    // Its last digits are lost.
    ['1.23E+11', ''],
    ['7E+03', ''],
    ['Feb 2019 = 100', 'Feb 2019'],
    ['(2015 = 100)', '2015'],
  ])('the code %s is %j', (text, value) =>
    expect(codeUpTo(50)(text, 'code')).toEqual({ value, replaced: true }),
  );

  it.each(['A 01', '7,01', 'E+3', '10E+2', '=100'])('the code %s stays', (text) =>
    expect(codeUpTo(50)(text, 'code')).toEqual({ value: text }),
  );
});

describe('country', () => {
  it.each([
    ['ke', 'KEN'],
    ['XK', 'XKX'],
  ])('the alpha-2 code %s is %s', (text, value) =>
    expect(readCountry(text, 'iso3')).toEqual({ value, replaced: true }),
  );

  it.each(['NA', 'ZZ'])('%s is rejected: it is no code, or a mark for a missing value', (text) =>
    expect(readCountry(text, 'iso3')).toMatchObject({ reason: 'invalid_country' }),
  );
});
