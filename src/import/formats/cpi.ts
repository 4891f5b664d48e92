import { iso3OfM49 } from '../../lib/codes/countries.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { CpiDto } from '../../reference/cpi/cpi.dto.js';
import { ImportRejected } from './batch.js';
import { columnCountViolation, rejectUnreadable, type CsvFile } from './csv.js';
import { isTableHeader, describeColumns, readTable } from './table-reader.js';
import { RecordBatch, RowReader } from './table-rows.js';
import { quoteValue } from './values.js';

const table = new ReferenceTable(CpiDto);
const rows = new RowReader(table);

/** The accepted layouts, for error messages. */
export const CPI_LAYOUTS =
  `${describeColumns(table)}, or FAO's consumer price indices, long (iso3,m49,area,item_code,item,date,value) ` +
  'or wide (Area Code,Area Code (M49),…,Item Code,Item,…,Months Code,…,Y2000,Y2001,…)';

/**
 * FAO's codes of the two imported indices; its other items are inflation rates and regional means.
 */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['23012', 'general'],
  ['23013', 'food'],
]);
const BASE_PERIOD = /\(\s*(\d{4}(?:-\d{2,4})?)\s*=\s*100\s*\)/;
/** FAO's month codes are 7001 to 7012; 7021 is the whole year. */
const MONTH_CODE = /^70(0[1-9]|1[0-2])$/;

const LONG_COLUMNS = ['iso3', 'item_code', 'item', 'date', 'value'];
const WIDE_COLUMNS = ['Area Code (M49)', 'Item Code', 'Item', 'Months Code'];

/**
 * Reads consumer price indices in any of the accepted layouts. Each cell of a wide table counts as
 * a row.
 * @throws ImportRejected for any other layout
 */
export async function* readCpi(file: CsvFile): AsyncGenerator<RecordBatch> {
  const { header } = file;
  if (isTableHeader(table, header)) {
    yield* readTable(file, table);
    return;
  }
  const years = header.flatMap((column, position) =>
    /^Y\d{4}$/.test(column) ? [{ year: column.slice(1), position }] : [],
  );
  const long = LONG_COLUMNS.every((column) => header.includes(column));
  const wide = WIDE_COLUMNS.every((column) => header.includes(column)) && years.length > 0;
  if (!long && !wide)
    throw new ImportRejected(`The input is not in the format cpi. Accepted: ${CPI_LAYOUTS}.`);
  const indexOf = (column: string) => header.indexOf(column);
  const [iso3Index, m49Index, codeIndex, itemIndex, monthIndex, dateIndex, valueIndex] = [
    indexOf('iso3'),
    indexOf('Area Code (M49)'),
    indexOf(long ? 'item_code' : 'Item Code'),
    indexOf(long ? 'item' : 'Item'),
    indexOf('Months Code'),
    indexOf('date'),
    indexOf('value'),
  ];
  for await (const chunk of file.batches()) {
    const batch = new RecordBatch(table);
    rejectUnreadable(batch, chunk);
    for (const [index, record] of chunk.records.entries()) {
      const line = chunk.lines[index]!;
      const cells = long ? 1 : years.length;
      batch.read += cells;
      if (record.length !== header.length) {
        batch.read -= cells - 1;
        batch.reject(line, columnCountViolation(header.length, record.length));
        continue;
      }
      // The wide table has an apostrophe before the code, so that spreadsheets keep leading zeros.
      const iso3 = long ? record[iso3Index]!.trim() : iso3OfM49(record[m49Index]!.trim().replace(/^'/, ''));
      const item = ITEMS.get(record[codeIndex]!.trim());
      if (!iso3) {
        batch.skip('no_country_code', cells);
        continue;
      }
      if (item === undefined) {
        batch.skip('other_item', cells);
        continue;
      }
      const base_period = BASE_PERIOD.exec(record[itemIndex]!)?.[1];
      if (base_period === undefined) {
        batch.read -= cells - 1;
        const detail = `${header[itemIndex]!} must state the base period, such as (2015 = 100), not ${quoteValue(record[itemIndex]!)}.`;
        batch.reject(line, { field: header[itemIndex]!, reason: 'required', detail });
        continue;
      }
      const add = (date: string, value: string, column: string) => {
        if (value.trim() === '') return batch.skip('no_value');
        const raw = { iso3_country_code: iso3, date, item, value, base_period };
        const row = rows.read(line, raw, batch);
        if ('reason' in row)
          batch.reject(line, { ...row, field: row.field === 'value' ? column : row.field });
        else batch.rows.push(row);
      };
      if (long) {
        add(record[dateIndex]!, record[valueIndex]!, 'value');
        continue;
      }
      const month = MONTH_CODE.exec(record[monthIndex]!.trim())?.[1];
      if (month === undefined) batch.skip('not_a_month', cells);
      else for (const { year, position } of years) add(`${year}-${month}-01`, record[position]!, `Y${year}`);
    }
    yield batch;
  }
}
