import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { ByteWriter } from '../../lib/text/byte-writer.js';

function written(write: (writer: ByteWriter) => void): string {
  const writer = new ByteWriter(8);
  write(writer);
  return writer.take().toString();
}

describe('ByteWriter', () => {
  it.each([
    0,
    1,
    9,
    10,
    219.9,
    0.6,
    0.59,
    0.1,
    0.01,
    0.000001,
    1e-7,
    1e-9,
    12056.38,
    100,
    1e14,
    1e15,
    1e20,
    1e21,
    1e22,
    5e-324,
    999999999999999,
    99999999999999.9,
    0.999999999999999,
    1.7976931348623157e308,
    -1.5,
    123456789012345,
    0.000123456,
    9.99999999999999,
    2 ** 50,
    4503599627370497,
    NaN,
    Infinity,
  ])('writes %p as JSON does', (value) => {
    expect(written((writer) => writer.decimal(value))).toBe(JSON.stringify(Number(value.toPrecision(15))));
  });

  it('writes every number rounded to 15 significant digits, as JSON does', async () => {
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ noNaN: true, min: 1e-7, max: 1e7 }),
      fc.integer({ min: 0, max: 1_000_000_000 }).map((cents) => cents / 100),
      fc
        .tuple(fc.maxSafeInteger(), fc.integer({ min: -22, max: 6 }))
        .map(([digits, power]) => digits * 10 ** power),
      fc
        .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -20, max: 22 }))
        .map(([digit, power]) => Number(`${digit}e${power}`)),
    );
    await assertProperty(
      'decimal as JSON',
      fc.property(numbers, (value) => {
        expect(written((writer) => writer.decimal(value))).toBe(
          JSON.stringify(Number(value.toPrecision(15))),
        );
      }),
    );
  });

  it('writes every integer below 2^53', async () => {
    const numbers = fc.oneof(
      fc.nat(),
      fc.maxSafeNat(),
      fc.nat(15).map((power) => 10 ** power),
    );
    await assertProperty(
      'integer as text',
      fc.property(numbers, (value) => {
        expect(written((writer) => writer.integer(value))).toBe(String(value));
      }),
    );
  });

  it('writes texts and bytes in order, grows as needed, and is empty after take()', () => {
    const writer = new ByteWriter(8);
    const long = 'né 😀 '.repeat(2000);
    writer.raw(Buffer.from('{"a":'));
    writer.integer(12);
    writer.ascii(',"b":"');
    writer.text(long);
    writer.raw(Buffer.from('"}'.padEnd(1000)));
    expect(JSON.parse(writer.take().toString())).toEqual({ a: 12, b: long });
    expect(writer.take()).toHaveLength(0);
    writer.integer(0);
    expect(writer.take().toString()).toBe('0');
  });
});
