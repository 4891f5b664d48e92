import { fedCurrency } from '../crosswalks/fed-currencies.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { FxRateDto } from '../../reference/fx-rate/fx-rate.dto.js';
import { type RowViolation, WrongFormat } from './batch.js';
import type { CsvFile } from './csv.js';
import { headerMessage } from './header-problem.js';
import { isTableHeader, describeColumns, headerLayout, readTable } from './table-reader.js';
import { RecordBatch, RowReader } from './table-rows.js';
import { invalid } from './values.js';

const table = new ReferenceTable(FxRateDto);
const rows = new RowReader(table);

/** The accepted layouts, for error messages. */
export const FX_LAYOUTS =
  `${describeColumns(table)}, IMF exchange rates (Date,Rate,Currency,Frequency,Source,Country code,Country), ` +
  'Federal Reserve H.10 (Date,Country,Exchange rate) or WFP daily rates (countryISO3,…,name,date,value,isOfficial,frequency)';

/** A row as read by its layout: the columns of FxRate, a reason to skip it, or a violation. */
type RateResult = { rate: Record<string, string> } | { skip: string } | { violation: RowViolation };

interface Layout {
  /** Who publishes it. */
  readonly source: string;
  readonly columns: readonly string[];
  readonly rateColumn: string;
  readRow(value: (column: string) => string): RateResult;
  /** Later rows of the same currency, type, period and date are conflicts, even if equal. */
  readonly firstRowDecides?: boolean;
}

const layouts: readonly Layout[] = [
  {
    source: 'International Monetary Fund (IMF)',
    columns: ['Date', 'Rate', 'Currency', 'Frequency'],
    rateColumn: 'Rate',
    // The table has a row per country, so a shared currency repeats, sometimes with slightly
    // different rates.
    firstRowDecides: true,
    readRow: (value) => {
      const frequency = value('Frequency').trim().toUpperCase();
      if (frequency === 'A') return { skip: 'annual' };
      if (frequency !== 'M' && frequency !== 'D') return { skip: 'other_frequency' };
      if (value('Currency').trim() === '') return { skip: 'no_currency_code' };
      // The rate is that of the last day of the month, not the monthly average.
      return {
        rate: { currency: value('Currency'), date: value('Date'), period: 'daily', rate: value('Rate') },
      };
    },
  },
  {
    source: 'Federal Reserve H.10',
    columns: ['Date', 'Country', 'Exchange rate'],
    rateColumn: 'Exchange rate',
    readRow: (value) => {
      const currency = fedCurrency(value('Country').trim(), value('Date').trim());
      if (currency === null) return { skip: 'no_currency_code' };
      return { rate: { currency, date: value('Date'), period: 'monthly', rate: value('Exchange rate') } };
    },
  },
  {
    source: 'World Food Programme (WFP)',
    columns: ['name', 'date', 'value', 'isOfficial', 'frequency'],
    rateColumn: 'value',
    readRow: (value) => {
      if (value('frequency').trim().toLowerCase() !== 'daily') return { skip: 'other_frequency' };
      if (value('name').trim() === '') return { skip: 'no_currency_code' };
      const official = value('isOfficial').trim().toLowerCase();
      if (official !== 'true' && official !== 'false')
        return { violation: invalid('isOfficial', 'invalid_boolean', 'True or False', official) };
      const rate_type = official === 'true' ? 'official' : 'parallel';
      return {
        rate: {
          currency: value('name'),
          date: value('date'),
          period: 'daily',
          rate: value('value'),
          rate_type,
        },
      };
    },
  },
];

/** The layouts, for messages about headers. */
const LAYOUTS = [
  headerLayout(table),
  ...layouts.map(({ columns }) => ({ required: columns, optional: null })),
];

/**
 * Reads exchange rates in any of the accepted layouts.
 * @param source in place of the one that the layout or the row names
 * @throws ImportRejected for any other layout
 */
export function readFx(file: CsvFile, source?: string): AsyncGenerator<RecordBatch> {
  const { header } = file;
  if (isTableHeader(table, header)) return readTable(file, table, source === undefined ? {} : { source });
  const layout = layouts.find(({ columns }) => columns.every((column) => header.includes(column)));
  if (layout === undefined) throw new WrongFormat(headerMessage('fx', header, LAYOUTS, FX_LAYOUTS));
  const positions = new Map(header.map((column, position) => [column, position]));
  const firstLines = new Map<string, number>();
  const create = () => new RecordBatch(table);
  return file.read(create, (record, line, batch) => {
    const result = layout.readRow((column) => record[positions.get(column)!]!);
    if ('skip' in result) return batch.skip(result.skip);
    if ('violation' in result) return result.violation;
    const row = rows.read(line, { ...result.rate, source: source ?? layout.source }, batch);
    if ('reason' in row) return row.field === 'rate' ? { ...row, field: layout.rateColumn } : row;
    if (layout.firstRowDecides) {
      const key = table.statements.uniqueKey.map((name) => row.values[name]).join(' ');
      const first = firstLines.get(key);
      if (first !== undefined) {
        const detail = `Line ${first} already has a rate of ${row.values.currency} on ${row.values.date}.`;
        return { field: layout.rateColumn, reason: 'conflict', detail };
      }
      firstLines.set(key, line);
    }
    batch.rows.push(row);
  });
}
