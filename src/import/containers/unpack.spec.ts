import { zipSync } from 'fflate';
import { gzipSync } from 'node:zlib';
import { chunksOf } from '../../../test/support/import-input.js';
import { ImportRejected } from '../formats/batch.js';
import { inputText } from '../pipeline/input.js';
import { InputTooLarge } from './unpack.js';

const TEXT = 'date,market,price\n2024-01-15,Kisumu,45.5\n';
const MEGABYTE = 1024 * 1024;
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

interface Options {
  readonly length?: number;
  readonly maxBytes?: number;
  readonly encoding?: string;
  readonly file?: string;
}

async function read(
  content: string | Uint8Array,
  { length = 50, maxBytes = Infinity, ...options }: Options = {},
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of inputText({ bytes: chunksOf(content, length), maxBytes }, options))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const zip = (files: Record<string, string | Uint8Array>, level: 0 | 6 = 6): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          [typeof content === 'string' ? Buffer.from(content) : content, { level }],
        ]),
      ),
    ),
  );

const NEITHER = 'not CSV, JSON or an Excel workbook (.xlsx)';
const SAVE = `${NEITHER}: save it as .xlsx, or its sheet as CSV.`;
const WEB = `a web page, ${NEITHER}: the address or the download was not that of the file itself.`;

describe('inputText', () => {
  it.each<[string, Uint8Array]>([
    ['plain text', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    ['gzip in gzip', gzipSync(gzipSync(TEXT))],
    ['a zip archive', zip({ 'prices.csv': TEXT })],
    ['a zip archive without compression', zip({ 'prices.csv': TEXT }, 0)],
    ['gzip in a zip archive', zip({ 'prices.csv.gz': gzipSync(TEXT) })],
    [
      'a zip archive with notes, folders and the lists of FAOSTAT',
      zip({
        'Index_E_AreaCodes.csv': 'Area Code,Area\n',
        'folder/': '',
        'folder/Index_E_All_Data.csv': TEXT,
        'folder/Index_E_All_Data_NOFLAG.csv': TEXT,
        'Index_E_Flags.csv': 'Flag\n',
        '__MACOSX/._Index_E_All_Data.csv': 'x',
        'README.txt': 'Prices',
      }),
    ],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16 of the other byte order', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 in a zip archive', zip({ 'prices.txt': Buffer.from(`\ufeff${TEXT}`, 'utf16le') })],
  ])('reads %s, in chunks of any length', async (_, bytes) => {
    for (const length of [1, 7, 100_000]) expect(await read(bytes, { length })).toBe(TEXT);
  });

  it('reads the encoding that is specified, unless a mark names another', async () => {
    const word = Buffer.from('c1e0e7e0f0', 'hex');
    expect(await read(word, { encoding: 'windows-1251', length: 2 })).toBe('Базар');
    expect(await read(Buffer.from('bdd2', 'hex'), { encoding: 'euc-kr', length: 1 })).toBe('쌀');
    expect(await read(Buffer.from([0xe9, 0x92]), { encoding: 'latin1' })).toBe('é’');
    expect(await read(Buffer.from('\ufeffé', 'utf16le'), { encoding: 'windows-1251' })).toBe('é');
    await expect(read(Buffer.from([0x61, 0xff]), { encoding: 'utf-8' })).rejects.toEqual(
      new ImportRejected('The input is not text in the encoding utf-8.'),
    );
  });

  it.each<[string, Uint8Array, string]>([
    [
      'a binary workbook',
      zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.bin': '' }),
      `a binary Excel workbook (.xlsb), ${SAVE}`,
    ],
    [
      'a Word document',
      zip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '' }),
      `a Word document, ${NEITHER}: save its table as CSV.`,
    ],
    [
      'a workbook of LibreOffice',
      zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
      `an OpenDocument file, such as .ods, ${SAVE}`,
    ],
    [
      'an old workbook',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      `an Excel workbook of the old kind (.xls) or with a password, or another file of Microsoft Office, ${SAVE}`,
    ],
    [
      'a workbook as XML',
      bytesOf('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>'),
      `an Excel workbook as XML, ${SAVE}`,
    ],
    ['a web page', bytesOf('\n <!DOCTYPE html>\n<html>'), WEB],
    ['a web page in gzip', gzipSync('<html lang="en"><body>'), WEB],
    ['XML', bytesOf('<?xml version="1.0"?><prices/>'), `an XML file, ${NEITHER}.`],
    [
      'a PDF document',
      bytesOf('%PDF-1.7\n'),
      `a PDF document, ${NEITHER}: ask its publisher for the table as CSV.`,
    ],
    [
      'a pointer of Git LFS',
      bytesOf('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'),
      `a pointer of Git LFS, ${NEITHER}: the address or the download was not that of the file itself.`,
    ],
    ['RTF', bytesOf('{\\rtf1\\ansi'), `an RTF document, ${NEITHER}: save its table as CSV.`],
    ['Parquet', bytesOf('PAR1\x15\x00'), `a Parquet file, ${NEITHER}: write its table as CSV.`],
    ['an image', Buffer.from('89504e470d0a1a0a', 'hex'), `an image, ${NEITHER}.`],
    ['a photo', Buffer.from('ffd8ffe000104a46', 'hex'), `an image, ${NEITHER}.`],
    [
      'another archive',
      bytesOf('7z\xbc\xaf\x27\x1c'),
      `a 7z archive, ${NEITHER}: unpack it, and import the file in it.`,
    ],
  ])('names %s', async (_, bytes, name) => {
    for (const length of [1, 1000])
      await expect(read(bytes, { length })).rejects.toEqual(new ImportRejected(`The input is ${name}`));
  });

  const many = Array.from({ length: 9000 }, (_, line) => `${line},${line * 7}`).join('\n');
  const damaged = 'The zip archive is damaged, encrypted or not complete: unpack it, and import its file.';
  it.each<[string, Uint8Array, string]>([
    ['zero bytes', bytesOf('a\0b\n'), 'The input is not text: it has zero bytes in its first line.'],
    [
      'an archive without data',
      zip({ 'map.png': 'x' }),
      'The input is a zip archive without a CSV or JSON file or workbook.',
    ],
    ['an archive that is cut', zip({ 'prices.csv': many }).subarray(0, 9000), damaged],
    ['damaged gzip', gzipSync(TEXT).subarray(0, 30), 'The gzip input is damaged or truncated.'],
    [
      'archives in archives',
      [1, 2, 3, 4, 5].reduce((inner) => gzipSync(inner), Buffer.from(TEXT)),
      'The input is an archive in archives: unpack it.',
    ],
  ])('rejects %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toEqual(new ImportRejected(message));
  });

  it('reads the file of an archive that is named, of whatever kind and with or without its folder', async () => {
    const archive = zip({ 'a/ken.csv': 'x', 'a/uga.csv': TEXT, prices: TEXT, 'b/uga.csv': 'y' });
    for (const file of ['a/uga.csv', 'uga.csv', 'prices'])
      for (const length of [1, 1000]) expect(await read(archive, { file, length })).toBe(TEXT);
    expect(await read(Buffer.from(TEXT), { file: 'uga.csv' })).toBe(TEXT);
    expect(await read(gzipSync(archive), { file: 'prices' })).toBe(TEXT);
  });

  it('names the files of an archive of several, or where the named one is missing', async () => {
    const archive = zip({ 'ken.csv': TEXT, 'map.png': '', 'uga.csv': TEXT, 'tza.xlsx': TEXT });
    const specify = 'Specify one with --file NAME (over HTTP: file=NAME).';
    await expect(read(archive)).rejects.toEqual(
      new ImportRejected(
        `The input is a zip archive of several files, "ken.csv", "uga.csv", "tza.xlsx". ${specify}`,
      ),
    );
    await expect(read(archive, { file: 'rwa.csv' })).rejects.toEqual(
      new ImportRejected(
        `The zip archive has no file "rwa.csv", but "ken.csv", "uga.csv", "tza.xlsx". ${specify}`,
      ),
    );
    await expect(read(zip({ 'map.png': '' }), { file: 'rwa.csv' })).rejects.toEqual(
      new ImportRejected('The zip archive has no file "rwa.csv".'),
    );
  });

  it('leaves a workbook as it is, alone or in archives', async () => {
    const workbook = zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' });
    const text = workbook.toString();
    for (const length of [1, 1000]) {
      expect(await read(workbook, { length })).toBe(text);
      expect(await read(zip({ 'a/prices.xlsx': workbook }), { length })).toBe(text);
      expect(await read(gzipSync(workbook), { length, encoding: 'windows-1251' })).toBe(text);
    }
  });

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['gzip', (bytes) => gzipSync(bytes)],
    ['a zip archive', (bytes) => zip({ 'zeros.csv': bytes })],
    ['gzip in a zip archive', (bytes) => zip({ 'zeros.csv.gz': gzipSync(bytes) })],
  ])('stops a bomb in %s at its limit, in chunks that fit into memory', async (_, pack) => {
    const bomb = pack(Buffer.alloc(64 * MEGABYTE, 'x,'));
    let held = 0;
    let length = 0;
    const reading = (async () => {
      for await (const chunk of inputText({ bytes: chunksOf(bomb), maxBytes: 32 * MEGABYTE })) {
        held = Math.max(held, chunk.length);
        length += chunk.length;
      }
    })();
    await expect(reading).rejects.toEqual(
      new InputTooLarge('The input must be at most 33554432 bytes long after decompression.'),
    );
    expect(length).toBeLessThanOrEqual(32 * MEGABYTE);
    expect(held).toBeLessThan(4 * MEGABYTE);
  });
});
