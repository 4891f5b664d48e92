import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { Encoding } from '../caching/etag.js';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Past this, brotli costs more time than it saves bytes. */
const BROTLI_QUALITY = 5;

/** Texts gain from compression; pictures and archives do not. */
export function isCompressible(type: string): boolean {
  return /^text\/|[/+](?:json|javascript|xml|x-ndjson)\b/.test(type);
}

/** The whole body, compressed off the main thread. */
export function compress(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'gzip') return zip(body);
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

/** A compressor for a body that is written part by part. */
export function compressor(encoding: 'br' | 'gzip'): Transform {
  if (encoding === 'gzip') return createGzip();
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

const known = new Map<string, Encoding>();
const MAX_KNOWN = 200;

/** The encoding an `Accept-Encoding` asks for, of the ones we have; brotli goes before gzip. */
export function chooseEncoding(header: string | string[] | undefined): Encoding {
  if (typeof header !== 'string') return 'identity';
  let encoding = known.get(header);
  if (encoding === undefined) {
    encoding = negotiate(header);
    // A handful of values come from all clients there are; the bound is for those who make them up.
    if (known.size < MAX_KNOWN) known.set(header, encoding);
  }
  return encoding;
}

function negotiate(header: string): Encoding {
  const weights = new Map<string, number>();
  for (const piece of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = piece.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const any = weights.get('*') ?? 0;
  const br = weights.get('br') ?? any;
  const gz = weights.get('gzip') ?? weights.get('x-gzip') ?? any;
  if (br === 0 && gz === 0) return 'identity';
  return br >= gz ? 'br' : 'gzip';
}
