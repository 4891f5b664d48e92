import type { ListFormat } from './list-format.js';
import { listFormats } from './formats.js';

/** What content negotiation needs of a format. */
type MediaFormat = Pick<ListFormat, 'name' | 'mediaType' | 'acceptedTypes'> & {
  /** What a body is, where it is no rows. */
  readonly description?: string;
};

export const HTML_MEDIA_TYPE = 'text/html; charset=utf-8';
export const SVG_MEDIA_TYPE = 'image/svg+xml; charset=utf-8';
export const PNG_MEDIA_TYPE = 'image/png';

/** Formats of addresses for people, which lists do not have. */
const pageFormats: readonly MediaFormat[] = [
  { name: 'html', mediaType: HTML_MEDIA_TYPE, acceptedTypes: ['text/html', 'application/xhtml+xml'] },
  { name: 'svg', mediaType: SVG_MEDIA_TYPE, acceptedTypes: ['image/svg+xml'] },
  { name: 'png', mediaType: PNG_MEDIA_TYPE, acceptedTypes: [PNG_MEDIA_TYPE] },
];

/** What some lists also have: appointments, which are no table. */
export const CALENDAR = 'ics';
const calendar: MediaFormat = {
  name: CALENDAR,
  mediaType: 'text/calendar; charset=utf-8',
  acceptedTypes: ['text/calendar'],
  description: 'A calendar (RFC 5545).',
};

/** Whether a format is one for people: addresses in it ignore parameters that they do not know. */
export const isPageFormat = (name: string): boolean => pageFormats.some((format) => format.name === name);

/**
 * The media types of a format.
 * @throws Error for a name that is not registered
 */
export function mediaFormat(name: string): MediaFormat {
  const format = [...listFormats, ...pageFormats, calendar].find((one) => one.name === name);
  if (format === undefined) throw new Error(`There is no format ${name}.`);
  return format;
}
