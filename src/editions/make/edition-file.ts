import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

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
  private closed = false;

  constructor(
    folder: string,
    private readonly name: string,
  ) {
    this.descriptor = openSync(join(folder, name), 'wx');
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
    return { name: this.name, bytes: this.bytes, sha256: this.digest.digest('hex') };
  }

  close(): void {
    if (!this.closed) closeSync(this.descriptor);
    this.closed = true;
  }
}

/** The folder that the files of an edition are written into. */
export class FolderWriter {
  private readonly files: EditionFile[] = [];

  constructor(private readonly path: string) {}

  create(name: string): EditionFile {
    const file = new EditionFile(this.path, name);
    this.files.push(file);
    return file;
  }

  /** Writes a text as a whole file. */
  writeText(name: string, text: string): FileRecord {
    const file = this.create(name);
    file.write(Buffer.from(text));
    return file.end();
  }

  /** Closes the files that have not ended: a folder on NFS with open files cannot be removed. */
  close(): void {
    for (const file of this.files) file.close();
  }
}
