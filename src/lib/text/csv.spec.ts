import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { CSV_LINE_END, csvNumber, csvText, unguardedText } from '../../lib/text/csv.js';

describe('csvText', () => {
  it.each([
    ['', ''],
    ['Maize (white)', 'Maize (white)'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ["'s-Hertogenbosch", "''s-Hertogenbosch"],
    ['a, b', '"a, b"'],
    ['say "x"', '"say ""x"""'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['two\nlines', '"two\nlines"'],
    ['a=b', 'a=b'],
    ['NA', "'NA"],
    ['#N/A', "'#N/A"],
    ['None', "'None"],
    ['Nan', 'Nan'],
  ])('writes %j as %j', (text, field) => expect(csvText(text)).toBe(field));

  it('round-trips every text through a CSV parser', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.stringMatching(/^[=+\-@＝＋－＠']{1,3}$/),
            fc.constantFrom('NA', 'None', "'NULL"),
          ),
          {
            minLength: 2,
            maxLength: 5,
          },
        ),
        (texts) => {
          const [record] = parse(texts.map(csvText).join(',') + CSV_LINE_END, {
            relax_column_count: true,
            record_delimiter: CSV_LINE_END,
          });
          expect(record!.map(unguardedText)).toEqual(texts);
        },
      ),
    );
  });
});

it("an apostrophe that guards nothing is the text's own", () => {
  expect(unguardedText("'s-Hertogenbosch")).toBe("'s-Hertogenbosch");
});

describe('csvNumber', () => {
  it.each([
    [null, ''],
    [0, '0'],
    [-12.5, '-12.5'],
    [1e-7, '1e-7'],
  ])('writes %p as %j', (value, field) => expect(csvNumber(value)).toBe(field));
});
