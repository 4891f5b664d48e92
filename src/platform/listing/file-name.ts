import { decodeText, type QueryPairs } from '../validation/query-pairs.js';

/** Characters of a file name before its extension; what is longer is cut. */
const MAX_LENGTH = 120;
/** Parameters that do not choose what the file has in it. */
const LEFT_OUT = new Set(['format', '_']);

/**
 * `Content-Disposition` (RFC 6266) of a list that is saved as a file. The name is made of the
 * address: what is listed, and each parameter with its value, so it is the same for every reply of
 * an address, and tells the files in a folder apart. Where it is not ASCII, clients that do not
 * know `filename*` get a name without accents.
 * @param path as sent; up to the version of the interface it is left out
 */
export function contentDisposition(path: string, query: QueryPairs, extension: string): string {
  return disposition('attachment', fileStem(path, query), extension);
}

/**
 * `Content-Disposition` of a file that browsers show, and save under a name that tells what it is.
 * @param title in any script
 */
export const inlineDisposition = (title: string, extension: string): string =>
  disposition('inline', cut(plainText(title) || 'data'), extension);

function disposition(type: 'attachment' | 'inline', name: string, extension: string): string {
  const ascii = plainText(name.normalize('NFD').replace(/\p{M}/gu, ''), /[^A-Za-z0-9._-]+/g);
  const fallback = `${type}; filename="${ascii || 'data'}.${extension}"`;
  if (ascii === name) return fallback;
  return `${fallback}; filename*=UTF-8''${encodeURIComponent(name)}.${extension}`;
}

function fileStem(path: string, { pairs }: QueryPairs): string {
  const resource = (decodeText(path) ?? '').replace(/^.*\/v\d+\//, '').split('/');
  const parameters = pairs
    .filter(({ name, value }) => value !== '' && !LEFT_OUT.has(name))
    .map(({ name, value }) => `${name}-${value}`);
  const parts = [...resource, ...parameters].map((part) => plainText(part)).filter((part) => part !== '');
  return cut(parts.join('_') || 'data');
}

const cut = (name: string): string =>
  Array.from(name)
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/[-._]+$/, '');

/** Replaces everything but letters, digits and a few signs, which file systems may not allow. */
function plainText(text: string, others = /[^\p{L}\p{M}\p{N}._-]+/gu): string {
  return text
    .normalize('NFC')
    .replace(others, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|-+$/g, '');
}
