import type { IncomingHttpHeaders } from 'node:http';
import { UnsupportedMediaType } from '../errors/api-error.js';
import { mediaFormat } from '../formats/page-formats.js';

interface Range {
  type: string;
  weight: number;
}

/**
 * The format to reply in. The route's first format wins among equals; a header that is absent or
 * malformed accepts anything. (Express's `req.accepts` takes a malformed header for one that rules
 * everything out, and prefers the client's order among equals.)
 * @returns null when the header rules out all formats
 */
export function negotiate(accept: string | undefined, formats: readonly string[]): string | null {
  const [first] = formats;
  if (first === undefined) return 'json';
  if (accept === undefined || accept === '*/*') return first;
  const ranges = parse(accept);
  if (ranges.length === 0) return first;
  let best: string | null = null;
  let most = 0;
  for (const format of formats) {
    const weight = Math.max(...mediaFormat(format).acceptedTypes.map((name) => weightOf(name, ranges)));
    if (weight > most) {
      best = format;
      most = weight;
    }
  }
  return best;
}

/** Whether a header names HTML, as browsers do, and would not rather have JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  return accept !== undefined && negotiate(accept, ['json', 'html']) === 'html';
}

/** The media types of formats, without their parameters. */
export function mediaTypesOf(formats: readonly string[]): string[] {
  return formats.map((format) => mediaFormat(format).mediaType.split(';')[0]!);
}

function parse(accept: string): Range[] {
  const ranges: Range[] = [];
  for (const piece of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = piece.split(';').map((part) => part.trim());
    if (!/^(?:\*\/\*|[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)$/.test(type)) continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const weight = q === undefined ? 1 : Number(q.slice(q.indexOf('=') + 1));
    if (weight >= 0 && weight <= 1) ranges.push({ type, weight });
  }
  return ranges;
}

/** The weight of the most exact range that covers the type; 0 when none does. */
function weightOf(name: string, ranges: readonly Range[]): number {
  const family = `${name.split('/')[0]}/*`;
  for (const wanted of [name, family, '*/*']) {
    const range = ranges.find(({ type }) => type === wanted);
    if (range !== undefined) return range.weight;
  }
  return 0;
}

/**
 * Checks that a body has one of the media types, in UTF-8, and no other content encoding than
 * these.
 * @throws UnsupportedMediaType
 */
export function checkMediaType(
  headers: IncomingHttpHeaders,
  types: readonly string[],
  encodings: readonly string[] = [],
): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !encodings.includes(encoding.trim().toLowerCase())) {
    throw new UnsupportedMediaType(types, 'The body may not have a Content-Encoding here.');
  }
  const sent = headers['content-type'];
  if (sent === undefined) throw new UnsupportedMediaType(types);
  const [type = '', ...parameters] = sent.split(';').map((part) => part.trim());
  if (!types.includes(type.toLowerCase())) throw new UnsupportedMediaType(types);
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim());
    if (name.toLowerCase() === 'charset' && !/^"?utf-?8"?$/i.test(value))
      throw new UnsupportedMediaType(types);
  }
}
