import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { setImmediate } from 'node:timers/promises';
import type { TableRecords } from '../../tables/table-file.js';

/** Batches that are held as they are; later ones are compressed. */
const MAX_PLAIN_BATCHES = 16;
/** Fast: the speed of compression is that of the import while a file is held back. */
const LEVEL = 1;

/** Records of a file that are held back until it is clear how to read them. */
export class HeldRecords {
  private batches: (TableRecords | Buffer)[] = [];

  add(batch: TableRecords): void {
    this.batches.push(
      this.batches.length < MAX_PLAIN_BATCHES
        ? batch
        : deflateRawSync(JSON.stringify(batch), { level: LEVEL }),
    );
  }

  /** Yields the records in the order of `add`, and lets other work go on between batches. */
  async *drain(): AsyncGenerator<TableRecords> {
    const batches = this.batches;
    this.batches = [];
    for (const [index, batch] of batches.entries()) {
      if (index % MAX_PLAIN_BATCHES === MAX_PLAIN_BATCHES - 1) await setImmediate();
      yield 'records' in batch ? batch : (JSON.parse(inflateRawSync(batch).toString()) as TableRecords);
    }
  }
}
