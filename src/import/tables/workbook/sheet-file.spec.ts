import writeXlsxFile from 'write-excel-file/node';
import { chunksOf } from '../../../../test/support/import-input.js';
import { rowsXml, workbookOf } from '../../../../test/support/workbook.js';
import { ImportRejected } from '../../formats/batch.js';
import { openTable } from '../open-table.js';
import type { TableFile } from '../table-file.js';

const MEGABYTE = 1024 * 1024;
const NAMED = '--sheet NAME (over HTTP: sheet=NAME)';

interface Options {
  readonly sheet?: string;
  readonly isWanted?: (file: TableFile) => boolean;
  readonly length?: number;
}

/** The header, the rows with their numbers and types, and what is rejected. */
async function read(bytes: Uint8Array, { sheet, isWanted = () => true, length }: Options = {}) {
  const file = await openTable(chunksOf(bytes, length), {
    sheet,
    isWanted: (table) => Promise.resolve(isWanted(table)),
  });
  const rows: (readonly [number, string[], string | undefined])[] = [];
  const rejects: string[] = [];
  for await (const batch of file.batches()) {
    batch.records.forEach((record, index) => rows.push([batch.lines[index]!, record, batch.types?.[index]]));
    for (const { line, reason, detail } of batch.rejects) rejects.push(`${line} ${reason}: ${detail}`);
  }
  return { header: file.header, rows, rejects, notes: file.notes };
}

const rejection = (bytes: Uint8Array, options?: Options) => expect(read(bytes, options)).rejects;

const damaged = new ImportRejected(
  'The workbook is damaged or not complete: open it, and save it as .xlsx again.',
);
const tooLarge = new ImportRejected('The sheet has more than 2 million cells: save it as CSV, or divide it.');

const sheet = (rows: string, name = 'Prices') => ({ name, rows });

describe('SheetFile', () => {
  it('reads what a program has written, in chunks of any length', async () => {
    const rows = [
      ['market', 'date', 'price', 'is final'].map((value) => ({ value })),
      [
        { value: ' Nairobi & "Süd" ' },
        { value: new Date('2024-01-15'), format: 'dd/mm/yyyy' },
        { value: 45.25 },
        { value: true },
      ],
      [
        { value: 'Kisumu' },
        { value: new Date('2024-02-15T06:30:00Z'), format: 'd mmm yy hh:mm' },
        null,
        null,
      ],
    ];
    const bytes = await writeXlsxFile(rows as never, {}).toBuffer();
    for (const length of [1, 1000, bytes.length])
      expect(await read(bytes, { length })).toEqual({
        header: ['market', 'date', 'price', 'is final'],
        rows: [
          [2, [' Nairobi & "Süd" ', '2024-01-15', '45.25', 'true'], 'tdnt'],
          [3, ['Kisumu', '2024-02-15T06:30:00', '', ''], 'td'],
        ],
        rejects: [],
        notes: [],
      });
  });

  it('reads cells of every type', async () => {
    const strings =
      '<si><t>text</t></si><si><r><rPr><b/></rPr><t>rich </t></r><r><t>text</t></r></si>' +
      '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>two_x000D_\nlines</t></si><si><t/></si>';
    const cells = (names: string) =>
      names
        .split(' ')
        .map((name) => `<c t="str"><v>${name}</v></c>`)
        .join('');
    const rows =
      `<row r="1">${cells('a b c d e f g h i j')}</row>` +
      '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c>' +
      '<c r="D3" t="s"><v>3</v></c><c r="E3" t="s"><v>4</v></c><c r="F3" t="e"><f>NA()</f><v>#N/A</v></c>' +
      '<c r="G3"><f>1+0.25</f><v>1.25</v></c><c r="H3" t="str"><f>""</f><v></v></c>' +
      '<c r="I3" t="d"><v>2024-01-15T00:00:00</v></c><c r="J3" t="b"><v>0</v></c></row>' +
      '<row><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c><v>1E-7</v></c><c s="1"/>' +
      '<c r="G4"><v>12345678.125</v></c></row>';
    expect(await read(workbookOf([sheet(rows)], { strings }))).toEqual({
      header: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
      rows: [
        [
          3,
          ['text', 'rich text', '東京', 'two\r\nlines', '', '#N/A', '1.25', '', '2024-01-15', 'false'],
          'ttttttntdt',
        ],
        [4, ['inline', '1e-7', '', '', '', '', '12345678.125', '', '', ''], 'tnttttn'],
      ],
      rejects: [],
      notes: [],
    });
  });

  it.each([
    [
      false,
      ['1900-01-01', '1900-02-28', '60', '1900-03-01', '2024-01-15', '2024-01-15T12:00:00', '06:00:00'],
    ],
    [
      true,
      [
        '1904-01-02',
        '1904-02-29',
        '1904-03-01',
        '1904-03-02',
        '2028-01-16',
        '2028-01-16T12:00:00',
        '1904-01-01T06:00:00',
      ],
    ],
  ])('counts days from the epoch of the workbook, of 1904: %s', async (isOf1904, dates) => {
    const serials = [1, 59, 60, 61, 45306, 45306.5, 0.25];
    const rows = serials.map((serial) => `<row><c t="str"><v>x</v></c><c s="1"><v>${serial}</v></c></row>`);
    const bytes = workbookOf(
      [sheet(`<row><c t="str"><v>a</v></c><c t="str"><v>date</v></c></row>${rows.join('')}`)],
      {
        isOf1904,
      },
    );
    expect((await read(bytes)).rows.map(([, [, date]]) => date)).toEqual(dates);
  });

  it('knows formats of dates from those of numbers', async () => {
    const formats = [
      'General',
      '0.00',
      '#,##0.00 "days"',
      '[Red]0;[Blue]-0',
      '0.00E+00',
      '_-* #,##0_-',
      '\\d0',
      '[$-409]#,##0',
      'yyyy-mm-dd',
      'mmm\\-yy',
      '[$-407]d. mmmm yyyy',
      '[h]:mm',
      'h:mm AM/PM',
      '"Q"0 yyyy',
    ];
    const styles =
      `<numFmts>${formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>` +
      `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join('')}</cellXfs>`;
    const header = `<row>${formats.map((_, index) => `<c t="str"><v>c${index}</v></c>`).join('')}</row>`;
    const cells = `<row>${formats.map((_, index) => `<c s="${index}"><v>45306</v></c>`).join('')}</row>`;
    const { rows } = await read(workbookOf([sheet(header + cells)], { styles }));
    expect(rows[0]![2]).toBe('nnnnnnnndddddd');
  });

  it('reads prefixes, comments, CDATA and parts in any order', async () => {
    const worksheet =
      '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><!-- a --><x:sheetData>' +
      '<x:row r="1"><x:c t="str"><x:v>a</x:v></x:c><x:c t="str"><x:v><![CDATA[b<c]]></x:v></x:c></x:row>' +
      '<x:row r="2"><x:c><x:v>1</x:v></x:c><x:c t="str"><x:v>A&amp;&#66;</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const bytes = workbookOf([sheet('')], { files: { 'xl/worksheets/sheet1.xml': worksheet } });
    expect(await read(bytes)).toMatchObject({ header: ['a', 'b<c'], rows: [[2, ['1', 'A&B'], 'nt']] });
  });

  it('finds a header below a title, and a table that begins in another column', async () => {
    const rows = rowsXml([
      ['Prices of markets, 2024'],
      [],
      [null, ' market\nname', 'date', 'price'],
      [null, 'Kisumu', '2024-01', 5],
      ['note', 'Kisumu', '2024-02', 6],
      [null, 'Kisumu', '2024-03', 7, null, 'far'],
    ]);
    expect(await read(workbookOf([sheet(rows)]))).toEqual({
      header: ['market name', 'date', 'price'],
      rows: [
        [4, ['Kisumu', '2024-01', '5'], 'ttn'],
        [6, ['Kisumu', '2024-03', '7', '', 'far'], 'ttntt'],
      ],
      rejects: ['5 columns: The row has "note" in a column without a name, before those of the table.'],
      notes: [],
    });
  });

  it('rejects rows with formulas that no program has calculated', async () => {
    const row = (cells: string) => `<row>${cells}</row>`;
    const names = '<c t="str"><v>a</v></c><c t="str"><v>b</v></c>';
    const rows =
      row(names) + row('<c><v>1</v></c><c><f>A2*2</f><v></v></c>') + row('<c><v>1</v></c><c><f>A3</f></c>');
    const detail =
      'no_result: The workbook has a formula without its result: open it in a spreadsheet program, and save it there.';
    expect(await read(workbookOf([sheet(rows)]))).toMatchObject({
      rows: [],
      rejects: [`2 ${detail}`, `3 ${detail}`],
    });
  });

  describe('of several sheets', () => {
    const table = (value: string) =>
      rowsXml([
        ['a', 'b'],
        [value, 1],
      ]);
    const notes = sheet(rowsXml([['About these data']]), 'About');
    const one = sheet(table('one'), 'One');
    const two = sheet(table('two'), 'Two');

    it('reads the one with a table', async () => {
      expect(await read(workbookOf([notes, one, { ...two, state: 'hidden' }]))).toMatchObject({
        rows: [[2, ['one', '1'], 'tn']],
        notes: ['The sheet read is "One".'],
      });
    });

    it('reads the one that is wanted, by its first rows', async () => {
      const seen: unknown[] = [];
      const isWanted = (file: TableFile) => seen.push(file.header) === 2;
      expect((await read(workbookOf([one, two]), { isWanted })).rows).toEqual([[2, ['two', '1'], 'tn']]);
      expect(seen).toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ]);
    });

    it('reads the first one where none is wanted: the reader says what is wrong with it', async () => {
      expect((await read(workbookOf([one, two]), { isWanted: () => false })).rows).toEqual([
        [2, ['one', '1'], 'tn'],
      ]);
    });

    it('reads the one that is named, hidden or not', async () => {
      const bytes = workbookOf([one, { ...two, state: 'veryHidden' }]);
      expect((await read(bytes, { sheet: 'Two' })).rows).toEqual([[2, ['two', '1'], 'tn']]);
    });

    it('asks where several are wanted, and names those there are', async () => {
      await rejection(workbookOf([notes, one, two])).toEqual(
        new ImportRejected(
          `Several sheets of the workbook have such a table: "One", "Two". Specify one with ${NAMED}.`,
        ),
      );
      await rejection(workbookOf([one, two]), { sheet: 'Three' }).toEqual(
        new ImportRejected(`The workbook has no sheet "Three", but "One", "Two". Specify one with ${NAMED}.`),
      );
      await rejection(workbookOf([notes, one]), { sheet: 'About' }).toEqual(
        new ImportRejected('The sheet "About" has no header with rows below it.'),
      );
    });
  });

  const header = rowsXml([['a', 'b']]);
  const row = '<row><c><v>1</v></c><c><v>2</v></c></row>';
  it.each<[string, () => Uint8Array, ImportRejected]>([
    [
      'no rows',
      () => workbookOf([sheet('')]),
      new ImportRejected('No sheet of the workbook has a header with rows below it.'),
    ],
    [
      'a header alone',
      () => workbookOf([sheet(header)]),
      new ImportRejected('No sheet of the workbook has a header with rows below it.'),
    ],
    ['no sheets', () => workbookOf([]), new ImportRejected('The workbook has no sheet with cells.')],
    [
      'another kind of document',
      () => workbookOf([sheet(row)], { files: { 'xl/workbook.xml': '<a/>' } }),
      new ImportRejected('The workbook has no sheet with cells.'),
    ],
    ['XML that is not well-formed', () => workbookOf([sheet(`${header}<row><c></row>`)]), damaged],
    [
      'a reference to no text',
      () => workbookOf([sheet(`${header}<row><c t="s"><v>7</v></c></row>`)]),
      damaged,
    ],
    ['a number that is none', () => workbookOf([sheet(`${header}<row><c><v>1,5</v></c></row>`)]), damaged],
    ['a column that no sheet has', () => workbookOf([sheet('<row><c r="ZZZ1"><v>1</v></c></row>')]), damaged],
    ['a row that no sheet has', () => workbookOf([sheet('<row r="1048577"><c><v>1</v></c></row>')]), damaged],
    [
      'a part that is missing',
      () => workbookOf([sheet('')], { files: { 'xl/_rels/workbook.xml.rels': '' } }),
      damaged,
    ],
    [
      'entities that grow',
      () =>
        workbookOf([sheet('')], {
          files: {
            'xl/worksheets/sheet1.xml':
              '<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>' +
              '<worksheet><sheetData><row><c t="str"><v>&c;</v></c></row></sheetData></worksheet>',
          },
        }),
      damaged,
    ],
    ['tags within tags without end', () => workbookOf([sheet('<a>'.repeat(1_000_000))]), damaged],
    [
      'a sheet that is cut',
      () => workbookOf([sheet(header + row.repeat(20_000))]).subarray(0, 1500),
      damaged,
    ],
    [
      'a million empty rows',
      () => workbookOf([sheet('<row/>'.repeat(1_000_000))]),
      new ImportRejected('No sheet of the workbook has a header with rows below it.'),
    ],
    ['more rows than a sheet has', () => workbookOf([sheet(header + '<row/>'.repeat(1_048_576))]), damaged],
    ['more cells than are read', () => workbookOf([sheet(header + row.repeat(1_000_001))]), tooLarge],
    [
      'cells far to the right in each row',
      () => workbookOf([sheet(header + '<row><c r="XFD1"><v>1</v></c></row>'.repeat(4000))]),
      tooLarge,
    ],
    [
      'a header that makes each row wide',
      () =>
        workbookOf([
          sheet(`<row><c t="str"><v>a</v></c><c r="XFD1" t="str"><v>b</v></c></row>${row.repeat(4000)}`),
        ]),
      tooLarge,
    ],
    [
      'a text without end',
      () => workbookOf([sheet(`<row><c t="str"><v>${'x'.repeat(20 * MEGABYTE)}</v></c></row>`)]),
      new ImportRejected('The workbook is not a table: it has a value longer than 4 MB.'),
    ],
    [
      'a comment without end',
      () => workbookOf([sheet(`<!--${' '.repeat(20 * MEGABYTE)}-->`)]),
      new ImportRejected('The workbook is not a table: it has a value longer than 4 MB.'),
    ],
    [
      'texts that are too long together',
      () => workbookOf([sheet('')], { strings: '<si><t>abcdefgh</t></si>'.repeat(3_000_000) }),
      new ImportRejected('The workbook has more than 64 MB in xl/sharedStrings.xml: save its sheet as CSV.'),
    ],
  ])('rejects a workbook with %s', async (_, bytes, error) => {
    await rejection(bytes(), { length: 64 * 1024 }).toEqual(error);
  });
});
