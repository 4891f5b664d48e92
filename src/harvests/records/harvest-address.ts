import { ParseError } from '../../platform/validation/parsers.js';

/** Where the secret of a harvest stands in its address or its header. */
export const SECRET = '{secret}';

/** Stands for the secret while an address is parsed: it has the characters of any path or query. */
const STAND_IN = 'secret-0123456789';

const NOT_VALID = new ParseError(
  'invalid_format',
  'must be an http or https address, or one such as file:prices.csv.',
);
const HAS_USER = new ParseError(
  'invalid_format',
  'must have no user name and no password: give them as secret, and {secret} where they stand, or in a header.',
);
const SECRET_ELSEWHERE = new ParseError('invalid_format', 'may have {secret} in its path or its query only.');

/** Why a text is no address of a harvest; null where it is one. */
export function addressFault(address: string): ParseError | null {
  const text = address.replaceAll(SECRET, STAND_IN);
  if (!URL.canParse(text)) return NOT_VALID;
  const url = new URL(text);
  if (!/^(?:https?|file):$/.test(url.protocol)) return NOT_VALID;
  if (url.username !== '' || url.password !== '') return HAS_USER;
  const places = [url.pathname, url.search].join('').split(STAND_IN).length;
  if (places !== address.split(SECRET).length) return SECRET_ELSEWHERE;
  if (url.protocol !== 'file:')
    return url.hash === '' ? null : new ParseError('invalid_format', 'must have no fragment.');
  if (address.includes(SECRET))
    return new ParseError('invalid_format', 'must have no {secret} in a path of a file.');
  return filePathOf(address) === null ? NOT_VALID : null;
}

/** The origin of an address, to which alone its secret is sent; '' for files. */
export function sourceOrigin(address: string): string {
  const url = new URL(address.replaceAll(SECRET, STAND_IN));
  return url.protocol === 'file:' ? '' : url.origin;
}

/** The path of a `file:` address below the folder of files; null for another address. */
export function filePathOf(address: string): string | null {
  const { protocol, host, pathname, search, hash } = new URL(address.replaceAll(SECRET, STAND_IN));
  if (protocol !== 'file:' || host !== '' || search !== '' || hash !== '') return null;
  if (/%2f|%5c|%00|\\/i.test(pathname) || pathname.endsWith('/')) return null;
  try {
    return decodeURIComponent(pathname).slice(1);
  } catch {
    return null;
  }
}

/** The name of the file at an address; '' where its secret stands there. */
export function fileNameOf(address: string): string {
  const last = new URL(address.replaceAll(SECRET, STAND_IN)).pathname.split('/').at(-1)!;
  if (last.includes(STAND_IN)) return '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Headers that a request has by itself. */
const OWN_HEADERS = new Set(
  'accept-encoding connection content-length expect host if-modified-since if-none-match keep-alive proxy-authorization range te trailer transfer-encoding upgrade user-agent'.split(
    ' ',
  ),
);

/** Why a text is no header with a secret; null where it is one, or there is none. */
export function headerFault(header: string): ParseError | null {
  if (header === '') return null;
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+): ?(\S[\x20-\x7e]*)$/.exec(header) ?? [];
  if (name === undefined || !value!.includes(SECRET))
    return new ParseError(
      'invalid_format',
      'must be a header with {secret}, such as Authorization: Bearer {secret}.',
    );
  return OWN_HEADERS.has(name.toLowerCase())
    ? new ParseError('invalid_choice', `must not be ${name}, which every request has by itself.`)
    : null;
}

/** The address with the secret, percent-encoded; that of a server. */
export const addressWith = (address: string, secret: string): URL =>
  new URL(address.replaceAll(SECRET, () => encodeURIComponent(secret)));

/** The header with the secret. */
export function headerWith(header: string, secret: string): Record<string, string> {
  if (header === '') return {};
  const at = header.indexOf(':');
  return {
    [header.slice(0, at)]: header
      .slice(at + 1)
      .trim()
      .replaceAll(SECRET, () => secret),
  };
}
