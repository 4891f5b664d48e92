import { statSync } from 'node:fs';
import { FileGoneError } from '../errors/driver-errors.js';

/** Finds out whether an opened database is still the file at its path. */
export class FileInPlace {
  private readonly identities = new Map<string, string>();

  /** @param path of a database that has just been opened */
  constructor(private readonly path: string) {
    this.identities.set(path, identityOf(path) ?? '');
  }

  /**
   * @throws FileGoneError where it is not, or its write-ahead log is not, or the memory that all
   * processes share, without which those of others would not see its locks
   */
  assert(): void {
    for (const path of [this.path, `${this.path}-wal`, `${this.path}-shm`]) {
      const identity = identityOf(path);
      const known = this.identities.get(path);
      if (known !== undefined && identity !== known) throw new FileGoneError();
      // Both are there from the first statement on, as long as a connection is open.
      if (identity !== null) this.identities.set(path, identity);
    }
  }
}

/** What tells a file from any other; null where there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}
