import type { Frame } from './listing.js';
import { join } from './chunks.js';
import type { ListFormat } from './list-format.js';

/** The media type of JSON replies. */
export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** JSON (RFC 8259): an array of the items, the envelope of a page, or a single item. */
export const json: ListFormat = {
  name: 'json',
  mediaType: JSON_MEDIA_TYPE,
  acceptedTypes: ['application/json'],
  paged: true,
  encodes: 'items',
  encode: (listing, frame) => join(head(frame), listing.items('array'), tail(frame)),
};

function head(frame: Frame): string {
  if (frame.kind === 'single') return '';
  if (frame.kind === 'array') return '[';
  const { count, next, previous } = frame;
  return `${JSON.stringify({ count, next, previous }).slice(0, -1)},"results":[`;
}

const TAILS = { single: '', array: ']', page: ']}' };

const tail = ({ kind }: Frame): string => TAILS[kind];
