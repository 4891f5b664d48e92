import { UnsupportedMediaType } from '../../errors/api-error.js';
import type { IncomingHttpHeaders } from 'node:http';

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
