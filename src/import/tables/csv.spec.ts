import fc from 'fast-check';
import { chunksOf } from '../../../test/support/import-input.js';
import { assertProperty } from '../../../test/support/property.js';
import { csvText } from '../../lib/text/csv.js';
import { ImportRejected } from '../formats/batch.js';
import { CsvFile } from './csv.js';

async function read(content: string | Uint8Array, length?: number, encoding?: 'windows-1252') {
  const file = await CsvFile.open(chunksOf(content, length), encoding);
  const records: [number, string[]][] = [];
  const unreadable: number[] = [];
  for await (const batch of file.batches()) {
    batch.records.forEach((record, index) => records.push([batch.lines[index]!, record]));
    unreadable.push(...batch.rejects.map(({ line }) => line));
  }
  return { header: file.header, delimiter: file.delimiter, records, unreadable };
}

/** Words in Windows-1251, 1253, KOI8-R, Windows-1256, GBK twice, Shift-JIS, EUC-KR, Windows-874. */
const inItsEncoding: Record<string, string> = {
  Базар: 'c1e0e7e0f0',
  Σίτος: 'd3dff4eff2',
  Хлеб: 'e8ccc5c2',
  قمح: 'dee3cd',
  大米: 'b4f3c3d7',
  小麦: 'd0a1c2f3',
  トマト: '8367837d8367',
  쌀밥: 'bdd2b9e4',
  ข้าว: 'a2e9d2c7',
};

describe('CsvFile', () => {
  it('splits lines at commas and returns the line number of each record', async () => {
    expect(await read('a,b\n1,2\n\n3,\n,4')).toEqual({
      header: ['a', 'b'],
      delimiter: ',',
      records: [
        [2, ['1', '2']],
        [4, ['3', '']],
        [5, ['', '4']],
      ],
      unreadable: [],
    });
  });

  it.each([1, 2, 3, 7, 100])('reads quoted fields, in chunks of %i bytes', async (length) => {
    const text = '\ufeffname,"text, long"\r\n"a, b","say ""é"""\r\nplain,x\r\n"two\r\nlines",y\r\n"",z';
    expect(await read(text, length)).toEqual({
      header: ['name', 'text, long'],
      delimiter: ',',
      records: [
        [2, ['a, b', 'say "é"']],
        [3, ['plain', 'x']],
        [4, ['two\r\nlines', 'y']],
        [6, ['', 'z']],
      ],
      unreadable: [],
    });
  });

  it('uses the delimiter of the header', async () => {
    expect(await read('a;b\n1,5;"x;y"\n')).toEqual({
      header: ['a', 'b'],
      delimiter: ';',
      records: [[2, ['1,5', 'x;y']]],
      unreadable: [],
    });
    expect((await read('"a;b;c",d\n1,2')).delimiter).toBe(',');
  });

  it('parses the content of a line that is quoted as a whole', async () => {
    expect((await read('a,b\n"1,2"\n"3,""x, y"""\n"one field"\n')).records).toEqual([
      [2, ['1', '2']],
      [3, ['3', 'x, y']],
      [4, ['one field']],
    ]);
  });

  it.each([10, 1000])(
    'rejects only the line with a misplaced quote, in chunks of %i bytes',
    async (length) => {
      expect(await read('a,b\n1,"x\n2,y\n3,"z" z\n4,"w"\n"5"5,v\n6,u', length)).toEqual({
        header: ['a', 'b'],
        delimiter: ',',
        records: [
          [3, ['2', 'y']],
          [5, ['4', 'w']],
          [7, ['6', 'u']],
        ],
        unreadable: expect.arrayContaining([2, 4, 6]),
      });
    },
  );

  it('rejects only the line with a quote that is never closed', async () => {
    const { records, unreadable } = await read(`a,b\n1,"x\n${'2,y\n'.repeat(100_000)}`);
    expect([records.length, records[0], records.at(-1), unreadable]).toEqual([
      100_000,
      [3, ['2', 'y']],
      [100_002, ['2', 'y']],
      [2],
    ]);
  });

  it('detects Windows-1252 line by line', async () => {
    const line = Buffer.concat([
      Buffer.from('a\nÄ é\n'),
      Buffer.from([0xc4, 0x20, 0x92, 0x0a]),
      Buffer.from('ü'),
    ]);
    expect((await read(line, 3, 'windows-1252')).records).toEqual([
      [2, ['Ä é']],
      [3, ['Ä ’']],
      [4, ['ü']],
    ]);
    expect((await read(line)).records[1]).toEqual([3, ['\ufffd \ufffd']]);
  });

  it('skips blank lines above the header', async () => {
    expect((await read('\n \r\na,b\n1,2')).records).toEqual([[4, ['1', '2']]]);
  });

  it.each(['', '\n', '\r\n\n'])('rejects %j as empty', async (text) => {
    await expect(read(text)).rejects.toEqual(new ImportRejected('The input is empty.'));
  });

  it('rejects a line that is too long', async () => {
    await expect(read('x'.repeat(5_000_000))).rejects.toThrow('a line longer than 4 MB');
  });

  it.each([
    ['tabs', 'a\tb\n1,5\t2\n', '\t'],
    ['bars', 'a|b\n1,5|2\n', '|'],
    ['a line sep=;', 'sep=;\r\na;b\r\n1,5;2\r\n', ';'],
    ['a line sep= that a spreadsheet has quoted', '"sep=;"\na;b\n1,5;2\n', ';'],
    ['a line sep= with a sign that the header does not show', 'sep=^\na^b\n1,5^2\n', '^'],
  ])('reads %s', async (_, text, delimiter) => {
    const found = await read(text, 3);
    expect([found.header, found.delimiter, found.records.map(([, record]) => record)]).toEqual([
      ['a', 'b'],
      delimiter,
      [['1,5', '2']],
    ]);
  });

  it.each([1, 1000])(
    'reads lines that end with carriage returns alone, in chunks of %i bytes',
    async (length) => {
      expect(await read('a,"b\n(x)"\r1,"two\nlines"\r\r3,4', length)).toEqual({
        header: ['a', 'b (x)'],
        delimiter: ',',
        records: [
          [3, ['1', 'two\nlines']],
          [6, ['3', '4']],
        ],
        unreadable: [],
      });
    },
  );

  it('reads a header whose names have line breaks, and one that is quoted as a whole', async () => {
    expect(await read('"unit\r\nof measure",b\r\n1,2')).toMatchObject({
      header: ['unit of measure', 'b'],
      records: [[3, ['1', '2']]],
    });
    expect(await read('"a,""b, c"""\n1,2')).toMatchObject({
      header: ['a', 'b, c'],
      records: [[2, ['1', '2']]],
    });
  });

  it.each([
    ['padded lines of a title', 'Prices,,,,,\nDownloaded,2024-05-01,,,,\n,,,,,\n', 5],
    ['plain lines of a title', 'Prices in shillings, by market\n\nSource: the ministry\n', 5],
  ])('leaves %s out', async (_, title, line) => {
    expect(await read(`${title}a,b,c,d,e,f\n1,2,3,4,5,6\n`)).toMatchObject({
      header: ['a', 'b', 'c', 'd', 'e', 'f'],
      records: [[line, ['1', '2', '3', '4', '5', '6']]],
    });
  });

  it('takes no row for the header because it is longer', async () => {
    expect(await read('name\nRetail, that is, to people\nWholesale\n')).toMatchObject({
      header: ['name'],
      records: [
        [2, ['Retail', ' that is', ' to people']],
        [3, ['Wholesale']],
      ],
    });
    expect(await read('a,b\n1,2,3,4\n1,2,3,4\n')).toMatchObject({ header: ['a', 'b'] });
  });

  it.each(Object.entries(inItsEncoding))(
    'rejects %s in the encoding of its language, where it is not UTF-8',
    async (_, bytes) => {
      for (const [before, after] of [
        ['a,b\n1,', ',\n'],
        ['a,b\n1,"', '"\n'],
      ] as const) {
        const line = Buffer.concat([Buffer.from(before), Buffer.from(bytes, 'hex'), Buffer.from(after)]);
        await expect(read(line, 7, 'windows-1252')).rejects.toThrow(
          /^The input is neither UTF-8 nor Windows-1252, in which it would have the word "[^"]+"\. Specify the encoding that it was saved in with --encoding windows-1251 or --encoding macintosh \(over HTTP: encoding=windows-1251 or encoding=macintosh\) or another, or save it in UTF-8\.$/,
        );
      }
    },
  );

  it.each([
    ['Turkish in Windows-1254', 'Diyarbak\xfdr'],
    ['Polish in Windows-1250', 'Stara \xa3\xf3d\x9f'],
    ['Polish in Windows-1250, one letter', '\xa3uk\xf3w'],
    ['Romanian in Windows-1250', 'Bucure\xbati'],
    ['Croatian in Windows-1250', 'Sv. \xd0ur\xf0'],
    ['French of a Mac', 'D\x8edougou'],
    ['French of a Mac, at the end', 'caf\x8e'],
    ['ô of a Mac', 'd\x99me'],
  ])('rejects %s', async (_, text) => {
    const line = Buffer.from(`a,b\n1,${text}\n`, 'latin1');
    await expect(read(line, 7, 'windows-1252')).rejects.toThrow(/neither UTF-8 nor Windows-1252/);
  });

  it.each([
    "Côte d'Ivoire",
    'Réunion – “créée” à Saint-Étienne… 5 €/m²',
    'N° 5, «Œuvre» d´Ivoire · l’été',
    'São Tomé e Príncipe: farinha de milho ½ kg, 1ª qualidade',
    'año ¿qué? piñón',
    'Åland Ööbiku jäääär',
  ])('reads %s in Windows-1252', async (text) => {
    const codes: Record<string, number> = { '€': 0x80, '…': 0x85, Œ: 0x8c, '’': 0x92, '“': 0x93, '”': 0x94 };
    const bytes = Array.from(text, (letter) =>
      letter === '–' ? 0x96 : (codes[letter] ?? letter.charCodeAt(0)),
    );
    const line = Buffer.concat([Buffer.from('a;b\n1;'), Buffer.from(bytes), Buffer.from('\n')]);
    expect((await read(line, 5, 'windows-1252')).records).toEqual([[2, ['1', text]]]);
  });

  it('reads what a CSV writer wrote', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r\n', ' ', '1', '𝄞') });
    const records = fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 20 });
    await assertProperty(
      'CSV read as written',
      fc.asyncProperty(records, fc.integer({ min: 1, max: 40 }), async (rows, length) => {
        // The first field is never blank, so that no record is a blank line.
        const lines = rows.map((row) => ['x', ...row].map(csvText).join(','));
        const { records: found } = await read(`a,b,c,d\r\n${lines.join('\r\n')}`, length);
        const unguarded = (text: string) => (/^'/.test(text) ? text.slice(1) : text);
        expect(found.map(([, record]) => record.map(unguarded))).toEqual(rows.map((row) => ['x', ...row]));
      }),
    );
  });
});
