import { ImportRejected } from '../../formats/batch.js';
import type { Epoch } from '../../../lib/dates/spreadsheet-day.js';
import { readDateStyles } from './cell-styles.js';
import { readSharedStrings } from './shared-strings.js';
import { type CellContext, type SheetRow, sheetRows } from './sheet-rows.js';
import { damagedWorkbook, WorkbookParts } from './workbook-parts.js';

/** Maximum length of the parts that say what a workbook consists of. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Sheets of a workbook. */
const MAX_SHEETS = 200;

/** A sheet with cells. */
export interface WorksheetEntry {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

/** An Excel workbook (.xlsx): its sheets, and their rows while they are unpacked. */
export class WorkbookSheets {
  private constructor(
    private readonly parts: WorkbookParts,
    readonly sheets: readonly WorksheetEntry[],
    private readonly context: CellContext,
  ) {}

  /** @throws ImportRejected for a workbook that is damaged or too large, or has no sheet */
  static async open(chunks: AsyncIterable<Uint8Array>): Promise<WorkbookSheets> {
    const parts = await WorkbookParts.collect(chunks);
    const whole = [...(await parts.relationships('', MAX_BYTES)).values()];
    const path = whole.find(({ type }) => type === 'officeDocument')?.path;
    if (path === undefined) throw damagedWorkbook();
    const related = await parts.relationships(path, MAX_BYTES);
    const sheets: WorksheetEntry[] = [];
    let epoch: Epoch = 1900;
    await parts.readWhole(path, MAX_BYTES, {
      open(name, attributes) {
        if (name === 'workbookPr' && ['1', 'true'].includes(attributes.date1904 ?? '')) epoch = 1904;
        if (name !== 'sheet') return;
        const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
        const part = related.get(id);
        // Others have charts.
        if (part?.type !== 'worksheet') return;
        const { name: title = '', state = 'visible' } = attributes;
        sheets.push({ name: title, isHidden: state !== 'visible', path: part.path });
      },
    });
    if (sheets.length === 0) throw new ImportRejected('The workbook has no sheet with cells.');
    if (sheets.length > MAX_SHEETS)
      throw new ImportRejected(
        `The workbook has more than ${MAX_SHEETS} sheets: save the one to import alone.`,
      );
    const pathOf = (type: string) => [...related.values()].find((part) => part.type === type)?.path;
    const [styles, strings] = [pathOf('styles'), pathOf('sharedStrings')];
    return new WorkbookSheets(parts, sheets, {
      epoch,
      dateStyles: styles === undefined ? [] : await readDateStyles(parts, styles),
      strings: strings === undefined ? [] : await readSharedStrings(parts, strings),
    });
  }

  /** The rows of a sheet that have a value, some at a time. @throws ImportRejected */
  rows({ path }: WorksheetEntry): AsyncGenerator<SheetRow[]> {
    return sheetRows(this.parts, path, this.context);
  }
}
