import type { Database } from '../../database/database.js';
import type { CellValue } from '../../platform/formats/listing.js';
import { PAST_RECORDS_PER_STATEMENT, readPastRecords } from '../../reference/base/past-records.js';
import { TableStatements } from '../../reference/base/table-statements.js';
import { Cpi } from '../../reference/cpi/cpi.entity.js';
import { FxRate } from '../../reference/fx-rate/fx-rate.entity.js';
import { compareText } from './compare-text.js';
import { RATE_COLUMNS } from './columns.js';

/** Records read by one statement. */
const ROWS_PER_STATEMENT = 2500;

/** A table, and its columns that are read. */
interface RateColumns {
  readonly statements: Pick<TableStatements<never>, 'name' | 'selectColumns'>;
  readonly columns: readonly string[];
}

const RATES: RateColumns = {
  statements: new TableStatements(FxRate),
  columns: ['currency', 'rate_type', 'period', 'date', 'rate', 'source'],
};
const INDICES: RateColumns = {
  statements: new TableStatements(Cpi),
  columns: ['iso3_country_code', 'item', 'base_period', 'date', 'value', 'source'],
};

type Attributes = Readonly<Record<string, CellValue>>;

/** The exchange rates and consumer price indices as they were at a revision, in order. */
export async function readRateRows(database: Database, revision: number): Promise<CellValue[][]> {
  const rates = (await readRecords(database, RATES, revision)).map((record) => ({
    ...record,
    kind: 'exchange_rate',
    periodicity: record.period!,
    value: record.rate!,
  }));
  const indices = (await readRecords(database, INDICES, revision)).map((record) => ({
    ...record,
    kind: 'price_index',
    periodicity: 'monthly',
  }));
  return [...inOrder(rates), ...inOrder(indices)];
}

function inOrder(records: readonly Attributes[]): CellValue[][] {
  const rows = records.map((record) => RATE_COLUMNS.map(({ name }) => record[name] ?? null));
  // The columns before the value are a key of the table.
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row.slice(0, -2)) }));
  return keyed.sort((one, other) => compareText(one.key, other.key)).map(({ row }) => row);
}

async function readRecords(
  database: Database,
  { statements, columns }: RateColumns,
  revision: number,
): Promise<Attributes[]> {
  const reads = database.anyServer;
  const byId = new Map<number, Attributes>();
  const select = statements.selectColumns(
    ['id', ...columns],
    `WHERE since <= ? AND id > ? ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`,
  );
  for (let after = 0; ;) {
    const rows = await reads.arrays<[number, ...CellValue[]]>(select, [revision, after]);
    for (const [id, ...values] of rows)
      byId.set(id, Object.fromEntries(columns.map((column, index) => [column, values[index]!])));
    if (rows.length < ROWS_PER_STATEMENT) break;
    after = rows.at(-1)![0];
  }
  for (let after = 0; ;) {
    const records = await readPastRecords(reads, statements.name, revision, after);
    for (const { id, attributes } of records) byId.set(id, { source: '', ...attributes });
    if (records.length < PAST_RECORDS_PER_STATEMENT) break;
    after = records.at(-1)!.id;
  }
  return [...byId.values()];
}
