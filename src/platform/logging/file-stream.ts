import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Milliseconds after which a write that has failed is tried again. */
const RETRY_INTERVAL = 500;

/** Writes bytes from an offset on. @returns how many were written */
type FileWrite = (file: number, bytes: Buffer, offset: number) => number;

/**
 * A stream to an open file that outlives failures: while its disk is full, the stream is blocked,
 * and it goes on where it has stopped. Node's own stream ends for good with its first error, and
 * loses what a short write has left.
 */
export class FileStream extends Writable {
  constructor(
    private readonly file: number,
    private readonly writeTo: FileWrite = writeSync,
    private readonly retryInterval = RETRY_INTERVAL,
  ) {
    super();
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: () => void): void {
    let written = 0;
    try {
      while (written < bytes.length) written += this.writeTo(this.file, bytes, written);
    } catch {
      const rest = bytes.subarray(written);
      setTimeout(() => this._write(rest, encoding, done), this.retryInterval).unref();
      return;
    }
    done();
  }
}

/** The standard output: a stream of its own where it is a file, or a device that is no terminal. */
export function standardOutput(): Writable {
  const { fd } = process.stdout as { fd?: number };
  if (fd === undefined || process.stdout.isTTY) return process.stdout;
  const status = fstatSync(fd);
  return status.isFile() || status.isCharacterDevice() ? new FileStream(fd) : process.stdout;
}
