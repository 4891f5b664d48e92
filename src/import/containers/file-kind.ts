/** What tables may be in. */
const READ_KINDS = 'CSV, JSON or an Excel workbook (.xlsx)';
/** What to do with a file that is none of them. */
const SAVE_SHEET = 'save it as .xlsx, or its sheet as CSV';
const SAVE_TABLE = 'save its table as CSV';
const UNPACK = 'unpack it, and import the file in it';
const TAKE_THE_FILE = 'the address or the download was not that of the file itself';

/** A kind of file that no format reads, by the bytes that it begins with. */
interface FileKind {
  readonly name: string;
  readonly advice?: string;
  /** In Latin-1, which has a character for each byte. */
  readonly begin: string | RegExp;
}

const BINARY_KINDS: readonly FileKind[] = [
  { name: 'a PDF document', advice: 'ask its publisher for the table as CSV', begin: '%PDF-' },
  // Workbooks, documents and slides of Office 97 to 2003 have the same container.
  {
    name: 'an Excel workbook of the old kind (.xls) or with a password, or another file of Microsoft Office',
    advice: SAVE_SHEET,
    begin: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  },
  { name: 'a Parquet file', advice: 'write its table as CSV', begin: 'PAR1' },
  { name: 'an Arrow file', advice: 'write its table as CSV', begin: /^(ARROW1|FEA1)/ },
  { name: 'an SQLite database', advice: 'write its table as CSV', begin: 'SQLite format 3\0' },
  { name: 'an Access database', advice: 'write its table as CSV', begin: /^\0\x01\0\0Standard (Jet|ACE) DB/ },
  { name: 'a file of R', advice: 'write its table as CSV', begin: /^(RD[AX][23]\n|[XA]\n\0\0\0[23]\0)/ },
  { name: 'a file of Stata', advice: 'write its table as CSV', begin: '<stata_dta>' },
  { name: 'a file of SPSS', advice: 'write its table as CSV', begin: /^\$FL[23]/ },
  { name: 'an HDF5 file', advice: 'write its table as CSV', begin: '\x89HDF\r\n\x1a\n' },
  {
    name: 'an image',
    begin: /^(\x89PNG|\xff\xd8\xff|GIF8[79]a|II\*\0|MM\0\*|RIFF[^]{4}WEBP|BM[^]{4}\0\0\0\0)/,
  },
  { name: 'a bzip2 archive', advice: UNPACK, begin: /^BZh[1-9]1AY&SY/ },
  { name: 'an xz archive', advice: UNPACK, begin: '\xfd7zXZ\0' },
  { name: 'a Zstandard archive', advice: UNPACK, begin: '\x28\xb5\x2f\xfd' },
  { name: 'a 7z archive', advice: UNPACK, begin: '7z\xbc\xaf\x27\x1c' },
  { name: 'a RAR archive', advice: UNPACK, begin: 'Rar!\x1a\x07' },
  { name: 'a tar archive', advice: UNPACK, begin: /^[^]{257}ustar/ },
  {
    name: 'text in UTF-32',
    advice: 'save it in UTF-8',
    begin: /^(\xff\xfe\0\0|\0\0\xfe\xff)/,
  },
];

const TEXT_KINDS: readonly FileKind[] = [
  {
    name: 'a pointer of Git LFS',
    advice: TAKE_THE_FILE,
    begin: 'version https://git-lfs.github.com/spec/',
  },
  { name: 'an RTF document', advice: SAVE_TABLE, begin: '{\\rtf' },
  {
    name: 'an Excel workbook as XML',
    advice: SAVE_SHEET,
    begin: /^\s*<\?xml[^]{0,500}(progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet)/,
  },
  {
    name: 'a web page',
    advice: TAKE_THE_FILE,
    begin:
      /^\s*(<\?xml[^>]*>\s*)?(<!--[^]{0,500}?-->\s*)*<(!doctype\s+html|html|head|title|meta|body|script|style|table|div|p)\b/i,
  },
  { name: 'a web page', advice: TAKE_THE_FILE, begin: /^MIME-Version: / },
  { name: 'an XML file', begin: /^\s*<(\?xml|[a-z]\w*:?\w*[\s>/])/i },
];

/** Bytes that are compared; the longest begin of a kind is shorter. */
const COMPARED_BYTES = 2048;

/**
 * What a file is that no format reads, as a sentence, by its first bytes; null where they may be
 * those of a table or of JSON.
 */
export function binaryKind(head: Uint8Array): string | null {
  return kindOf(head, BINARY_KINDS);
}

/** The same of a file that is text in UTF-8. */
export function textKind(head: Uint8Array): string | null {
  const found = kindOf(head, TEXT_KINDS);
  if (found !== null) return found;
  // Only the first line: a single such byte further down spoils one row.
  const end = head.indexOf(10);
  return (end < 0 ? head : head.subarray(0, end)).includes(0)
    ? 'The input is not text: it has zero bytes in its first line.'
    : null;
}

function kindOf(head: Uint8Array, kinds: readonly FileKind[]): string | null {
  const text = Buffer.from(head.subarray(0, COMPARED_BYTES))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const kind = kinds.find(({ begin }) =>
    typeof begin === 'string' ? text.startsWith(begin) : begin.test(text),
  );
  if (kind === undefined) return null;
  const { name, advice } = kind;
  return `The input is ${name}, not ${READ_KINDS}${advice === undefined ? '' : `: ${advice}`}.`;
}

/** A message for a zip archive that is a document by the names of its first files; else null. */
export function documentKind(names: readonly string[]): string | null {
  const has = (begin: string) => names.some((name) => name.startsWith(begin));
  const is = (name: string, advice: string) => `The input is ${name}, not ${READ_KINDS}: ${advice}.`;
  if (has('word/')) return is('a Word document', SAVE_TABLE);
  if (has('ppt/')) return is('a presentation', SAVE_TABLE);
  if (has('xl/workbook.bin')) return is('a binary Excel workbook (.xlsb)', SAVE_SHEET);
  if (!isWorkbook(names) && (has('mimetype') || has('META-INF/manifest.xml')))
    return is('an OpenDocument file, such as .ods', SAVE_SHEET);
  return null;
}

/** Whether a zip archive is an Excel workbook (.xlsx) by the names of its first files. */
export function isWorkbook(names: readonly string[]): boolean {
  const has = (begin: string) => names.some((name) => name.startsWith(begin));
  return (
    has('[Content_Types].xml') || has('_rels/') || names.some((name) => /^xl\/.+\.(xml|rels)$/.test(name))
  );
}
