import { Injectable, Logger } from '@nestjs/common';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { fileNameOf, sourceOrigin } from '../records/harvest-address.js';
import { namesSecret } from '../records/harvest.dto.js';
import type { HarvestRow } from '../records/harvest.entity.js';
import { SealedSecrets } from '../records/sealed-secrets.js';
import type { HarvestCounts } from './harvest-run.dto.js';
import type { RunOutcome } from './harvest-runs.js';

const FOLDER_PREFIX = 'price-data-harvest-';
/** Milliseconds after which a folder is one of a process that was killed. */
const ABANDONED_MS = 24 * 3600_000;
/** Milliseconds between two looks at the lock of imports, and most that it is waited for. */
const LOCK_INTERVAL_MS = 2000;
const MAX_LOCK_WAIT_MS = 3600_000;

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
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param signal stops it
   * @returns how it has ended; what goes wrong is an outcome, too
   * @throws the reason of the signal when that is aborted
   */
  async run(harvest: HarvestRow, signal: AbortSignal): Promise<RunOutcome> {
    const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
    try {
      return await this.runIn(folder, harvest, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FetchFailed)
        return { state: 'failed', error: error.message, retryAfterMs: error.retryAfterMs };
      if (error instanceof ImportRejected) return { state: 'failed', error: error.message };
      if (error instanceof ApiError) return { state: 'failed', error: error.detail };
      this.logger.error(`${harvest.name} has failed.`, (error as Error).stack);
      return { state: 'failed', error: 'It ended with an internal error; the log says which.' };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes the files of runs of processes that were killed. */
  async removeAbandoned(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      if (!name.startsWith(FOLDER_PREFIX)) continue;
      const path = join(tmpdir(), name);
      const found = await stat(path).catch(() => null);
      const isOwn = found !== null && found.uid === (process.getuid?.() ?? found.uid);
      if (isOwn && Date.now() - found.mtimeMs > ABANDONED_MS)
        await rm(path, { recursive: true, force: true });
    }
  }

  private async runIn(folder: string, harvest: HarvestRow, signal: AbortSignal): Promise<RunOutcome> {
    const path = join(folder, 'file');
    const stored = await this.mappingOf(harvest);
    const mapping_version = stored?.version ?? null;
    // By another version of its mapping, the same file may have other rows.
    const known =
      harvest.mapping_version === mapping_version
        ? harvest
        : { ...harvest, etag: '', last_modified: '', digest: '' };
    const file = await this.fetcher.fetch(known, this.secretOf(harvest), path, signal);
    if (file === null || file.digest === known.digest)
      return { state: 'unchanged', ...(file && { bytes: file.bytes }) };
    const { bytes, digest, etag, lastModified: last_modified } = file;
    const taskOf = (dryRun: boolean): ImportTask => {
      const request: ImportRequest = {
        ...{ format: harvest.format, dryRun, inputName: `harvest ${harvest.name}` },
        ...{ caller: null, requestId: null },
        ...requestedImport(valuesOf(harvest)),
      };
      return {
        request: stored === null ? request : readBy(request, stored),
        isAtomic: false,
        input: {
          ...{ path, name: fileNameOf(harvest.address), size: bytes },
          maxBytes: this.environment.harvestMaxBytes,
        },
      };
    };
    const tried = await this.imports.run(taskOf(true), { signal });
    const fault = faultOf(tried);
    if (fault !== null) return { state: 'failed', bytes, counts: countsOf(tried), error: fault };
    const report = await this.import(taskOf(false), signal);
    const done = { bytes, counts: countsOf(report), changeSetId: report.change_set_id };
    return report.error === null
      ? { state: 'done', ...done, imported: { etag, last_modified, digest, mapping_version } }
      : { state: 'failed', ...done, error: report.error };
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
  private async import(task: ImportTask, signal: AbortSignal): Promise<ImportReport> {
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
