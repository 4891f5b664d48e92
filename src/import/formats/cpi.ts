import { iso3OfM49 } from '../../common/codes/countries.js';
import { ImportRejected } from './batch.js';
import { columnCountFault, rejectUnreadable, type CsvFile } from './csv.js';
import { isTableHeader, knownColumns, readTable } from './reference-table.js';
import { checkedRow, importTables, RecordBatch } from './table-rows.js';
import { shown } from './values.js';

/** One line on what the reader takes, for refusals. */
export const CPI_KNOWN =
  `${knownColumns(importTables.Cpi)}, or FAO's consumer price indices, long (iso3,m49,area,item_code,item,date,value) ` +
  'or wide (Area Code,Area Code (M49),…,Item Code,Item,…,Months Code,…,Y2000,Y2001,…)';

/** FAO's numbers of the two indices that are kept; the others are inflation rates and regional means. */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['23012', 'general'],
  ['23013', 'food'],
]);
const BASE_PERIOD = /\(\s*(\d{4}(?:-\d{2,4})?)\s*=\s*100\s*\)/;
/** FAO numbers the months 7001 to 7012; 7021 is the year. */
const MONTH_CODE = /^70(0[1-9]|1[0-2])$/;

const LONG = ['iso3', 'item_code', 'item', 'date', 'value'];
const WIDE = ['Area Code (M49)', 'Item Code', 'Item', 'Months Code'];

/**
 * Reads consumer price indices, whichever of the known layouts it is. Of a wide table each cell counts as a row.
 * @throws ImportRefused for another layout
 */
export async function* readCpi(file: CsvFile): AsyncGenerator<RecordBatch> {
  const { header } = file;
  if (isTableHeader(importTables.Cpi, header)) return yield* readTable(file, 'Cpi');
  const years = header.flatMap((column, position) =>
    /^Y\d{4}$/.test(column) ? [{ year: column.slice(1), position }] : [],
  );
  const long = LONG.every((column) => header.includes(column));
  const wide = WIDE.every((column) => header.includes(column)) && years.length > 0;
  if (!long && !wide) throw new ImportRejected(`The input is not of the format cpi. It takes ${CPI_KNOWN}.`);
  const at = (column: string) => header.indexOf(column);
  const [iso3At, m49At, codeAt, itemAt, monthAt, dateAt, valueAt] = [
    at('iso3'),
    at('Area Code (M49)'),
    at(long ? 'item_code' : 'Item Code'),
    at(long ? 'item' : 'Item'),
    at('Months Code'),
    at('date'),
    at('value'),
  ];
  for await (const found of file.batches()) {
    const batch = new RecordBatch(importTables.Cpi);
    rejectUnreadable(batch, found);
    for (const [index, record] of found.records.entries()) {
      const line = found.lines[index]!;
      const cells = long ? 1 : years.length;
      batch.read += cells;
      if (record.length !== header.length) {
        batch.read -= cells - 1;
        batch.reject(line, columnCountFault(header.length, record.length));
        continue;
      }
      // In the wide table an apostrophe keeps spreadsheets from dropping the zeros of the number.
      const iso3 = long ? record[iso3At]!.trim() : iso3OfM49(record[m49At]!.trim().replace(/^'/, ''));
      const item = ITEMS.get(record[codeAt]!.trim());
      if (!iso3) {
        batch.skip('no_country_code', cells);
        continue;
      }
      if (item === undefined) {
        batch.skip('other_item', cells);
        continue;
      }
      const base_period = BASE_PERIOD.exec(record[itemAt]!)?.[1];
      if (base_period === undefined) {
        batch.read -= cells - 1;
        const detail = `${shown(record[itemAt]!)} does not say the year in which the index is 100.`;
        batch.reject(line, { field: header[itemAt]!, reason: 'required', detail });
        continue;
      }
      const add = (date: string, value: string, column: string) => {
        if (value.trim() === '') return batch.skip('no_value');
        const raw = { iso3_country_code: iso3, date, item, value, base_period };
        const row = checkedRow(importTables.Cpi, line, raw, () => batch.rounded++);
        if ('reason' in row)
          batch.reject(line, { ...row, field: row.field === 'value' ? column : row.field });
        else batch.rows.push(row);
      };
      if (long) {
        add(record[dateAt]!, record[valueAt]!, 'value');
        continue;
      }
      const month = MONTH_CODE.exec(record[monthAt]!.trim())?.[1];
      if (month === undefined) batch.skip('not_a_month', cells);
      else for (const { year, position } of years) add(`${year}-${month}-01`, record[position]!, `Y${year}`);
    }
    yield batch;
  }
}
