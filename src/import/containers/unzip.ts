import { Unzip, UnzipInflate, UnzipPassThrough, type UnzipDecoder, type UnzipFile } from 'fflate';
import { ImportRejected } from '../formats/batch.js';
import { optionHint } from '../formats/option-hint.js';
import { quoteValue } from '../formats/values.js';

/**
 * Bytes that are decompressed at once: few, because each may become a thousand, which are held in
 * memory.
 */
const PUSHED_BYTES = 2 * 1024;

const LOCAL_HEADER = 0x04034b50;
/** Bytes of a local header before the name. */
const LOCAL_HEADER_BYTES = 30;

/** Files with data. The others of an archive, such as notes and pictures, are left out. */
const DATA_FILE = /\.(csv|txt|tsv|tab|dat|json|ndjson|jsonl|xlsx|xlsm|gz)$/i;
/** What is packed beside the data: the system files of macOS, and FAOSTAT's lists of codes. */
const OTHER_FILE =
  /(^|\/)(__MACOSX\/|\.)|(_|^)(AreaCodes|AreaGroups|ItemCodes|ItemGroups|Elements|Flags|Symbols)\.csv$|(^|\/)(readme|licen[cs]e)[^/]*\.txt$/i;

/** Names of files that a message shows. */
const MAX_NAMED = 10;

/** Whether an input is a zip archive. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && (isSignature(head, 3, 4) || isSignature(head, 5, 6));

const isSignature = (head: Uint8Array, third: number, fourth: number) =>
  head[2] === third && head[3] === fourth;

/**
 * The one file with data in a zip archive, or the one that is named.
 * @param file its name in the archive, with or without its folder
 * @throws ImportRejected for an archive without such a file, or that is damaged or encrypted; and
 * at the end of the archive, where there are several and none is named
 */
export async function* unzip(bytes: AsyncIterable<Uint8Array>, file?: string): AsyncGenerator<Uint8Array> {
  const found: string[] = [];
  let hasNamed = false;
  const isWanted = (name: string) => {
    const isData = DATA_FILE.test(name) && !OTHER_FILE.test(name);
    if (isData) found.push(name);
    if (file === undefined) return isData && found.length === 1;
    if (hasNamed || !isCalled(name, file)) return false;
    return (hasNamed = true);
  };
  yield* zipMembers(bytes, isWanted);
  if (file !== undefined && !hasNamed) throw new ImportRejected(withoutFile(file, found), found);
  const [first, ...others] = found;
  if (first === undefined && file === undefined)
    throw new ImportRejected('The input is a zip archive without a CSV or JSON file or workbook.');
  if (file !== undefined || others.every((name) => withoutFlags(name) === withoutFlags(first!))) return;
  throw new ImportRejected(
    `The input is a zip archive of several files, ${listed(found)}. Specify one with ${FILE_OPTION}.`,
    found,
  );
}

const FILE_OPTION = optionHint('file', ['NAME']);

const isCalled = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`);

const withoutFile = (file: string, found: readonly string[]): string =>
  `The zip archive has no file ${quoteValue(file)}` +
  (found.length === 0 ? '.' : `, but ${listed(found)}. Specify one with ${FILE_OPTION}.`);

const listed = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMED)
    .map((name) => JSON.stringify(name))
    .join(', ') + (names.length > MAX_NAMED ? ', …' : '');

/**
 * The bytes of the wanted files of a zip archive, while it comes.
 * @param isWanted called once for each file, in the order of the archive
 * @param damaged the error for an archive that is damaged or encrypted, or ends within such a file
 */
export async function* zipMembers(
  bytes: AsyncIterable<Uint8Array>,
  isWanted: (name: string) => boolean,
  damaged: () => ImportRejected = damagedArchive,
): AsyncGenerator<Uint8Array> {
  const archive = new Archive(isWanted, damaged);
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; from += PUSHED_BYTES) {
      yield* archive.push(chunk.subarray(from, from + PUSHED_BYTES), false);
    }
  }
  yield* archive.push(new Uint8Array(), true);
  archive.finish();
}

/** Reads an archive while it comes. */
class Archive {
  private readonly unzip = new Unzip((file) => this.open(file));
  private isOpen = false;
  private length = 0;
  private output: Uint8Array[] = [];
  private failure: Error | null = null;

  constructor(
    private readonly isWanted: (name: string) => boolean,
    private readonly damaged: () => ImportRejected,
  ) {
    this.unzip.register(this.decoderOf(0, UnzipPassThrough));
    this.unzip.register(this.decoderOf(8, UnzipInflate));
  }

  /** @returns the bytes of wanted files that a part of the archive has given */
  push(part: Uint8Array, isLast: boolean): Uint8Array[] {
    try {
      this.unzip.push(part, isLast);
    } catch (error) {
      this.failure ??= error as Error;
    }
    if (this.failure !== null) throw this.damaged();
    const { output } = this;
    this.output = [];
    return output;
  }

  /** @throws ImportRejected where the archive has ended within a wanted file */
  finish(): void {
    if (this.isOpen) throw this.damaged();
  }

  private open(file: UnzipFile): void {
    const { name, originalSize } = file;
    const isWanted = this.isWanted(name);
    this.isOpen = isWanted;
    this.length = 0;
    file.ondata = (error, data, isLast) => {
      if (error !== null) {
        if (isWanted) this.failure ??= error;
        return;
      }
      if (!isWanted) return;
      this.length += data.length;
      this.output.push(data);
      if (!isLast) return;
      this.isOpen = false;
      // It is 0 or absent where the archive was written without knowing it.
      if (originalSize && originalSize !== this.length) this.failure ??= this.damaged();
    };
    file.start();
  }

  /**
   * Decoders of a compression. Those of other files than the wanted ones drop their bytes: fflate
   * keeps the bytes of files that are not started.
   */
  private decoderOf(compression: number, Decoder: new () => UnzipDecoder) {
    const create = () => (this.isOpen ? new Decoder() : new DroppingDecoder());
    return class {
      static readonly compression = compression;
      constructor() {
        return create();
      }
    } as unknown as Parameters<Unzip['register']>[0];
  }
}

class DroppingDecoder implements UnzipDecoder {
  ondata: UnzipDecoder['ondata'] = () => undefined;
  push(): void {
    // Nothing is kept.
  }
}

/** FAOSTAT packs its wide table twice, with and without the columns of flags. */
const withoutFlags = (name: string) => name.replace(/_NOFLAG(?=\.csv$)/i, '');

const damagedArchive = () =>
  new ImportRejected(
    'The zip archive is damaged, encrypted or not complete: unpack it, and import its file.',
  );

/** The names in the local headers that lie within the first bytes of an archive. */
export function namesIn(head: Uint8Array): string[] {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const names: string[] = [];
  for (
    let at = 0;
    at >= 0 && at + LOCAL_HEADER_BYTES <= bytes.length;
    at = bytes.indexOf('PK\x03\x04', at + 4, 'latin1')
  ) {
    if (bytes.readUInt32LE(at) !== LOCAL_HEADER) continue;
    const from = at + LOCAL_HEADER_BYTES;
    names.push(bytes.toString('latin1', from, from + bytes.readUInt16LE(at + 26)));
  }
  return names;
}
