import type { ListFormat } from './list-format.js';

/** Newline-delimited JSON: one item a line. */
export const ndjson: ListFormat = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson; charset=utf-8',
  acceptedTypes: ['application/x-ndjson', 'application/ndjson'],
  paged: false,
  encodes: 'items',
  encode: (listing) => listing.items('lines'),
};
