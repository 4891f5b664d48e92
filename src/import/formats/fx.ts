import { fedCurrency } from '../crosswalks/fed-currencies.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { FxRateDto } from '../../reference/fx-rate/fx-rate.dto.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { columnCountViolation, rejectUnreadable, type CsvFile } from './csv.js';
import { isTableHeader, describeColumns, readTable } from './table-reader.js';
import { RecordBatch, RowReader } from './table-rows.js';
import { quoteValue } from './values.js';

const table = new ReferenceTable(FxRateDto);
const rows = new RowReader(table);

/** The accepted layouts, for error messages. */
export const FX_LAYOUTS =
  `${describeColumns(table)}, IMF exchange rates (Date,Rate,Currency,Frequency,Source,Country code,Country), ` +
  'Federal Reserve H.10 (Date,Country,Exchange rate) or WFP daily rates (countryISO3,…,name,date,value,isOfficial,frequency)';

/** A row as read by its layout: the columns of FxRate, a reason to skip it, or a violation. */
type RateResult = { rate: Record<string, string> } | { skip: string } | { violation: RowViolation };

interface Layout {
  readonly columns: readonly string[];
  readonly rateColumn: string;
  readRow(value: (column: string) => string): RateResult;
  /**
   * Later rows of the same currency, type, period and date are conflicts, even with the same rate.
   */
  readonly firstRowDecides?: boolean;
}

const layouts: readonly Layout[] = [
  {
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
    columns: ['Date', 'Country', 'Exchange rate'],
    rateColumn: 'Exchange rate',
    readRow: (value) => {
      const currency = fedCurrency(value('Country').trim(), value('Date').trim());
      if (currency === null) return { skip: 'no_currency_code' };
      return { rate: { currency, date: value('Date'), period: 'monthly', rate: value('Exchange rate') } };
    },
  },
  {
    columns: ['name', 'date', 'value', 'isOfficial', 'frequency'],
    rateColumn: 'value',
    readRow: (value) => {
      if (value('frequency').trim().toLowerCase() !== 'daily') return { skip: 'other_frequency' };
      if (value('name').trim() === '') return { skip: 'no_currency_code' };
      const official = value('isOfficial').trim().toLowerCase();
      if (official !== 'true' && official !== 'false') {
        const detail = `isOfficial must be True or False, not ${quoteValue(official)}.`;
        return { violation: { field: 'isOfficial', reason: 'invalid_boolean', detail } };
      }
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

/**
 * Reads exchange rates in any of the accepted layouts.
 * @throws ImportRejected for any other layout
 */
export async function* readFx(file: CsvFile): AsyncGenerator<RecordBatch> {
  if (isTableHeader(table, file.header)) {
    yield* readTable(file, table);
    return;
  }
  const { header } = file;
  const layout = layouts.find(({ columns }) => columns.every((column) => header.includes(column)));
  if (layout === undefined)
    throw new ImportRejected(`The input is not in the format fx. Accepted: ${FX_LAYOUTS}.`);
  const positions = new Map(header.map((column, position) => [column, position]));
  const firstLines = new Map<string, number>();
  for await (const chunk of file.batches()) {
    const batch = new RecordBatch(table);
    batch.read = chunk.records.length;
    rejectUnreadable(batch, chunk);
    for (const [index, record] of chunk.records.entries()) {
      const line = chunk.lines[index]!;
      if (record.length !== header.length) {
        batch.reject(line, columnCountViolation(header.length, record.length));
        continue;
      }
      const result = layout.readRow((column) => record[positions.get(column)!]!);
      if ('skip' in result) {
        batch.skip(result.skip);
        continue;
      }
      if ('violation' in result) {
        batch.reject(line, result.violation);
        continue;
      }
      const row = rows.read(line, result.rate, batch);
      if ('reason' in row) {
        batch.reject(line, { ...row, field: row.field === 'rate' ? layout.rateColumn : row.field });
        continue;
      }
      if (layout.firstRowDecides) {
        const key = table.statements.uniqueKey.map((name) => row.values[name]).join(' ');
        const first = firstLines.get(key);
        if (first !== undefined) {
          const detail = `Line ${first} already has a rate of ${row.values.currency} on ${row.values.date}.`;
          batch.reject(line, { field: layout.rateColumn, reason: 'conflict', detail });
          continue;
        }
        firstLines.set(key, line);
      }
      batch.rows.push(row);
    }
    yield batch;
  }
}
