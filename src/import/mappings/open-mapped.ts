import { CsvFile } from '../tables/csv.js';
import { encodingOf } from '../containers/text-encoding.js';
import type { MappedFields } from './mapped-columns.js';
import { MappedTable } from './mapped-table.js';
import type { Mapping } from './mapping.js';

/** What a mapped file is opened with. */
interface MappedInput {
  readonly mapping: Mapping;
  readonly fileName?: string | undefined;
}

/** Opens the table of an input. @throws ImportRejected where its mapping does not fit */
export function openMapped(
  chunks: AsyncIterable<Uint8Array>,
  { mapping, fileName = '' }: MappedInput,
  fields: MappedFields,
): Promise<MappedTable> {
  const { delimiter = ',' } = mapping.dialect ?? {};
  const rows = CsvFile.openRows(chunks, delimiter, isWindows1252(mapping) ? 'windows-1252' : 'utf-8');
  return MappedTable.open(rows, mapping, { file: fileName, sheet: '' }, fields);
}

/**
 * The label of the encoding that an input is decoded from before it is read. Windows-1252 is read
 * line by line, where a line is not UTF-8.
 */
export function encodingOfInput({
  encoding,
  mapping,
}: {
  readonly encoding?: string | undefined;
  readonly mapping?: Mapping | undefined;
}): string | undefined {
  if (encoding !== undefined || mapping === undefined) return encoding;
  return isWindows1252(mapping) ? undefined : mapping.encoding;
}

const isWindows1252 = ({ encoding }: Mapping): boolean =>
  encoding !== undefined && encodingOf(encoding) === 'windows-1252';
