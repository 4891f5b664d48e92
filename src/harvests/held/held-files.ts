import { Injectable } from '@nestjs/common';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Database } from '../../database/database.js';
import { rowPlaceholders } from '../../database/sql.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';

/** The file of a run that is held, and the report of its dry run. */
type HeldName = 'file' | 'report';

/** Packed bytes of a part: as base64, text columns of all engines hold them. */
const PART_BYTES = 45_000;
/** Parts of a transaction, and of one read: some 1 MB. */
const PARTS_AT_ONCE = 20;

/**
 * Keeps the files of runs that are held, packed, in the database: there they outlive the process,
 * every process of the service can import and serve them, and a backup has them.
 */
@Injectable()
export class HeldFiles {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Keeps the file of a run with the report of its dry run. Where it is stopped halfway, the parts
   * go with the end of the run.
   * @throws the reason of the signal when that is aborted
   */
  async keep(runId: number, path: string, report: object, signal: AbortSignal): Promise<void> {
    await this.write(runId, 'file', createReadStream(path), signal);
    await this.write(runId, 'report', Readable.from([Buffer.from(JSON.stringify(report))]), signal);
  }

  /** What is kept of a run, unpacked. It fails where that goes meanwhile. */
  read(runId: number, name: HeldName): Readable {
    const unpacked = createGunzip();
    // What goes wrong ends the stream that is read.
    pipeline(Readable.from(this.parts(runId, name)), unpacked).catch(() => undefined);
    return unpacked;
  }

  /** The report of the dry run of a run that is held. */
  async readReport(runId: number): Promise<ImportReport> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(runId, 'report')) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString()) as ImportReport;
  }

  private async write(runId: number, name: HeldName, source: Readable, signal: AbortSignal): Promise<void> {
    const packed = createGzip();
    const packing = pipeline(source, packed, { signal });
    packing.catch(() => undefined);
    let part = 0;
    let contents: string[] = [];
    const save = async () => {
      const rows = contents.map((content) => [runId, name, part++, content]);
      contents = [];
      if (rows.length === 0) return;
      await this.unitOfWork.run((transaction) =>
        transaction.execute(
          `INSERT INTO held_file (run_id, name, part, content) VALUES ${rowPlaceholders(rows.length, 4)}`,
          rows.flat(),
        ),
      );
    };
    for await (const bytes of partsOf(packed)) {
      contents.push(bytes.toString('base64'));
      if (contents.length === PARTS_AT_ONCE) await save();
    }
    await packing;
    await save();
  }

  private async *parts(runId: number, name: HeldName): AsyncGenerator<Buffer> {
    for (let from = 0; ; from += PARTS_AT_ONCE) {
      const rows = await this.database.rows<{ content: string }>(
        'SELECT content FROM held_file WHERE run_id = ? AND name = ? AND part >= ? AND part < ? ORDER BY part',
        [runId, name, from, from + PARTS_AT_ONCE],
      );
      for (const { content } of rows) yield Buffer.from(content, 'base64');
      if (rows.length < PARTS_AT_ONCE) return;
    }
  }
}

/** The bytes of a stream in parts of the same length, but for the last one. */
async function* partsOf(stream: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    held.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length < PART_BYTES) continue;
    let all = Buffer.concat(held);
    for (; all.length >= PART_BYTES; all = all.subarray(PART_BYTES)) yield all.subarray(0, PART_BYTES);
    held = [all];
    length = all.length;
  }
  if (length > 0) yield Buffer.concat(held);
}
