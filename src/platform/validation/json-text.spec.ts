import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { MalformedJson } from '../errors/api-error.js';
import { lostInParsing, parseJson, significantDigits } from './json-text.js';

describe('parseJson', () => {
  it('accepts what JSON.parse accepts, and rejects the rest with a position and without quoting the text', async () => {
    const json = fc.json({ maxDepth: 4 });
    await assertProperty(
      'JSON with a substring removed or inserted',
      fc.property(
        json,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', ',', '"', '}', '\\', '\u0001', '-', '0', 'e'),
        (text, offset, removed, inserted) => {
          const at = offset % (text.length + 1);
          const changed = text.slice(0, at) + inserted + text.slice(at + removed);
          let expected: unknown;
          try {
            expected = JSON.parse(changed);
          } catch {
            expect(() => parseJson(changed)).toThrow(MalformedJson);
            return;
          }
          expect(parseJson(changed)).toEqual(expected);
        },
      ),
    );
  });

  it('reports the position of the first error', async () => {
    await assertProperty(
      'the error of a truncated text is at its end',
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (text, offset) => {
        const truncated = text.slice(0, offset % text.length).trimEnd();
        let position = -1;
        try {
          parseJson(truncated);
        } catch (error) {
          position = (error as MalformedJson).errors?.[0]?.position ?? -1;
        }
        // A truncated number, literal or escape may be valid, or the error may be at its start.
        expect(position === -1 || position === truncated.length || /[-\w.+\\]$/.test(truncated)).toBe(true);
      }),
    );
  });

  it('accepts any nesting depth', () => {
    const deep = '['.repeat(50_000);
    expect(() => parseJson(deep)).toThrow('unexpected end at position 50000');
    expect(() => parseJson(`${deep}1${']'.repeat(50_000)}`)).not.toThrow();
  });
});

const overlongNumbers = (text: string) => [...lostInParsing(parseJson(text) as object).overlong];
const repeatedNames = (text: string) => [...lostInParsing(parseJson(text) as object).repeated];

describe('repeated names', () => {
  it.each([
    ['{"a":1,"a":1}', ['a']],
    ['{"a":1,"b":2,"\\u0061":3,"b":4,"b":5}', ['a', 'b']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"a":{"b":1,"b":2},"c":"a","b":[]}', []],
    ['[{"a":1,"a":2}]', []],
  ])('of %s are %j', (text, names) => expect(repeatedNames(text)).toEqual(names));
});

describe('overlong numbers', () => {
  it.each([
    ['{"a":1.00000000000000001}', ['a']],
    ['{"a":12345678901234567}', ['a']],
    ['{"a":0.1234567890123456}', ['a']],
    ['{"a":-1234567890.1234567e5}', ['a']],
    ['{"a":123456789012345}', []],
    ['{"a":0.000000000000000000123}', []],
    ['{"a":1000000000000000000000}', []],
    ['{"a":1.50000000000000000000}', []],
    ['{"a":"12345678901234567890"}', []],
    ['{"a":{"b":12345678901234567},"c":[12345678901234567],"d":12345678901234567}', ['d']],
    ['{"x y":12345678901234567,"\\u0061":12345678901234567}', ['x y', 'a']],
    ['[12345678901234567]', []],
  ])('of %s are %j', (text, names) => {
    expect(overlongNumbers(text)).toEqual(names);
  });

  it.each([
    ['0', 0],
    ['-0.00', 0],
    ['10', 1],
    ['-1.50', 2],
    ['0.0012', 2],
    ['1.2e10', 2],
    ['100.01', 5],
  ])('%s has %i significant digits', (number, digits) => {
    expect(significantDigits(number)).toBe(digits);
  });

  it('are counted in linear time, however many zeros are in between', () => {
    // Took a minute when each zero restarted the scan.
    const number = `1${'0'.repeat(300_000)}1`;
    expect(significantDigits(number)).toBe(300_002);
    expect(overlongNumbers(`{"a":${number}}`)).toEqual(['a']);
  });
});
