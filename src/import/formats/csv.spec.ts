import fc from 'fast-check';
import { chunksOf } from '../../../test/support/import-input.js';
import { assertProperty } from '../../../test/support/property.js';
import { csvText } from '../../lib/text/csv.js';
import { ImportRejected } from './batch.js';
import { CsvFile } from './csv.js';

async function read(content: string | Uint8Array, length?: number, encoding?: 'windows-1252') {
  const file = await CsvFile.open(chunksOf(content, length), encoding);
  const records: [number, string[]][] = [];
  const unreadable: number[] = [];
  for await (const batch of file.batches()) {
    batch.records.forEach((record, index) => records.push([batch.lines[index]!, record]));
    unreadable.push(...batch.unreadable);
  }
  return { header: file.header, delimiter: file.delimiter, records, unreadable };
}

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
