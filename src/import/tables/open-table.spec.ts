import fc from 'fast-check';
import writeXlsxFile from 'write-excel-file/node';
import { chunksOf, collect } from '../../../test/support/import-input.js';
import { assertProperty } from '../../../test/support/property.js';
import { inputText } from '../pipeline/input.js';
import { importFormats } from '../formats/index.js';
import { rowsXml, workbookOf } from '../../../test/support/workbook.js';

/** A row of prices. */
interface Price {
  readonly market: string;
  readonly date: Date;
  readonly price_value: number;
}

const COLUMNS = [
  'iso3_country_code',
  'commodity',
  'price_type',
  'market',
  'source',
  'currency',
  'measure_unit',
  'date',
  'periodicity',
  'price_value',
] as const;

const iso = (date: Date) => date.toISOString().slice(0, 10);

const fieldsOf = ({ market, date, price_value }: Price) =>
  ['KEN', 'Maize', 'RETAIL', market, 'OMA', 'KES', 'KG', date, 'daily', price_value] as const;

/** A decimal comma, points between thousands. */
const withComma = (value: number): string => {
  const [whole = '', fraction = ''] = value.toFixed(2).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`;
};

/** The forms in which a table may be written. */
const FORMS: Readonly<Record<string, (prices: readonly Price[]) => Promise<Uint8Array> | Uint8Array>> = {
  'CSV with commas': (prices) => Buffer.from(csv(prices, ',', String)),
  'CSV with semicolons, decimal commas and days first': (prices) =>
    Buffer.from(csv(prices, ';', withComma, (date) => iso(date).split('-').reverse().join('.'))),
  'CSV with tabs in UTF-16': (prices) => Buffer.from(`\ufeff${csv(prices, '\t', String)}`, 'utf16le'),
  'a workbook of a program': (prices) =>
    writeXlsxFile(
      [
        COLUMNS.map((value) => ({ value })),
        ...prices.map((price) =>
          fieldsOf(price).map((value) => (value instanceof Date ? { value, format: 'd mmm yy' } : { value })),
        ),
      ] as never,
      {},
    ).toBuffer(),
  'a workbook with texts for dates': (prices) =>
    workbookOf([
      {
        name: 'Prices',
        rows: rowsXml([
          COLUMNS,
          ...prices.map((price) =>
            fieldsOf(price).map((value) => (value instanceof Date ? iso(value) : value)),
          ),
        ]),
      },
    ]),
  JSON: (prices) =>
    Buffer.from(
      JSON.stringify({
        data: prices.map((price) => {
          const fields = fieldsOf(price);
          return Object.fromEntries(
            COLUMNS.map((name, index) => {
              const value = fields[index]!;
              return [name, value instanceof Date ? iso(value) : value];
            }),
          );
        }),
      }),
    ),
};

function csv(
  prices: readonly Price[],
  delimiter: string,
  number: (value: number) => string,
  day: (date: Date) => string = iso,
): string {
  const line = (fields: readonly string[]) =>
    `${fields.map((field) => (/["\t;,]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(delimiter)}\n`;
  return [
    line(COLUMNS),
    ...prices.map((price) =>
      line(
        fieldsOf(price).map((value) =>
          value instanceof Date ? day(value) : typeof value === 'number' ? number(value) : value,
        ),
      ),
    ),
  ].join('');
}

/**
 * Names without spaces and control characters, and without U+FFFD: it stands for bytes that are no
 * text, so rows with it are rejected, and the writer of workbooks leaves it out.
 */
const marketName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => `M${text.replace(/[\p{C}\p{Z}\ufffd]/gu, '').normalize('NFC')}`);

const prices = fc.array(
  fc.record({
    market: marketName,
    date: fc
      .date({ min: new Date('1950-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map((date) => new Date(iso(date))),
    price_value: fc.integer({ min: 1, max: 100_000_000 }).map((cents) => cents / 100),
  }),
  { maxLength: 20 },
);

/** The two rows that show each convention. */
const plain = [
  { market: 'Kisumu', date: new Date('2024-01-31'), price_value: 1250.5 },
  { market: 'Kisumu', date: new Date('2024-02-29'), price_value: 0.25 },
];

it('reads a table the same in every form', async () => {
  await assertProperty(
    'tables are equal in every form',
    fc.asyncProperty(prices, fc.integer({ min: 1, max: 5000 }), async (random, length) => {
      const table = [...plain, ...random];
      const results: Record<string, unknown> = {};
      for (const [form, write] of Object.entries(FORMS)) {
        const input = { bytes: chunksOf(await write(table), length), maxBytes: Infinity };
        const { rows, rejects } = await collect(importFormats.prices!(inputText(input), {}));
        // Records of JSON have no header above them.
        const above = form === 'JSON' ? 0 : 1;
        results[form] = { rows: rows.map((row) => ({ ...row, line: row.line - above })), rejects };
      }
      const [first] = Object.values(results);
      expect(results).toEqual(Object.fromEntries(Object.keys(FORMS).map((form) => [form, first])));
      expect((first as { rows: unknown[] }).rows).toHaveLength(table.length);
    }),
    { numRuns: 200 },
  );
});
