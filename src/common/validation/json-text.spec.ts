import fc from 'fast-check';
import { holds } from '../../../test/support/property.js';
import { MalformedJson } from '../errors/api-error.js';
import { overlongNumbers, parseJson, significantDigits } from './json-text.js';

describe('parseJson', () => {
  it('reads what JSON.parse reads, and refuses the rest with a position and none of its text', async () => {
    const json = fc.json({ maxDepth: 4 });
    await holds(
      'JSON with a piece taken out or put in',
      fc.property(
        json,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', ',', '"', '}', '\\', '\u0001', '-', '0', 'e'),
        (text, where, cut, put) => {
          const at = where % (text.length + 1);
          const changed = text.slice(0, at) + put + text.slice(at + cut);
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

  it('finds the first place where a text stops being JSON', async () => {
    await holds(
      'a cut text ends where it was cut',
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (text, where) => {
        const cut = text.slice(0, where % text.length).trimEnd();
        let position = -1;
        try {
          parseJson(cut);
        } catch (error) {
          position = (error as MalformedJson).errors?.[0]?.position ?? -1;
        }
        // A number, a word or an escape that is cut may be whole, or begin where the fault is.
        expect(position === -1 || position === cut.length || /[-\w.+\\]$/.test(cut)).toBe(true);
      }),
    );
  });

  it('does not mind depth', () => {
    const deep = '['.repeat(50_000);
    expect(() => parseJson(deep)).toThrow('it ends at position 50000');
    expect(() => parseJson(`${deep}1${']'.repeat(50_000)}`)).not.toThrow();
  });
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
    expect([...overlongNumbers(parseJson(text) as object)]).toEqual(names);
  });

  it.each([
    ['0', 0],
    ['-0.00', 0],
    ['10', 1],
    ['-1.50', 2],
    ['0.0012', 2],
    ['1.2e10', 2],
    ['100.01', 5],
  ])('%s has %i digits that count', (number, digits) => {
    expect(significantDigits(number)).toBe(digits);
  });

  it('are counted in one pass, however many zeros lie between', () => {
    // So many took a minute when each zero began a pass of its own.
    const number = `1${'0'.repeat(300_000)}1`;
    expect(significantDigits(number)).toBe(300_002);
    expect([...overlongNumbers(parseJson(`{"a":${number}}`) as object)]).toEqual(['a']);
  });
});
