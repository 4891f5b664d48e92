import { Injectable, Logger } from '@nestjs/common';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../../config/environment.js';
import { ImportRejected } from '../../import/formats/batch.js';
import { type ImportValues, requestedImport } from '../../import/import.parameters.js';
import type { ImportRequest } from '../../import/import.service.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { importFormats } from '../../import/formats/index.js';
import { MappingStore, readBy, type StoredMapping } from '../../import/mappings/stored/mapping-store.js';
import { ImportProcess } from '../../import/process/import-process.js';
import type { ImportTask } from '../../import/process/import-task.js';
import { runningImport } from '../../ledger/import-lock/import-lock.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { ApiError, ImportRunning } from '../../platform/errors/api-error.js';
import { FetchFailed, SourceFetcher } from '../fetch/source-fetcher.js';
import { HeldFiles } from '../held/held-files.js';
import { heldReasons } from '../held/held-reasons.js';
import { type Decision, type FileIdentity, heldDigest, type HeldRun } from '../held/held-run.dto.js';
import { fileNameOf, sourceOrigin } from '../records/harvest-address.js';
import { namesSecret } from '../records/harvest.dto.js';
import type { HarvestRow } from '../records/harvest.entity.js';
import { SealedSecrets } from '../records/sealed-secrets.js';
import type { HarvestCounts } from './harvest-run.dto.js';
import type { BegunRun, RunOutcome } from './harvest-runs.js';

const FOLDER_PREFIX = 'price-data-harvest-';
/** Milliseconds after which a folder is one of a process that was killed. */
const ABANDONED_MS = 24 * 3600_000;
/** Milliseconds between two looks at the lock of imports, and most that it is waited for. */
const LOCK_INTERVAL_MS = 2000;
const MAX_LOCK_WAIT_MS = 3600_000;

/** A file that is tried out and imported. */
interface SourceFile {
  readonly path: string;
  readonly bytes: number;
  /** The stored mapping that it is read by. */
  readonly stored: StoredMapping | null;
}

/** Does one run of a harvest: fetches its file as a whole, tries it out, and imports it. */
@Injectable()
export class HarvestRunner {
  private readonly logger = new Logger('Harvests');

  constructor(
    private readonly environment: Environment,
    private readonly fetcher: SourceFetcher,
    private readonly secrets: SealedSecrets,
    private readonly mappings: MappingStore,
    private readonly imports: ImportProcess,
    private readonly heldFiles: HeldFiles,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param signal stops it
   * @returns how it has ended; what goes wrong is an outcome, too
   * @throws the reason of the signal when that is aborted
   */
  async run(begun: BegunRun, signal: AbortSignal): Promise<RunOutcome> {
    const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
    try {
      return await this.runIn(folder, begun, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FetchFailed)
        return { state: 'failed', error: error.message, retryAfterMs: error.retryAfterMs };
      if (error instanceof ImportRejected) return { state: 'failed', error: error.message };
      if (error instanceof ApiError) return { state: 'failed', error: error.detail };
      this.logger.error(`${begun.harvest.name} has failed.`, (error as Error).stack);
      return { state: 'failed', error: 'It ended with an internal error; the log says which.' };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes the files of runs of processes that were killed. */
  async removeAbandoned(): Promise<void> {
    const root = tmpdir();
    for (const name of await readdir(root)) {
      if (!name.startsWith(FOLDER_PREFIX)) continue;
      const path = join(root, name);
      const found = await stat(path).catch(() => null);
      const isOwn = found !== null && found.uid === (process.getuid?.() ?? found.uid);
      if (isOwn && Date.now() - found.mtimeMs > ABANDONED_MS)
        await rm(path, { recursive: true, force: true });
    }
  }

  private async runIn(folder: string, begun: BegunRun, signal: AbortSignal): Promise<RunOutcome> {
    const path = join(folder, 'file');
    const { harvest } = begun;
    const stored = await this.mappingOf(harvest);
    if (begun.run.held !== null) return this.importHeld(path, begun, stored, signal);
    const mapping_version = stored?.version ?? null;
    // By another version of its mapping, the same file may have other rows.
    const known =
      harvest.mapping_version === mapping_version
        ? harvest
        : { ...harvest, etag: '', last_modified: '', digest: '' };
    const fetched = await this.fetcher.fetch(known, this.secretOf(harvest), path, signal);
    if (fetched === null || fetched.digest === known.digest)
      return { state: 'unchanged', ...(fetched && { bytes: fetched.bytes }) };
    const { bytes, digest, etag, lastModified: last_modified } = fetched;
    const file: FileIdentity = { etag, last_modified, digest, mapping_version };
    if (heldDigest(file) === harvest.held_digest) return { state: 'unchanged', bytes, isKnownHeld: true };
    const source = { path, bytes, stored };
    const tried = await this.imports.run(this.taskOf(harvest, source, { dryRun: true }), { signal });
    const counts = countsOf(tried);
    const fault = faultOf(tried);
    if (fault !== null) return { state: 'failed', bytes, counts, error: fault };
    const reasons = heldReasons({ ...counts, backdated: tried.backdated }, begun.lastCounts, harvest);
    if (reasons.length > 0) {
      await this.heldFiles.keep(begun.run.id, path, tried, signal);
      return { state: 'held', bytes, counts, held: { reasons, file } };
    }
    return this.import(this.taskOf(harvest, source, { dryRun: false }), file, signal);
  }

  /** Imports the file of a run that was held, as somebody has decided. */
  private async importHeld(
    path: string,
    { run, harvest }: BegunRun,
    stored: StoredMapping | null,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const { file } = JSON.parse(run.held!) as HeldRun;
    if ((stored?.version ?? null) !== file.mapping_version)
      throw new FetchFailed('The mapping has changed since the file was tried out: run the harvest anew.');
    await pipeline(this.heldFiles.read(run.id, 'file'), createWriteStream(path, { mode: 0o600 }), { signal });
    const { caller, requestId, reason } = JSON.parse(run.decision!) as Decision;
    const source = { path, bytes: Number(run.bytes), stored };
    const task = this.taskOf(harvest, source, { dryRun: false, caller, requestId, reason });
    return this.import(task, file, signal);
  }

  private taskOf(
    harvest: HarvestRow,
    { path, bytes, stored }: SourceFile,
    asked: Pick<ImportRequest, 'dryRun'> & Partial<ImportRequest>,
  ): ImportTask {
    const request: ImportRequest = {
      ...{ format: harvest.format, inputName: `harvest ${harvest.name}` },
      ...{ caller: null, requestId: null },
      ...requestedImport(valuesOf(harvest)),
      ...asked,
    };
    return {
      request: stored === null ? request : readBy(request, stored),
      isAtomic: false,
      input: {
        ...{ path, name: fileNameOf(harvest.address), size: bytes },
        maxBytes: this.environment.harvestMaxBytes,
      },
    };
  }

  /**
   * The stored mapping that the format of a harvest is; null for a format of the service.
   * @throws FetchFailed where there is neither
   */
  private async mappingOf({ format }: HarvestRow): Promise<StoredMapping | null> {
    if (Object.hasOwn(importFormats, format)) return null;
    const stored = await this.mappings.find(format);
    if (stored === null) throw new FetchFailed(`There is no format and no mapping ${format}.`);
    return stored;
  }

  /** @throws FetchFailed where it cannot be opened */
  private secretOf(harvest: HarvestRow): string {
    if (!namesSecret(harvest)) return '';
    const secret = this.secrets.open(harvest.secret, sourceOrigin(harvest.address));
    if (secret === null)
      throw new FetchFailed('Its secret cannot be opened, because SECRETS_KEY is another one: set it anew.');
    return secret;
  }

  /** Imports a file once no other import is running. */
  private async import(task: ImportTask, imported: FileIdentity, signal: AbortSignal): Promise<RunOutcome> {
    const report = await this.importInTurn(task, signal);
    const { change_set_id: changeSetId } = report;
    const done = { bytes: task.input.size, counts: countsOf(report), changeSetId };
    return report.error === null
      ? { state: 'done', ...done, imported }
      : { state: 'failed', ...done, error: report.error };
  }

  private async importInTurn(task: ImportTask, signal: AbortSignal): Promise<ImportReport> {
    const until = performance.now() + MAX_LOCK_WAIT_MS;
    for (;;) {
      try {
        if ((await this.unitOfWork.run(runningImport)) === null)
          return await this.imports.run(task, { signal });
      } catch (error) {
        if (!(error instanceof ImportRunning)) throw error;
      }
      if (performance.now() > until) throw new ImportRunning();
      await sleep(LOCK_INTERVAL_MS, undefined, { signal });
    }
  }
}

/** What the options of a harvest are as parameters of an import. */
function valuesOf({ options, source }: HarvestRow): ImportValues {
  const values = JSON.parse(options) as ImportValues;
  return source === '' ? values : { ...values, source };
}

/** Why a file is not imported that was tried out; null where it can be. */
function faultOf({ error, read, rejected, rejects }: ImportReport): string | null {
  if (error !== null) return error;
  if (read === 0) return 'The file has no rows.';
  if (rejected < read) return null;
  return `All ${read} rows are rejected. The first one: ${rejects[0]?.detail ?? ''}`;
}

function countsOf(report: ImportReport): HarvestCounts {
  const { read, new: added, changed, unchanged, skipped, rejected, countries } = report;
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  return { read, new: added, changed, unchanged, skipped: left, rejected, countries };
}
