import { zipSync, type Zippable } from 'fflate';

/** A sheet of a workbook by hand. */
interface SheetXml {
  readonly name: string;
  /** What stands in `sheetData`: `<row r="1">…`. */
  readonly rows: string;
  readonly state?: 'hidden' | 'veryHidden';
}

/** What a workbook by hand has besides its sheets. */
interface WorkbookXml {
  /** The items of the shared strings: `<si><t>…</t></si>`. */
  readonly strings?: string;
  /** What stands in `styleSheet`. */
  readonly styles?: string;
  readonly isOf1904?: boolean;
  /** Other or further files of the archive. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATED = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** An Excel workbook of the XML that is given, for what no program writes as a test wants it. */
export function workbookOf(
  sheets: readonly SheetXml[],
  {
    strings,
    styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    isOf1904,
    files,
  }: WorkbookXml = {},
): Buffer {
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATED}/${type}" Target="${target}"/>`;
  const relationships = (list: string) =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list}</Relationships>`;
  const names = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const parts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml':
      `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATED}">` +
      `${isOf1904 === true ? '<workbookPr date1904="1"/>' : ''}<sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      sheets
        .map((_, index) => relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`))
        .join('') +
        relationship('rIdStyles', 'styles', '/xl/styles.xml') +
        (strings === undefined ? '' : relationship('rIdStrings', 'sharedStrings', 'sharedStrings.xml')),
    ),
    'xl/styles.xml': `${DECLARATION}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...(strings === undefined
      ? {}
      : { 'xl/sharedStrings.xml': `${DECLARATION}<sst xmlns="${MAIN}">${strings}</sst>` }),
    ...files,
  };
  const zippable: Zippable = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? Buffer.from(part) : part]),
  );
  return Buffer.from(zipSync(zippable));
}

/** A value of a cell. */
type Cell = string | number | boolean | null;

/** Rows of cells as `sheetData` has them; texts are inline. */
export const rowsXml = (rows: readonly (readonly Cell[])[]): string =>
  rows
    .map((cells, index) => `<row r="${index + 1}">${cells.map((cell) => cellXml(cell)).join('')}</row>`)
    .join('');

function cellXml(cell: Cell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c t="b"><v>${Number(cell)}</v></c>`;
  const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}
