import { csv } from './csv.format.js';
import { json } from './json.format.js';
import type { ListFormat } from './list-format.js';
import { ndjson } from './ndjson.format.js';
import { parquet } from './parquet/parquet.format.js';
import { xlsx } from './xlsx/xlsx.format.js';

/** Every format of lists; the first is the default. */
export const listFormats: readonly ListFormat[] = [json, csv, ndjson, parquet, xlsx];

/** @throws Error for a name that is not registered */
export function listFormat(name: string): ListFormat {
  const format = listFormats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`There is no format ${name}.`);
  return format;
}
