import { Unzip, UnzipInflate, type UnzipFile } from 'fflate';
import { ImportRejected } from '../formats/batch.js';
import { quoteValue } from '../formats/values.js';
import { documentKind } from './file-kind.js';

/**
 * Bytes that are decompressed at once: few, because each may become a thousand, which are held in
 * memory.
 */
const PUSHED_BYTES = 2 * 1024;

const LOCAL_HEADER = 0x04034b50;
/** Bytes of a local header before the name. */
const LOCAL_HEADER_BYTES = 30;

/** Files with data. The others of an archive, such as notes and pictures, are left out. */
const DATA_FILE = /\.(csv|txt|tsv|tab|dat|json|ndjson|jsonl|gz)$/i;
/** What is packed beside the data: the system files of macOS, and FAOSTAT's lists of codes. */
const OTHER_FILE =
  /(^|\/)(__MACOSX\/|\.)|(_|^)(AreaCodes|AreaGroups|ItemCodes|ItemGroups|Elements|Flags|Symbols)\.csv$|(^|\/)(readme|licen[cs]e)[^/]*\.txt$/i;

/** Whether an input is a zip archive. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && (isSignature(head, 3, 4) || isSignature(head, 5, 6));

const isSignature = (head: Uint8Array, third: number, fourth: number) =>
  head[2] === third && head[3] === fourth;

/**
 * The one file with data in a zip archive.
 * @param head its first bytes, of which the names of the first files are read
 * @throws ImportRejected for workbooks and other documents, for an archive with no file of data, or
 * that is damaged or encrypted; and at the end of the file, where there is another one
 */
export async function* unzip(bytes: AsyncIterable<Uint8Array>, head: Uint8Array): AsyncGenerator<Uint8Array> {
  const document = documentKind(namesIn(head));
  if (document !== null) throw new ImportRejected(document);
  const archive = new Archive();
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
  private name: string | null = null;
  private readonly others: string[] = [];
  private isComplete = false;
  private length = 0;
  private output: Uint8Array[] = [];
  private failure: Error | null = null;

  constructor() {
    this.unzip.register(UnzipInflate);
  }

  /** @returns the bytes of the file that a part of the archive has given */
  push(part: Uint8Array, isLast: boolean): Uint8Array[] {
    try {
      this.unzip.push(part, isLast);
    } catch (error) {
      this.failure ??= error as Error;
    }
    if (this.failure !== null) {
      throw this.failure instanceof ImportRejected ? this.failure : damaged();
    }
    const { output } = this;
    this.output = [];
    return output;
  }

  /** @throws ImportRejected where the archive has ended too early, or has no or several files */
  finish(): void {
    if (this.name === null)
      throw new ImportRejected('The input is a zip archive without a CSV or JSON file.');
    if (!this.isComplete) throw damaged();
    if (this.others.length === 0) return;
    const [second, ...more] = this.others;
    throw new ImportRejected(
      `The input is a zip archive of several files, ${quoteValue(this.name)}, ${quoteValue(second!)}` +
        `${more.length > 0 ? ', …' : ''}: unpack it, and import them one by one.`,
    );
  }

  private open(file: UnzipFile): void {
    const { name, originalSize } = file;
    if (!DATA_FILE.test(name) || OTHER_FILE.test(name)) return;
    if (this.name !== null) {
      if (withoutFlags(name) !== withoutFlags(this.name)) this.others.push(name);
      return;
    }
    this.name = name;
    file.ondata = (error, data, isLast) => {
      if (error !== null) this.failure ??= error;
      else {
        this.length += data.length;
        this.output.push(data);
        this.isComplete = isLast;
        // It is 0 or absent where the archive was written without knowing it.
        if (isLast && originalSize && originalSize !== this.length) this.failure ??= damaged();
      }
    };
    file.start();
  }
}

/** FAOSTAT packs its wide table twice, with and without the columns of flags. */
const withoutFlags = (name: string) => name.replace(/_NOFLAG(?=\.csv$)/i, '');

const damaged = () =>
  new ImportRejected(
    'The zip archive is damaged, encrypted or not complete: unpack it, and import its file.',
  );

/** The names in the local headers that lie within the first bytes of an archive. */
function namesIn(head: Uint8Array): string[] {
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
