import type { PeriodName } from '../../price-series/periodicity.js';
import { fedCurrency } from '../crosswalks/fed-currencies.js';
import { isMissingValue } from '../../lib/text/missing-values.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { FxRateDto } from '../../reference/fx-rate/fx-rate.dto.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { Convention, type ConventionOptions } from './convention/convention.js';
import { MonthlyDates, ROWS_MARKED_MONTHLY, ROWS_WITHOUT_FREQUENCY } from './convention/monthly-dates.js';
import { fieldsUpTo, type TableFile } from '../tables/table-file.js';
import { wrongHeader } from './header-problem.js';
import { optionHint } from './option-hint.js';
import { isMonth } from './other-words.js';
import { isOwnExport, isTableHeader, describeColumns, headerLayout, readTable } from './table-reader.js';
import { RecordBatch, RowReader, type TableRecord } from './table-rows.js';
import { invalid } from './values.js';

const table = new ReferenceTable(FxRateDto);
const rows = new RowReader(table);

/** The accepted layouts, for error messages. */
const FX_LAYOUTS =
  `${describeColumns(table)}, IMF exchange rates (Date,Rate,Currency,Frequency,Source,Country code,Country), ` +
  'Federal Reserve H.10 (Date,Country,Exchange rate) or WFP daily rates (countryISO3,…,name,date,value,isOfficial,frequency)';

/** A row as read by its layout: the columns of FxRate, a reason to skip it, or a violation. */
type RateResult = { rate: Record<string, string> } | { skip: string } | { violation: RowViolation };

interface Layout {
  /** Who publishes it. */
  readonly source: string;
  readonly columns: readonly string[];
  readonly rateColumn: string;
  readonly dateColumn: string;
  /** Its rows are monthly averages, which no column says. */
  readonly isMonthly?: boolean;
  /** The columns of codes, in which a mark for a missing value is blank. */
  readonly codeColumns: readonly string[];
  readRow(value: (column: string) => string): RateResult;
  /** Later rows of the same currency, type, period and date are conflicts, even if equal. */
  readonly firstRowDecides?: boolean;
}

const layouts: readonly Layout[] = [
  {
    source: 'International Monetary Fund (IMF)',
    columns: ['Date', 'Rate', 'Currency', 'Frequency'],
    rateColumn: 'Rate',
    dateColumn: 'Date',
    codeColumns: ['Currency'],
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
    isMonthly: true,
    dateColumn: 'Date',
    codeColumns: [],
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
    dateColumn: 'date',
    codeColumns: ['name'],
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

export interface FxOptions extends ConventionOptions {
  /** In place of the source that the layout or the row names. */
  readonly source?: string | undefined;
  /** Where no column has it. */
  readonly period?: PeriodName | undefined;
  /** The rates are dollars for a unit of the currency: their reciprocals are stored. */
  readonly invert?: boolean | undefined;
}

/** The layouts, for messages about headers. */
const LAYOUTS = [
  { ...headerLayout(table), name: 'the columns of FxRate' },
  ...layouts.map(({ source, columns }) => ({ name: source, required: columns, optional: null })),
];

/**
 * Reads exchange rates in any of the accepted layouts.
 * @throws ImportRejected for any other layout
 */
export function readFx(file: TableFile, options: FxOptions): AsyncGenerator<RecordBatch> {
  const { header } = file;
  const { source } = options;
  if (isTableHeader(table, header)) return readFxTable(file, options);
  const period = statedPeriod(options);
  const dates = new MonthlyDates('rates', period, { ...ROWS_WITHOUT_FREQUENCY, mayBeDaily: true });
  const layout = layouts.find(({ columns }) => columns.every((column) => header.includes(column)));
  if (layout === undefined) throw wrongHeader('fx', header, LAYOUTS, FX_LAYOUTS);
  const positions = new Map(header.map((column, position) => [column, position]));
  const firstLines = new Map<string, number>();
  const create = () => new RecordBatch(table);
  const columns = { numbers: [layout.rateColumn], dates: [layout.dateColumn], hasPoint: true };
  const readRecord = (record: string[], line: number, batch: RecordBatch) => {
    const result = layout.readRow((column) => {
      const text = record[positions.get(column)!]!;
      if (!layout.codeColumns.includes(column) || !isMissingValue(text.trim())) return text;
      batch.replaced.add({ column, value: text.trim(), read_as: '' });
      return '';
    });
    if ('skip' in result) return batch.skip(result.skip);
    if ('violation' in result) return result.violation;
    const { rate } = result;
    if (layout.isMonthly) {
      rate.period = period ?? 'monthly';
      if (rate.period === 'monthly' && isMonth(rate.date!.trim())) rate.date = `${rate.date!.trim()}-01`;
      dates.add(rate.date!);
    }
    const row = rows.read(line, { ...rate, source: source ?? layout.source }, batch);
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
    batch.rows.push(asStored(row, batch, options));
  };
  const convention = new Convention(file, columns, options);
  const read = file.read(create, convention, readRecord, fieldsUpTo(header, layout.columns));
  return layout.isMonthly ? dates.guard(read) : read;
}

/**
 * Reads exchange rates in the columns of their table.
 * @throws ImportRejected for any other layout
 */
export function readFxTable(file: TableFile, options: FxOptions): AsyncGenerator<RecordBatch> {
  const { source } = options;
  const isUnstated = !file.header.includes('period');
  const period = isUnstated ? statedPeriod(options) : undefined;
  const stated = isOwnExport(file.header) ? 'monthly' : options.period;
  const dates = isUnstated
    ? new MonthlyDates('rates', period, { ...ROWS_WITHOUT_FREQUENCY, mayBeDaily: true })
    : new MonthlyDates('rates', stated, ROWS_MARKED_MONTHLY);
  const defaultTexts = {
    ...(source === undefined ? {} : { source }),
    ...(period === undefined ? {} : { period }),
  };
  const read = readTable(file, table, options, {
    defaultTexts,
    onRow: (raw) => {
      if (raw.period === 'daily') dates.confirmFinerRows();
      else dates.add(raw.date ?? '');
    },
    asStored: (row, batch) => asStored(row, batch, options),
  });
  return dates.guard(read);
}

/** The frequency that an import says. @throws ImportRejected for one that rates do not have */
function statedPeriod({ period }: FxOptions): 'daily' | 'monthly' | undefined {
  if (period !== 'weekly') return period;
  throw new ImportRejected(
    `Exchange rates are daily or monthly: specify ${optionHint('period', ['daily', 'monthly'])}.`,
  );
}

/** A rate as units for a dollar. */
function asStored(row: TableRecord, batch: RecordBatch, { invert }: FxOptions): TableRecord {
  if (!invert) return row;
  batch.inverted++;
  const rate = toSignificantDigits(1 / (row.values.rate as number));
  return { ...row, values: { ...row.values, rate } };
}
