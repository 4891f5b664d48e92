import { join, mapChunks } from './chunks.js';
import { csvLine } from '../../lib/text/csv.js';
import type { ListFormat } from './list-format.js';

/** CSV (RFC 4180) in UTF-8, with a header line. */
export const csv: ListFormat = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  acceptedTypes: ['text/csv'],
  paged: false,
  encodes: 'table',
  encode(listing) {
    const table = listing.table();
    const lines = table.csvLines?.() ?? mapChunks(table.batches(), (rows) => rows.map(csvLine).join(''));
    return join(csvLine(table.columns.map(({ name }) => name)), lines);
  },
};
