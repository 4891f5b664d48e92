import { fedCurrency } from '../names/fed-currencies.js';
import { ImportRejected, type RowFault } from './batch.js';
import { columnCountFault, rejectUnreadable, type CsvFile } from './csv.js';
import { isTableHeader, knownColumns, readTable } from './reference-table.js';
import { checkedRow, importTables, RecordBatch } from './table-rows.js';
import { shown } from './values.js';

/** One line on what the reader takes, for refusals. */
export const FX_KNOWN =
  `${knownColumns(importTables.FxRate)}, IMF exchange rates (Date,Rate,Currency,Frequency,Source,Country code,Country), ` +
  'Federal Reserve H.10 (Date,Country,Exchange rate) or WFP daily rates (countryISO3,…,name,date,value,isOfficial,frequency)';

/** What a row of a layout says: the columns of FxRate, a reason to skip it, or a fault. */
type RateRow = { rate: Record<string, string> } | { skip: string } | { fault: RowFault };

interface Layout {
  readonly columns: readonly string[];
  readonly rateColumn: string;
  row(value: (column: string) => string): RateRow;
  /** Later rows of the same currency, type, period and date are conflicts, whatever they say. */
  readonly firstRowDecides?: boolean;
}

const layouts: readonly Layout[] = [
  {
    columns: ['Date', 'Rate', 'Currency', 'Frequency'],
    rateColumn: 'Rate',
    // The table has a row for each country, so a shared currency comes several times, at times with slightly different rates.
    firstRowDecides: true,
    row: (value) => {
      const frequency = value('Frequency').trim().toUpperCase();
      if (frequency === 'A') return { skip: 'annual' };
      if (frequency !== 'M' && frequency !== 'D') return { skip: 'other_frequency' };
      if (value('Currency').trim() === '') return { skip: 'no_currency_code' };
      // A rate of the month's last day is a rate of that day, not the month's average.
      return {
        rate: { currency: value('Currency'), date: value('Date'), period: 'daily', rate: value('Rate') },
      };
    },
  },
  {
    columns: ['Date', 'Country', 'Exchange rate'],
    rateColumn: 'Exchange rate',
    row: (value) => {
      const currency = fedCurrency(value('Country').trim(), value('Date').trim());
      if (currency === null) return { skip: 'no_currency_code' };
      return { rate: { currency, date: value('Date'), period: 'monthly', rate: value('Exchange rate') } };
    },
  },
  {
    columns: ['name', 'date', 'value', 'isOfficial', 'frequency'],
    rateColumn: 'value',
    row: (value) => {
      if (value('frequency').trim().toLowerCase() !== 'daily') return { skip: 'other_frequency' };
      if (value('name').trim() === '') return { skip: 'no_currency_code' };
      const official = value('isOfficial').trim().toLowerCase();
      if (official !== 'true' && official !== 'false') {
        const detail = `isOfficial must be True or False, not ${shown(official)}.`;
        return { fault: { field: 'isOfficial', reason: 'invalid_boolean', detail } };
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
 * Reads exchange rates, whichever of the known layouts it is.
 * @throws ImportRefused for another layout
 */
export async function* readFx(file: CsvFile): AsyncGenerator<RecordBatch> {
  if (isTableHeader(importTables.FxRate, file.header)) return yield* readTable(file, 'FxRate');
  const { header } = file;
  const layout = layouts.find(({ columns }) => columns.every((column) => header.includes(column)));
  if (layout === undefined)
    throw new ImportRejected(`The input is not of the format fx. It takes ${FX_KNOWN}.`);
  const positions = new Map(header.map((column, position) => [column, position]));
  const seen = new Map<string, number>();
  for await (const found of file.batches()) {
    const batch = new RecordBatch(importTables.FxRate);
    batch.read = found.records.length;
    rejectUnreadable(batch, found);
    for (const [index, record] of found.records.entries()) {
      const line = found.lines[index]!;
      if (record.length !== header.length) {
        batch.reject(line, columnCountFault(header.length, record.length));
        continue;
      }
      const read = layout.row((column) => record[positions.get(column)!]!);
      if ('skip' in read) {
        batch.skip(read.skip);
        continue;
      }
      if ('fault' in read) {
        batch.reject(line, read.fault);
        continue;
      }
      const row = checkedRow(importTables.FxRate, line, read.rate, () => batch.rounded++);
      if ('reason' in row) {
        batch.reject(line, { ...row, field: row.field === 'rate' ? layout.rateColumn : row.field });
        continue;
      }
      if (layout.firstRowDecides) {
        const key = importTables.FxRate.unique.map((name) => row.values[name]).join(' ');
        const first = seen.get(key);
        if (first !== undefined) {
          const detail = `Line ${first} gives the rate of ${row.values.currency} on ${row.values.date} already.`;
          batch.reject(line, { field: layout.rateColumn, reason: 'conflict', detail });
          continue;
        }
        seen.set(key, line);
      }
      batch.rows.push(row);
    }
    yield batch;
  }
}
