import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { ImportRejected, WrongFormat } from '../../import/formats/batch.js';
import { detectFormat } from '../../import/formats/detect-format.js';
import { requestedImport, storedMappingOf } from '../../import/import.parameters.js';
import { textOptionsOf } from '../../import/mappings/open-mapped.js';
import type { Mapping } from '../../import/mappings/mapping.js';
import type { WritingOptions } from '../../import/mappings/propose/proposed-table.js';
import { MappingStore, readBy } from '../../import/mappings/stored/mapping-store.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { ImportProcess } from '../../import/process/import-process.js';
import type { TaskProgress } from '../../import/process/import-task.js';
import { JobLeases, type Progress } from '../../operations/jobs/job-leases.js';
import { Jobs } from '../../operations/jobs/jobs.js';
import { ApiError } from '../../platform/errors/api-error.js';
import type { Caller } from '../../platform/http/caller.js';
import { headOf } from './file-head.js';
import { guessCountry } from './guessed-country.js';
import { inWordsOfForm } from './option-fields.js';
import { DiskFull, isFull } from './receive-form.js';
import { uploadTexts } from '../texts/upload.js';
import { importValues, withField } from './upload-fields.js';
import type { MappingReplacement, UploadChoices, UploadState } from './upload-state.js';
import { Uploads } from './uploads.js';

const HOUR_MS = 3600 * 1000;

/** Who has a file checked or imported. */
export interface JobAuthor {
  readonly caller: Caller;
  readonly requestId: string;
}

/** Checks and imports uploaded files, while the requests that began it have ended. */
@Injectable()
export class UploadJobs implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Uploads');
  private sweeping: NodeJS.Timeout | null = null;

  constructor(
    private readonly uploads: Uploads,
    private readonly process: ImportProcess,
    private readonly mappings: MappingStore,
    private readonly environment: Environment,
    private readonly jobs: Jobs,
    private readonly leases: JobLeases,
  ) {}

  onModuleInit(): void {
    const sweep = () => {
      this.uploads.sweep().catch((error: Error) => this.logger.warn(error.message));
    };
    if (this.environment.explorer) sweep();
    this.sweeping = setInterval(sweep, HOUR_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.sweeping) clearInterval(this.sweeping);
  }

  /** How far the check or the import of an upload is; null where none is running. */
  progress(id: string): Promise<Progress | null> {
    return this.leases.progressOf(leaseOf(id));
  }

  /**
   * Begins to check a file, which stores nothing. Returns when it has ended, or soon.
   * @throws ValidationError for its fields
   * @throws NotFound, DiskFull
   */
  async check(upload: UploadState, author: JobAuthor): Promise<void> {
    const values = importValues(upload.fields);
    requestedImport(values);
    const { format } = values;
    const stored = format === undefined ? null : await storedMappingOf(format, this.mappings);
    const mapping = format === undefined ? upload.mapping : null;
    const state: UploadState = { ...upload, step: 'received', error: null, stored, mapping };
    const progress = { total: upload.bytes, done: ({ bytes }: TaskProgress) => bytes };
    await this.begin(state, progress, async (onProgress) => {
      await this.uploads.removeReport(state.id);
      const heads = await this.headsOf(state).catch((error: unknown) => {
        if (!(error instanceof ImportRejected)) throw error;
        return this.removeUnreadable(state, error);
      });
      if (heads === null) return;
      state.guess = await guessCountry(state.name, heads);
      if (!state.mapping) {
        const found = format ?? (await this.formatOf(state, heads));
        if (found === null) return;
        state.format = found;
      }
      await this.run(state, author, true, onProgress);
      state.step = 'checked';
    });
  }

  /** The begins of the tables of a file. @throws ImportRejected for a file that no format reads */
  private async headsOf(state: UploadState): Promise<readonly Uint8Array[]> {
    const { sheet, ...values } = importValues(state.fields);
    const { encoding, file } = textOptionsOf({ ...values, mapping: state.stored?.mapping });
    const path = this.dataOf(state);
    const head = await headOf(path, encoding);
    if (head !== null) return [head];
    const task = { headsOf: { path, encoding, file, sheet } };
    const { heads, sheets } = await this.process.heads(task, this.jobs.signal);
    // Where one is chosen, the others are those that were known before.
    if (sheet === undefined) state.choices = { ...state.choices, sheet: sheets };
    return heads;
  }

  /**
   * Begins to propose a mapping for a file. Returns when it has ended, or soon.
   * @throws NotFound, DiskFull
   */
  async propose(upload: UploadState, writing: WritingOptions): Promise<void> {
    const state: UploadState = { ...upload, step: 'received', error: null };
    const progress = { total: upload.bytes, done: ({ bytes }: TaskProgress) => bytes };
    await this.begin(state, progress, async () => {
      await this.uploads.removeReport(state.id);
      await this.describe(state, writing);
    });
  }

  /**
   * Begins to compare the series that a file has by a mapping and by the stored one that it is to
   * replace. Returns when it has ended, or soon.
   * @throws NotFound, DiskFull
   */
  async compare(
    upload: UploadState,
    replacement: Omit<MappingReplacement, 'comparison' | 'error'>,
    before: Mapping,
  ): Promise<void> {
    const { id, name, bytes: size, fields } = upload;
    const { options } = requestedImport(importValues(fields));
    const maxBytes = this.environment.deskImportMaxBytes;
    const task = {
      compared: { before, after: replacement.mapping, options },
      input: { path: this.dataOf(upload), name, size, maxBytes },
    };
    await this.begin(upload, { total: size, done: () => 0 }, async () => {
      await this.uploads.removeReplacement(id);
      const result = await this.process.compare(task, this.jobs.signal).then(
        (comparison) => ({ comparison, error: null }),
        (error: unknown) => ({ comparison: null, error: this.messageOf(error) }),
      );
      await this.uploads.saveReplacement(id, { ...replacement, ...result });
    });
  }

  /** The format of a file; null where none knows it, and a mapping is proposed. */
  private async formatOf(state: UploadState, heads: readonly Uint8Array[]): Promise<string | null> {
    try {
      return await detectFormat(heads, state.name);
    } catch (error) {
      if (!(error instanceof WrongFormat)) throw error;
      try {
        await this.describe(state, { encoding: importValues(state.fields).encoding });
        return null;
      } catch (reason) {
        if (!(reason instanceof ImportRejected)) throw reason;
        throw new ImportRejected(`${uploadTexts.noMapping} ${reason.message} ${error.message}`);
      }
    }
  }

  /** Proposes a mapping. @throws ImportRejected where none fits */
  private async describe(state: UploadState, writing: WritingOptions): Promise<void> {
    const { id, name, bytes: size } = state;
    const maxBytes = this.environment.deskImportMaxBytes;
    const input = { path: this.dataOf(state), name, size, maxBytes };
    const { file, sheet } = importValues(state.fields);
    const task = { writing: { sheetName: sheet, ...writing }, file, input };
    await this.uploads.saveProposed(id, await this.process.propose(task, this.jobs.signal));
    // The mapping says the sheet from now on.
    state.fields = withField(withField(state.fields, 'format', ''), 'sheet', '');
    state.stored = null;
    state.mapping = null;
    delete state.mappingFields;
    state.format = null;
    state.step = 'described';
  }

  /**
   * Removes a file that no format reads, unless the error asks for something that the form says.
   * @throws ImportRejected for such an error
   */
  private async removeUnreadable(state: UploadState, error: ImportRejected): Promise<null> {
    if (inWordsOfForm(error.message).fields.length > 0 || importValues(state.fields).encoding !== undefined)
      throw error;
    await this.uploads.removeData(state.id);
    state.step = 'unreadable';
    state.error = error.message;
    return null;
  }

  /**
   * Begins to import a file that was checked. Returns when it has ended, or soon.
   * @throws NotFound, DiskFull
   */
  async import(upload: UploadState, author: JobAuthor): Promise<void> {
    const checked = await this.uploads.report(upload.id);
    const state: UploadState = { ...upload, step: 'importing', error: null };
    const progress = { total: rowsToStore(checked), done: ({ rows }: TaskProgress) => rows };
    await this.begin(state, progress, async (onProgress) => {
      const report = await this.run(state, author, false, onProgress);
      state.changeSetId = report.change_set_id;
      state.step = 'imported';
      // One that has ended early can be tried again.
      if (report.error === null) await this.uploads.removeData(state.id);
    });
  }

  private async begin(
    state: UploadState,
    { total, done }: { total: number; done: (progress: TaskProgress) => number },
    work: (onProgress: (progress: TaskProgress) => void) => Promise<void>,
  ): Promise<void> {
    let reached = 0;
    await this.jobs.begin<void>(async (begun) => {
      const held = await this.leases.acquire(leaseOf(state.id), () => ({
        done: Math.min(total, reached),
        total,
      }));
      if (held === null) return begun();
      try {
        // Another request may have imported it since this one has read its state.
        if (await this.uploads.isDone(await this.uploads.find(state.id))) return begun();
        await this.save(state);
        begun();
        try {
          await work((progress) => (reached = done(progress)));
        } catch (error) {
          state.error = this.messageOf(error);
          state.choices = { ...state.choices, ...choicesOf(error) };
          state.step = 'checked';
        }
        await this.uploads.save(state);
      } finally {
        await held.end();
      }
    });
  }

  /** @throws DiskFull */
  private async save(state: UploadState): Promise<void> {
    try {
      await this.uploads.save(state);
    } catch (error) {
      throw isFull(error) ? new DiskFull(error) : error;
    }
  }

  private async run(
    state: UploadState,
    { caller, requestId }: JobAuthor,
    dryRun: boolean,
    onProgress: (progress: TaskProgress) => void,
  ): Promise<ImportReport> {
    const { id, name, bytes: size, fields, format, mapping, stored } = state;
    const how = requestedImport(importValues(fields));
    const options = { ...how.options, ...(mapping ? { mapping } : {}) };
    const request = { ...how, format: format!, options, dryRun, caller, requestId };
    const report = await this.process.run(
      {
        request: stored ? readBy(request, stored) : request,
        isAtomic: false,
        input: { path: this.dataOf(state), name, size, maxBytes: this.environment.deskImportMaxBytes },
      },
      { signal: this.jobs.signal, onProgress },
    );
    await this.uploads.saveReport(id, report);
    return report;
  }

  /** The message for the page; the details of an unexpected error are only logged. */
  private messageOf(error: unknown): string {
    if (error instanceof ImportRejected) return error.message;
    if (error instanceof ApiError) return error.detail;
    if (this.jobs.signal.aborted) return uploadTexts.shutDown;
    this.logger.error(error instanceof Error ? error : String(error));
    return uploadTexts.internal;
  }

  private dataOf = ({ id }: UploadState): string => this.uploads.dataPath(id);
}

/** The name of the lease of an upload's check or import. */
const leaseOf = (id: string) => `upload ${id}`;

/** The rows of a checked file that are neither rejected nor left out. */
function rowsToStore(checked: ImportReport | null): number {
  if (checked === null) return 0;
  const skipped = Object.values(checked.skipped).reduce((sum, count) => sum + count, 0);
  return Math.max(0, checked.read - checked.rejected - skipped);
}

/** What an error leaves to choose from, by the field that it asks for. */
function choicesOf(error: unknown): UploadChoices {
  if (!(error instanceof ImportRejected) || error.choices.length === 0) return {};
  const { fields } = inWordsOfForm(error.message);
  return { [fields.includes('file') ? 'file' : 'sheet']: error.choices };
}
