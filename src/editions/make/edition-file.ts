import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { basename } from 'node:path';

/** A finished file of an edition. */
export interface FileRecord {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that is written from the beginning to the end. Fails where the disk is full. */
export class EditionFile {
  private readonly descriptor: number;
  private readonly digest = createHash('sha256');
  private bytes = 0;

  constructor(private readonly path: string) {
    this.descriptor = openSync(path, 'wx');
  }

  write(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length;)
      from += writeSync(this.descriptor, chunk, from, chunk.length - from);
    this.digest.update(chunk);
    this.bytes += chunk.length;
  }

  /** Writes the file to the disk and closes it. */
  end(): FileRecord {
    fsyncSync(this.descriptor);
    this.close();
    return { name: basename(this.path), bytes: this.bytes, sha256: this.digest.digest('hex') };
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Writes a text as a whole file. */
export function writeText(path: string, text: string): FileRecord {
  const file = new EditionFile(path);
  file.write(Buffer.from(text));
  return file.end();
}
