import type { ListFormat } from './list-format.js';
import { listFormats } from './formats.js';

/** What content negotiation needs of a format. */
type MediaFormat = Pick<ListFormat, 'name' | 'mediaType' | 'acceptedTypes'>;

export const HTML_MEDIA_TYPE = 'text/html; charset=utf-8';
export const SVG_MEDIA_TYPE = 'image/svg+xml; charset=utf-8';
export const PNG_MEDIA_TYPE = 'image/png';

/** Formats of addresses for people, which lists do not have. */
const pageFormats: readonly MediaFormat[] = [
  { name: 'html', mediaType: HTML_MEDIA_TYPE, acceptedTypes: ['text/html', 'application/xhtml+xml'] },
  { name: 'svg', mediaType: SVG_MEDIA_TYPE, acceptedTypes: ['image/svg+xml'] },
  { name: 'png', mediaType: PNG_MEDIA_TYPE, acceptedTypes: [PNG_MEDIA_TYPE] },
];

/** Whether a format is one for people: addresses in it ignore parameters that they do not know. */
export const isPageFormat = (name: string): boolean => pageFormats.some((format) => format.name === name);

/**
 * The media types of a format of lists or pages.
 * @throws Error for a name that is not registered
 */
export function mediaFormat(name: string): MediaFormat {
  const format = [...listFormats, ...pageFormats].find((one) => one.name === name);
  if (format === undefined) throw new Error(`There is no format ${name}.`);
  return format;
}
