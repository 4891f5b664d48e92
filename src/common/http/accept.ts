import { type Format, mediaTypes } from './reply.js';

/** Names a format answers to in `Accept`. */
const names: Record<Format, readonly string[]> = {
  json: ['application/json'],
  csv: ['text/csv'],
  ndjson: ['application/x-ndjson', 'application/ndjson'],
};

interface Range {
  type: string;
  weight: number;
}

/**
 * The format to answer in. The route's first format wins among equals; a header that is absent or makes no sense asks for
 * nothing in particular.
 * @returns null when the header rules out all of them
 */
export function negotiate(accept: string | undefined, formats: readonly Format[]): Format | null {
  const [first] = formats;
  if (first === undefined) return 'json';
  if (accept === undefined || accept === '*/*') return first;
  const ranges = parse(accept);
  if (ranges.length === 0) return first;
  let best: Format | null = null;
  let most = 0;
  for (const format of formats) {
    const weight = Math.max(...names[format].map((name) => weightOf(name, ranges)));
    if (weight > most) {
      best = format;
      most = weight;
    }
  }
  return best;
}

/** The media types of formats, without their parameters. */
export function typesOf(formats: readonly Format[]): string[] {
  return formats.map((format) => mediaTypes[format].split(';')[0] as string);
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
