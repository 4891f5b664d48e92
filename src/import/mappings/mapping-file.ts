import { readFileSync } from 'node:fs';
import { ApiError, MAX_VIOLATIONS } from '../../platform/errors/api-error.js';
import { parseJson } from '../../platform/validation/json-text.js';
import { type Mapping, MAX_MAPPING_BYTES, validateMapping } from './mapping.js';

/** A file that is no mapping, with everything that is wrong with it. */
export class InvalidMappingFile extends Error {}

/** Reads a mapping from a file of JSON. @throws InvalidMappingFile */
export function readMappingFile(path: string): Mapping {
  const bytes = bytesOf(path);
  if (bytes.length > MAX_MAPPING_BYTES)
    throw new InvalidMappingFile(`${path} is no mapping: it has more than ${MAX_MAPPING_BYTES} bytes.`);
  const found = checked(path, bytes.toString());
  if ('value' in found) return found.value;
  const shown = found.violations.slice(0, MAX_VIOLATIONS).map(({ detail }) => `  ${detail}`);
  const more = found.violations.length - shown.length;
  if (more > 0) shown.push(`  and ${more} more`);
  throw new InvalidMappingFile([`${path} is no valid mapping:`, ...shown].join('\n'));
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new InvalidMappingFile(`The mapping ${path} cannot be read.`);
  }
}

function checked(path: string, text: string): ReturnType<typeof validateMapping> {
  try {
    return validateMapping(parseJson(text.replace(/^\ufeff/, '')));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const detail = error.errors?.[0]?.detail ?? error.detail;
    throw new InvalidMappingFile(`${path} is no mapping: ${detail.replace('The body', 'it')}`);
  }
}
