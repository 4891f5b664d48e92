import fc from 'fast-check';
import { assertProperty } from '../../../test/support/property.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { splitItems } from './item-list.js';
import { closestMatch, closestMatches } from '../../lib/text/closest-match.js';
import { date, decimal, digits, many, one, recordId, ParseError, text, integer } from './parsers.js';
import { relativeDate } from '../../lib/dates/relative-date.js';

const context = { now: Date.UTC(2024, 2, 31), maxPageSize: 10_000 };

describe('lists', () => {
  it('of quoted items are split into the same items', async () => {
    const quote = (item: string) => `"${item.replaceAll('"', '""')}"`;
    const items = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 20 });
    await assertProperty(
      'quoted items',
      fc.property(items, fc.constantFrom(',', ' , ', ',\u00a0'), (given, separator) => {
        expect(splitItems(given.map(quote).join(separator))).toEqual({
          items: given.map((item) => ({ text: item.trim(), quoted: true })),
          malformed: false,
        });
      }),
    );
  });

  it('parse any text to a value or violations', async () => {
    const parameter = many(text(), 'Anything.');
    await assertProperty(
      'any text',
      fc.property(fc.string({ minLength: 1, maxLength: 300 }), (given) => {
        const parsed = parameter.parse('x', [given], context);
        if ('value' in parsed) expect(new Set(parsed.value).size).toBe(parsed.value.length);
        else expect(parsed.violations.length).toBeGreaterThan(0);
      }),
    );
  });

  it('count items across repeated parameters', () => {
    const parameter = many(recordId, 'Ids.');
    const parsed = parameter.parse('ids', ['1,2', '3,x,"y'], context);
    expect(parsed).toEqual({
      violations: [
        {
          in: 'query',
          name: 'ids',
          code: 'invalid_item',
          detail: 'Item 4 of ids must be a positive integer; got "x".',
          index: 3,
        },
        {
          in: 'query',
          name: 'ids',
          code: 'invalid_item',
          detail: 'Item 5 of ids has an unclosed or stray quote.',
          index: 4,
        },
      ],
    });
  });
});

describe('dates', () => {
  it('accept exactly the dates of the calendar', async () => {
    await assertProperty(
      'dates',
      fc.property(
        fc.integer({ min: 0, max: 11_000 }),
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 0, max: 33 }),
        (y, m, d) => {
          const written = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
          const real = new Date(Date.UTC(y, m - 1, d));
          const exists = y >= 1000 && y <= 9999 && real.getUTCMonth() === m - 1 && real.getUTCDate() === d;
          expect(date.parse(written, context)).toEqual(exists ? written : expect.any(ParseError));
        },
      ),
    );
  });

  it('count days and weeks back exactly', async () => {
    const today = dayFromIso('2024-03-31')!;
    await assertProperty(
      'days ago',
      fc.property(fc.integer({ min: 0, max: 50_000 }), (count) => {
        expect(dayFromIso(relativeDate(`${count} days ago`, context.now)!)).toBe(today - count);
        expect(dayFromIso(relativeDate(`${count} week ago`, context.now)!)).toBe(today - 7 * count);
      }),
    );
  });

  it('before the year 1000 are rejected', () => {
    expect(relativeDate('12290 months ago', Date.UTC(2024, 2, 31))).toBe('1000-01-31');
    expect(relativeDate('12291 months ago', Date.UTC(2024, 2, 31))).toBeNull();
    expect(relativeDate('999999 months ago', Date.UTC(2024, 2, 31))).toBeNull();
  });
});

describe('numbers', () => {
  it('accept only plain decimal digits', async () => {
    await assertProperty(
      'ids',
      fc.property(fc.oneof(fc.integer({ min: 1, max: 2_147_483_647 }).map(String), fc.string()), (given) => {
        const valid = /^[1-9][0-9]{0,9}$/.test(given) && Number(given) <= 2_147_483_647;
        expect(recordId.parse(given, context)).toEqual(valid ? Number(given) : expect.any(ParseError));
      }),
    );
  });

  it('can have custom bounds', () => {
    const percent = integer(0, 100);
    expect(['0', '100', '101', '-1', '00'].map((given) => percent.parse(given, context))).toEqual([
      0,
      100,
      expect.objectContaining({ code: 'out_of_range', extras: { min: 0, max: 100 } }),
      expect.objectContaining({ code: 'invalid_integer' }),
      expect.objectContaining({ code: 'invalid_integer' }),
    ]);
  });

  it('accept decimals in JSON notation', () => {
    expect(
      ['1', '-0.5', '1e3', '.5', '1.', '0x1', '1e400', 'NaN', ''].map((given) =>
        decimal.parse(given, context),
      ),
    ).toEqual([1, -0.5, 1000, ...Array.from({ length: 6 }, () => expect.any(ParseError))]);
  });

  it('keep leading zeros in strings of digits', () => {
    const code = one(digits(4), 'A code.');
    expect(code.parse('hs_code', ['0010'], context)).toEqual({ value: '0010' });
    expect(code.parse('hs_code', ['12345'], context)).toMatchObject({ violations: [{ name: 'hs_code' }] });
  });
});

describe('closestMatch', () => {
  const candidates = [
    'page',
    'page_size',
    'start_date',
    'end_date',
    'newerThan',
    'iso3_country_codes',
    'iso3_country_codes_ne',
  ];

  it.each([
    ['page', 'page'],
    ['PAGE', 'page'],
    ['pagesize', 'page_size'],
    ['page-size', 'page_size'],
    ['pgae', 'page'],
    ['iso3_country_code', 'iso3_country_codes'],
    ['country_codes', 'iso3_country_codes'],
    ['iso3_country_codes_n', 'iso3_country_codes_ne'],
    ['x', undefined],
    ['', undefined],
    ['completely_different', undefined],
    ['p'.repeat(65), undefined],
  ])('for %s is %s', (name, expected) => {
    expect(closestMatch(name, candidates)).toBe(expected);
  });

  it('is the first of several, of which as many are had as are asked for', () => {
    const near = ['iso3_country_codes', 'iso3_country_codes_ne'];
    expect(closestMatches('iso3_country_code', candidates, 3)).toEqual(near);
    expect(closestMatches('iso3_country_code', candidates, 1)).toEqual(near.slice(0, 1));
    expect(closestMatches('completely_different', candidates, 3)).toEqual([]);
  });
});
