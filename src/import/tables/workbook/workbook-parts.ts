import { SaxesParser } from 'saxes';
import { ImportRejected } from '../../formats/batch.js';
import { zipMembers } from '../../containers/unzip.js';

/** Bytes of a workbook as it is stored, which is held in memory. */
const MAX_PACKED_BYTES = 64 * 1024 * 1024;
/** Bytes of a part between two tags: text that is held in memory. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** Tags within each other. */
const MAX_DEPTH = 64;

/** What a reader of XML is told; names are without their prefixes. */
interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** A part with the relationships that it refers to others by. */
interface Relationship {
  /** Last word of its type, such as `worksheet`. */
  readonly type: string;
  /** Path of the part that it leads to. */
  readonly path: string;
}

/**
 * The parts of an Excel workbook (Office Open XML): files of XML in a zip archive. Entities that a
 * file defines are not known to the parser, so that none can grow.
 */
export class WorkbookParts {
  private constructor(private readonly packed: readonly Uint8Array[]) {}

  /** @throws ImportRejected for a workbook that is too large */
  static async collect(chunks: AsyncIterable<Uint8Array>): Promise<WorkbookParts> {
    const packed: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > MAX_PACKED_BYTES)
        throw new ImportRejected('The workbook is larger than 64 MB: save its sheet as CSV.');
      packed.push(chunk);
    }
    return new WorkbookParts(packed);
  }

  /**
   * Reads a part while its bytes are unpacked.
   * @param maxBytes its maximum length
   * @param handlers told what comes, and yielded when they have been told some of it
   * @throws ImportRejected for a part that is missing, damaged or too long
   */
  async *read<H extends XmlHandlers>(path: string, maxBytes: number, handlers: H): AsyncGenerator<H> {
    const xml = new XmlReader(handlers);
    const decoder = new TextDecoder();
    let length = 0;
    for await (const bytes of zipMembers(this.chunks(), this.isFirst(path), damagedWorkbook)) {
      length += bytes.length;
      if (length > maxBytes)
        throw new ImportRejected(
          `The workbook has more than ${maxBytes / 1024 / 1024} MB in ${path}: save its sheet as CSV.`,
        );
      xml.write(decoder.decode(bytes, { stream: true }));
      yield handlers;
    }
    if (length === 0) throw damagedWorkbook();
    xml.end();
    yield handlers;
  }

  /** Reads a short part at once. */
  async readWhole(path: string, maxBytes: number, handlers: XmlHandlers): Promise<void> {
    const steps = this.read(path, maxBytes, handlers);
    while (!(await steps.next()).done);
  }

  /** The relationships of a part, or of the whole, by their ids. @param path '' for the whole */
  async relationships(path: string, maxBytes: number): Promise<ReadonlyMap<string, Relationship>> {
    const slash = path.lastIndexOf('/') + 1;
    const folder = path.slice(0, slash);
    const found = new Map<string, Relationship>();
    await this.readWhole(`${folder}_rels/${path.slice(slash)}.rels`, maxBytes, {
      open(name, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
        if (name !== 'Relationship' || id === undefined || mode === 'External') return;
        found.set(id, { type: type.slice(type.lastIndexOf('/') + 1), path: resolvePath(folder, target) });
      },
    });
    return found;
  }

  private isFirst(path: string): (name: string) => boolean {
    let isFound = false;
    return (name) => !isFound && (isFound = name.toLowerCase() === path.toLowerCase());
  }

  private async *chunks(): AsyncGenerator<Uint8Array> {
    yield* this.packed;
  }
}

export const damagedWorkbook = () =>
  new ImportRejected('The workbook is damaged or not complete: open it, and save it as .xlsx again.');

/** The path of a part. @param folder of the part that names it, with a slash at its end */
function resolvePath(folder: string, target: string): string {
  return new URL(target, `file:///${folder}`).pathname.slice(1);
}

/** A parser of XML that bounds what is held of it. */
class XmlReader {
  private readonly parser = new SaxesParser({ position: false, xmlns: false });
  private depth = 0;
  private textLength = 0;

  constructor(handlers: XmlHandlers) {
    this.parser.on('opentag', ({ name, attributes }) => {
      this.textLength = 0;
      if (++this.depth > MAX_DEPTH) throw damagedWorkbook();
      handlers.open(withoutPrefix(name), attributes);
    });
    this.parser.on('closetag', ({ name }) => {
      this.textLength = 0;
      this.depth--;
      handlers.close?.(withoutPrefix(name));
    });
    const onText = (text: string) => handlers.text?.(text);
    this.parser.on('text', onText);
    this.parser.on('cdata', onText);
  }

  write(text: string): void {
    this.textLength += text.length;
    this.call(() => this.parser.write(text));
    if (this.textLength > MAX_TEXT_BYTES)
      throw new ImportRejected('The workbook is not a table: it has a value longer than 4 MB.');
  }

  end(): void {
    this.call(() => this.parser.close());
  }

  private call(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw error instanceof ImportRejected ? error : damagedWorkbook();
    }
  }
}

function withoutPrefix(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
