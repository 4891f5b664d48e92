import { iso3OfM49 } from '../../lib/codes/countries.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { CpiDto } from '../../reference/cpi/cpi.dto.js';
import { WrongFormat } from './batch.js';
import type { CsvFile } from './csv.js';
import { headerMessage } from './header-problem.js';
import { isTableHeader, describeColumns, headerLayout, readTable } from './table-reader.js';
import { RecordBatch, RowReader } from './table-rows.js';
import { quoteValue } from './values.js';

const table = new ReferenceTable(CpiDto);
const rows = new RowReader(table);

/** The accepted layouts, for error messages. */
export const CPI_LAYOUTS =
  `${describeColumns(table)}, or FAO's consumer price indices, long (iso3,m49,area,item_code,item,date,value) ` +
  'or wide (Area Code,Area Code (M49),…,Item Code,Item,…,Months Code,…,Y2000,Y2001,…)';

/** FAO's codes of the imported indices; its other items are inflation rates and regional means. */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['23012', 'general'],
  ['23013', 'food'],
]);
const BASE_PERIOD = /\(\s*(\d{4}(?:-\d{2,4})?)\s*=\s*100\s*\)/;
/** FAO's month codes are 7001 to 7012; 7021 is the whole year. */
const MONTH_CODE = /^70(0[1-9]|1[0-2])$/;

const LONG_COLUMNS = ['iso3', 'item_code', 'item', 'date', 'value'];
const WIDE_COLUMNS = ['Area Code (M49)', 'Item Code', 'Item', 'Months Code'];

/** The layouts, for messages about headers. */
const LAYOUTS = [
  headerLayout(table),
  { required: LONG_COLUMNS, optional: null },
  { required: WIDE_COLUMNS, optional: null },
];

/**
 * Reads consumer price indices in any of the accepted layouts. Each cell of a wide table counts as
 * a row.
 * @param source in place of the one that the layout or the row names
 * @throws ImportRejected for any other layout
 */
export function readCpi(file: CsvFile, source?: string): AsyncGenerator<RecordBatch> {
  const { header } = file;
  if (isTableHeader(table, header)) return readTable(file, table, source === undefined ? {} : { source });
  const years = header.flatMap((column, position) =>
    /^Y\d{4}$/.test(column) ? [{ year: column.slice(1), position }] : [],
  );
  const long = LONG_COLUMNS.every((column) => header.includes(column));
  const wide = WIDE_COLUMNS.every((column) => header.includes(column)) && years.length > 0;
  if (!long && !wide) throw new WrongFormat(headerMessage('cpi', header, LAYOUTS, CPI_LAYOUTS));
  const itemColumn = long ? 'item' : 'Item';
  const create = () => new RecordBatch(table);
  return file.read(create, (record, line, batch) => {
    const field = (column: string) => record[header.indexOf(column)]!;
    // The wide table has an apostrophe before the code, so that spreadsheets keep leading zeros.
    const iso3 = long ? field('iso3').trim() : iso3OfM49(field('Area Code (M49)').trim().replace(/^'/, ''));
    const item = ITEMS.get(field(long ? 'item_code' : 'Item Code').trim());
    const base_period = BASE_PERIOD.exec(field(itemColumn))?.[1];
    if (iso3 && item && base_period === undefined) {
      const detail = `${itemColumn} must state the base period, such as (2015 = 100), not ${quoteValue(field(itemColumn))}.`;
      return { field: itemColumn, reason: 'required', detail };
    }
    const cells = long ? 1 : years.length;
    batch.read += cells - 1;
    if (!iso3) return batch.skip('no_country_code', cells);
    if (item === undefined) return batch.skip('other_item', cells);
    const add = (date: string, value: string, column: string) => {
      if (value.trim() === '') return batch.skip('no_value');
      const raw = {
        iso3_country_code: iso3,
        date,
        item,
        value,
        base_period: base_period!,
        source: source ?? 'FAOSTAT',
      };
      const row = rows.read(line, raw, batch);
      if (!('reason' in row)) batch.rows.push(row);
      else batch.reject(line, { ...row, field: row.field === 'value' ? column : row.field });
    };
    if (long) return add(field('date'), field('value'), 'value');
    const month = MONTH_CODE.exec(field('Months Code').trim())?.[1];
    if (month === undefined) return batch.skip('not_a_month', cells);
    for (const { year, position } of years) add(`${year}-${month}-01`, record[position]!, `Y${year}`);
  });
}
