import { openRows } from '../tables/open-rows.js';
import { encodingOf } from '../containers/text-encoding.js';
import type { MappedFields } from './mapped-columns.js';
import { MappedTable } from './mapped-table.js';
import type { Mapping } from './mapping.js';
import type { InputTextOptions } from '../pipeline/input.js';

/** What a mapped file is opened with. */
interface MappedInput {
  readonly mapping: Mapping;
  readonly fileName?: string | undefined;
  /** Name of the sheet of a workbook, in place of the one that the mapping names. */
  readonly sheet?: string | undefined;
}

/** Opens the table of an input. @throws ImportRejected where its mapping does not fit */
export async function openMapped(
  chunks: AsyncIterable<Uint8Array>,
  { mapping, fileName = '', sheet }: MappedInput,
  fields: MappedFields,
): Promise<MappedTable> {
  const { delimiter = ',', sheetName, sheetNumber = 1 } = mapping.dialect ?? {};
  const opened = await openRows(chunks, {
    delimiter: () => delimiter,
    encoding: isWindows1252(mapping) ? 'windows-1252' : 'utf-8',
    sheet: sheet ?? sheetName ?? sheetNumber,
  });
  return MappedTable.open(opened.source, mapping, { file: fileName, sheet: opened.sheet }, fields);
}

/**
 * What the text of an input is taken by, with what its mapping says of it. Windows-1252 is read
 * line by line, where a line is not UTF-8.
 */
export function textOptionsOf({
  encoding,
  file,
  mapping,
}: InputTextOptions & { readonly mapping?: Mapping | undefined }): InputTextOptions {
  if (mapping === undefined) return { encoding, file };
  const ofMapping = isWindows1252(mapping) ? undefined : mapping.encoding;
  return { encoding: encoding ?? ofMapping, file: file ?? mapping.file };
}

const isWindows1252 = ({ encoding }: Mapping): boolean =>
  encoding !== undefined && encodingOf(encoding) === 'windows-1252';
