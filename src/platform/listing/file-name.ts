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
  const name = fileStem(path, query);
  const ascii = plainText(name.normalize('NFD').replace(/\p{M}/gu, ''), /[^A-Za-z0-9._-]+/g);
  const fallback = `attachment; filename="${ascii}.${extension}"`;
  if (ascii === name) return fallback;
  return `${fallback}; filename*=UTF-8''${encodeURIComponent(name)}.${extension}`;
}

function fileStem(path: string, { pairs }: QueryPairs): string {
  const resource = (decodeText(path) ?? '').replace(/^.*\/v\d+\//, '').split('/');
  const parameters = pairs
    .filter(({ name, value }) => value !== '' && !LEFT_OUT.has(name))
    .map(({ name, value }) => `${name}-${value}`);
  const parts = [...resource, ...parameters].map((part) => plainText(part)).filter((part) => part !== '');
  const stem = parts.join('_') || 'data';
  return Array.from(stem)
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/[-._]+$/, '');
}

/** Replaces everything but letters, digits and a few signs, which file systems may not allow. */
function plainText(text: string, others = /[^\p{L}\p{M}\p{N}._-]+/gu): string {
  return text
    .normalize('NFC')
    .replace(others, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|-+$/g, '');
}
