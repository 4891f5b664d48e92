import { iso3OfM49, iso3OfName, isCountryCode, knownCountryCode } from '../../lib/codes/countries.js';
import { wholeCode } from '../../lib/codes/whole-code.js';
import type { PeriodName } from '../../price-series/periodicity.js';
import { isMissingValue } from '../../lib/text/missing-values.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { CpiDto } from '../../reference/cpi/cpi.dto.js';
import { ImportRejected, type RowViolation, WrongFormat } from './batch.js';
import { Convention, type ConventionOptions } from './convention/convention.js';
import { MonthlyDates, ROWS_WITHOUT_FREQUENCY } from './convention/monthly-dates.js';
import { fieldsUpTo, type TableFile } from '../tables/table-file.js';
import { type HeaderLayout, wrongHeader } from './header-problem.js';
import { optionHint } from './option-hint.js';
import { isMonth } from './other-words.js';
import { isOwnExport, isTableHeader, describeColumns, headerLayout, readTable } from './table-reader.js';
import { RecordBatch, RowReader } from './table-rows.js';
import { quoteValue } from './values.js';

const table = new ReferenceTable(CpiDto);
const rows = new RowReader(table);

/** The accepted layouts, for error messages. */
const CPI_LAYOUTS =
  `${describeColumns(table)}, or FAO's consumer price indices, as downloaded ` +
  '(Domain Code,…,Year,…,Value), normalized (…,Item Code,Item,Months Code,…,Year,…,Value), wide (Area Code,Area ' +
  'Code (M49),…,Item Code,Item,…,Months Code,…,Y2000,Y2001,…) or long (iso3,m49,area,item_code,item,date,value)';

/** FAO's codes of the imported indices; its other items are inflation rates and regional means. */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['23012', 'general'],
  ['23013', 'food'],
]);
const BASE_PERIOD = /\(\s*(\d{4}(?:-\d{2,4})?)\s*=\s*100\s*\)/;
/** FAO's month codes are 7001 to 7012; 7021 is the whole year. */
const MONTH_CODE = /^70(0[1-9]|1[0-2])$/;
/** How elements of FAOSTAT's other table by item and month begin, whose columns are the same. */
const PRODUCER_PRICES = 'Producer Price';
/** A column of a year in the wide table. */
const YEAR_COLUMN = /^Y(\d{4})$/;

const LONG: HeaderLayout = {
  name: 'the long table',
  required: ['iso3', 'item_code', 'item', 'date', 'value'],
  optional: null,
};
/** Both bulk files and the download by hand name their columns alike. */
const NORMALIZED: HeaderLayout = {
  name: "FAOSTAT's normalized table",
  required: ['Area', 'Item Code', 'Item', 'Months Code', 'Year', 'Value'],
  optional: null,
};
const WIDE: HeaderLayout = {
  name: "FAOSTAT's wide table",
  required: ['Area', 'Item Code', 'Item', 'Months Code'],
  optional: null,
};

interface CpiOptions extends ConventionOptions {
  /** In place of the source that the layout or the row names. */
  readonly source?: string | undefined;
  /** `monthly` says that a file with indices of January alone is no yearly one. */
  readonly period?: PeriodName | undefined;
}

/** The layouts, for messages about headers. */
const LAYOUTS = [{ ...headerLayout(table), name: 'the columns of Cpi' }, LONG, NORMALIZED];

/** An index as in the input: of a cell of a wide table, else of a row. */
interface IndexCell {
  readonly date: string;
  readonly value: string;
  /** The name of its column. */
  readonly column: string;
}

/**
 * Reads consumer price indices in any of the accepted layouts. Each cell of a wide table counts as
 * a row.
 * @throws ImportRejected for any other layout
 */
export function readCpi(file: TableFile, options: CpiOptions): AsyncGenerator<RecordBatch> {
  const { header } = file;
  const { source } = options;
  if (isTableHeader(table, header)) return readCpiTable(file, options);
  const dates = new MonthlyDates('indices', statedPeriod(options), ROWS_WITHOUT_FREQUENCY);
  const years = header.flatMap((column, position) => {
    const year = YEAR_COLUMN.exec(column)?.[1];
    return year === undefined ? [] : [{ year, column, position }];
  });
  const layout = [LONG, NORMALIZED, WIDE].find(({ required }) =>
    required.every((column) => header.includes(column)),
  );
  if (layout === undefined || (layout === WIDE && years.length === 0))
    throw wrongHeader('cpi', header, LAYOUTS, CPI_LAYOUTS);
  const positions = new Map(header.map((column, position) => [column, position]));
  const itemColumn = layout === LONG ? 'item' : 'Item';
  const cells = layout === WIDE ? years.length : 1;

  /** The indices of a record, or null where it is of no month. */
  const cellsOf = (record: string[], field: (column: string) => string): IndexCell[] | null => {
    if (layout === LONG) {
      const date = field('date').trim();
      return [{ date: isMonth(date) ? `${date}-01` : date, value: field('value'), column: 'value' }];
    }
    const month = MONTH_CODE.exec(wholeCode(field('Months Code').trim()))?.[1];
    if (month === undefined) return null;
    if (layout === NORMALIZED)
      return [
        { date: `${wholeCode(field('Year').trim())}-${month}-01`, value: field('Value'), column: 'Value' },
      ];
    return years.map(({ year, column, position }) => ({
      date: `${year}-${month}-01`,
      value: record[position]!,
      column,
    }));
  };

  const readRecord = (record: string[], line: number, batch: RecordBatch): RowViolation | void => {
    const field = (column: string) => record[positions.get(column) ?? -1] ?? '';
    if (field('Element').startsWith(PRODUCER_PRICES))
      throw new WrongFormat(
        'The input has producer prices of FAOSTAT, no consumer price indices: its format is faostat-producer-prices.',
      );
    const iso3 = layout === LONG ? codeOf(field('iso3')) : iso3OfArea(field);
    const item = ITEMS.get(wholeCode(field(layout === LONG ? 'item_code' : 'Item Code').trim()));
    const base_period = BASE_PERIOD.exec(field(itemColumn))?.[1];
    if (iso3 && item && base_period === undefined) {
      const detail = `${itemColumn} must state the base period, such as (2015 = 100), not ${quoteValue(field(itemColumn))}.`;
      return { field: itemColumn, reason: 'required', detail };
    }
    batch.read += cells - 1;
    if (!iso3) return batch.skip('no_country_code', cells);
    if (item === undefined) return batch.skip('other_item', cells);
    const found = cellsOf(record, field);
    if (found === null) return batch.skip('not_a_month', cells);
    for (const { date, value, column } of found) {
      const mark = value.trim();
      const isMissing = isMissingValue(mark);
      if (isMissing) batch.replaced.add({ column, value: mark, read_as: '' });
      if (isMissing || mark === '') {
        batch.skip('no_value');
        continue;
      }
      const raw = {
        iso3_country_code: iso3,
        date,
        item,
        value,
        base_period: base_period!,
        source: source ?? 'FAOSTAT',
      };
      const row = rows.read(line, raw, batch);
      if (!('reason' in row)) {
        if (layout === LONG) dates.add(row.values.date as string);
        batch.rows.push(row);
      } else batch.reject(line, { ...row, field: row.field === 'value' ? column : row.field });
    }
  };
  const columns =
    layout === LONG
      ? { numbers: ['value'], dates: ['date'] }
      : { numbers: layout === WIDE ? years.map(({ column }) => column) : ['Value'], dates: [] };
  const convention = new Convention(file, { ...columns, hasPoint: true }, options);
  const create = () => new RecordBatch(table);
  const read = file.read(create, convention, readRecord, fieldsUpTo(header, layout.required));
  // The others name the month of each index.
  return layout === LONG ? dates.guard(read) : read;
}

/**
 * Reads indices in the columns of their table.
 * @throws ImportRejected for any other layout
 */
export function readCpiTable(file: TableFile, options: CpiOptions): AsyncGenerator<RecordBatch> {
  const { source } = options;
  const stated = statedPeriod(options) ?? (isOwnExport(file.header) ? 'monthly' : undefined);
  const dates = new MonthlyDates('indices', stated, ROWS_WITHOUT_FREQUENCY);
  const read = readTable(file, table, options, {
    defaultTexts: source === undefined ? {} : { source },
    onRow: (raw) => dates.add(raw.date ?? ''),
  });
  return dates.guard(read);
}

/** The frequency that an import says. @throws ImportRejected for one that indices do not have */
function statedPeriod({ period }: CpiOptions): 'monthly' | undefined {
  if (period === undefined || period === 'monthly') return period;
  throw new ImportRejected(`Indices are monthly: specify ${optionHint('period', ['monthly'])}, or none.`);
}

/**
 * The country of a row of FAOSTAT by its M49 or ISO code, else by its name: older files have FAO's
 * own codes only. Null for regions.
 */
function iso3OfArea(field: (column: string) => string): string | null {
  // The bulk files have an apostrophe before the code, so that spreadsheets keep leading zeros.
  const m49 = wholeCode(field('Area Code (M49)').trim().replace(/^'/, ''));
  const iso3 = knownCountryCode(field('Area Code (ISO3)').trim());
  if (m49 !== '') return iso3OfM49(m49);
  return iso3 === '' ? iso3OfName(field('Area')) : isCountryCode(iso3) ? iso3 : null;
}

/** A code of a country; blank where it is a mark for a missing value, as areas without one have. */
const codeOf = (text: string): string => (isMissingValue(text.trim()) ? '' : text.trim());
