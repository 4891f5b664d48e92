import { TimeSlice } from '../../../lib/scheduling/time-slice.js';
import type { ListFormat } from '../list-format.js';
import type { Table } from '../listing.js';
import { ParquetEncoder } from './parquet-encoder.js';
import { parquetValueOf, type ParquetValue } from './parquet-schema.js';

/**
 * Rows of a row group. Fewer would make files longer, whose footer describes each column of each
 * group; more would hold more rows in memory and take longer for a column.
 */
const ROWS_PER_GROUP = 20_000;

/** Apache Parquet: columns with types, for pandas, R, DuckDB and others. */
export const parquet: ListFormat = {
  name: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  acceptedTypes: ['application/vnd.apache.parquet', 'application/x-parquet'],
  paged: false,
  encodes: 'table',
  encode: (listing, _, { signal }) => encodeTable(listing.table(), signal),
};

async function* encodeTable(table: Table, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { columns } = table;
  const encoder = new ParquetEncoder(columns);
  const conversions = columns.map(({ type }) => parquetValueOf(type));
  const timeSlice = new TimeSlice();
  let values: ParquetValue[][] = columns.map(() => []);
  for await (const rows of table.batches()) {
    // The first bytes come after many rows: until then nothing else ends the work for a client that
    // has left.
    signal.throwIfAborted();
    for (const row of rows)
      for (const [index, convert] of conversions.entries()) values[index]!.push(convert(row[index]!));
    await timeSlice.yield();
    if (values[0]!.length < ROWS_PER_GROUP) continue;
    for (const bytes of encoder.group(values)) {
      yield bytes;
      await timeSlice.yield();
    }
    values = columns.map(() => []);
  }
  if (values[0]!.length > 0) yield* encoder.group(values);
  yield encoder.end();
}
