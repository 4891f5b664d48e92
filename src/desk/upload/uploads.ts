import { Injectable, Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../../config/environment.js';
import type { ProposedTable } from '../../import/mappings/propose/proposed-table.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { ApiError, NotFound } from '../../platform/errors/api-error.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { DiskFull, isFull, receiveForm, type FormBounds, type ReceivedForm } from './receive-form.js';
import { UploadFolder } from './upload-folder.js';
import { uploadTexts } from '../texts/upload.js';
import type { MappingReplacement, UploadState } from './upload-state.js';

/** Files that are kept at a time; reports of imports do not count. */
const MAX_UPLOADS = 10;
/** Milliseconds after which an upload is removed that nobody has used, and one that never ended. */
const KEPT_MS = 24 * 3600 * 1000;
const RECEIVING_MS = 3600 * 1000;
/** Bytes that uploads leave free on the disk. */
const RESERVED_BYTES = 50 * 1024 * 1024;
/** What uploads that come at the same time may write between two looks at the disk. */
const MARGIN_BYTES = 2 * 1024 * 1024;

/** How often an upload tries to get the last room where several come at the same time. */
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 50;

const ID = /^[0-9a-f]{32}$/;

/**
 * The uploaded files, in a folder of temporary files with a folder for each: `data` is the file,
 * `state.json` what is known of it, `proposed.json` the mapping that was proposed for it,
 * `report.json` the report of its last check or import, `replacement.json` a mapping that is to
 * replace a stored one. All processes of a machine share them, and they outlast a restart of the
 * service.
 */
@Injectable()
export class Uploads {
  private readonly shared: UploadFolder;
  private readonly logger = new Logger('Uploads');

  constructor(
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.shared = new UploadFolder(environment, tmpdir());
  }

  /** The folder of all uploads. */
  get folder(): string {
    return this.shared.path;
  }

  /**
   * Receives a form with a file. Nothing is left where this throws.
   * @returns the form, and the new upload; null where no file was chosen
   * @throws FileTooLarge, DiskFull, RequestTimeout, ClientAborted, BadRequest
   * @throws ApiError 409 where too many files are kept
   */
  async receive(
    info: RequestInfo,
    bounds: FormBounds,
    username: string,
  ): Promise<{ form: ReceivedForm; upload: UploadState | null }> {
    await this.sweep();
    this.makeShared();
    await this.requireRoom(Number(info.request.headers['content-length'] ?? 0));
    const id = await this.makeFolder();
    try {
      const form = await receiveForm(info, this.dataPath(id), (bytes) => this.requireRoom(bytes), bounds);
      if (form.fileName === null) {
        await this.remove(id);
        return { form, upload: null };
      }
      const upload: UploadState = {
        id,
        name: shownName(form.fileName),
        bytes: (await stat(this.dataPath(id))).size,
        username,
        receivedAt: instantText(this.clock.now()),
        fields: '',
        format: null,
        step: 'received',
        error: null,
        changeSetId: null,
      };
      return { form, upload };
    } catch (error) {
      await this.remove(id);
      throw error;
    }
  }

  /** All uploads, newest first. */
  async list(): Promise<UploadState[]> {
    const found = await Promise.all((await this.ids()).map((id) => this.read(id)));
    return found
      .filter((upload) => upload !== null)
      .sort((one, other) => (one.receivedAt < other.receivedAt ? 1 : -1));
  }

  /** @throws NotFound also for one that has been removed, or is on another machine */
  async find(id: string): Promise<UploadState> {
    const upload = ID.test(id) ? await this.read(id) : null;
    if (upload === null) throw new NotFound(uploadTexts.lost);
    return upload;
  }

  async save(upload: UploadState): Promise<void> {
    await this.writeJson(upload.id, 'state.json', upload);
  }

  /** The report of the last check or import; null before the first has ended. */
  report(id: string): Promise<ImportReport | null> {
    return readJson<ImportReport>(join(this.pathOf(id), 'report.json'));
  }

  async saveReport(id: string, report: ImportReport): Promise<void> {
    await this.writeJson(id, 'report.json', report);
  }

  async removeReport(id: string): Promise<void> {
    await rm(join(this.pathOf(id), 'report.json'), { force: true });
  }

  /** The mapping that was proposed for the file, with its table; null where none was. */
  proposed(id: string): Promise<ProposedTable | null> {
    return readJson<ProposedTable>(join(this.pathOf(id), 'proposed.json'));
  }

  async saveProposed(id: string, proposed: ProposedTable): Promise<void> {
    await this.writeJson(id, 'proposed.json', proposed);
  }

  /** The mapping that is to replace a stored one, once that is confirmed; null without one. */
  replacement(id: string): Promise<MappingReplacement | null> {
    return readJson<MappingReplacement>(join(this.pathOf(id), 'replacement.json'));
  }

  async saveReplacement(id: string, replacement: MappingReplacement): Promise<void> {
    await this.writeJson(id, 'replacement.json', replacement);
  }

  async removeReplacement(id: string): Promise<void> {
    await rm(join(this.pathOf(id), 'replacement.json'), { force: true });
  }

  /** Whether an upload was imported to its end, so that there is nothing to do any more. */
  async isDone({ id, step }: UploadState): Promise<boolean> {
    return step === 'imported' && (await this.report(id))?.error === null;
  }

  /** Removes an upload with its file. */
  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { recursive: true, force: true });
  }

  /** Removes the file, and keeps what is known of it. */
  async removeData(id: string): Promise<void> {
    await rm(this.dataPath(id), { force: true });
  }

  pathOf(id: string): string {
    return join(this.folder, id);
  }

  dataPath(id: string): string {
    return join(this.pathOf(id), 'data');
  }

  /** Removes what nobody has used for a day, and what a killed process has left. */
  async sweep(): Promise<void> {
    this.shared.adopt();
    this.shared.removeFormer(KEPT_MS);
    for (const id of await this.ids()) {
      const state = await stat(join(this.pathOf(id), 'state.json')).catch(() => null);
      const used = state ?? (await stat(this.pathOf(id)).catch(() => null));
      const kept = state === null ? RECEIVING_MS : KEPT_MS;
      if (used !== null && Date.now() - used.mtimeMs > kept) {
        this.logger.log(`Removing an upload that was not used for long: ${id}.`);
        await this.remove(id);
      }
    }
  }

  /** @throws DiskFull */
  private makeShared(): void {
    try {
      this.shared.make();
    } catch (error) {
      throw isFull(error) ? new DiskFull(error) : error;
    }
  }

  /** @throws DiskFull where the disk has no room for so many more bytes */
  private async requireRoom(bytes: number): Promise<void> {
    if ((await this.freeBytes()) < bytes + MARGIN_BYTES + RESERVED_BYTES) throw new DiskFull();
  }

  /** Free on the disk of the uploads. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize;
  }

  /**
   * Makes the folder of an upload, which counts from then on: of those that come at the same time,
   * also to other processes, none is beyond the limit.
   * @returns its id
   * @throws ApiError 409 where too many files are kept
   */
  private async makeFolder(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      let kept = await this.countFiles();
      if (kept >= MAX_UPLOADS && (await this.removeFailed())) kept--;
      if (kept >= MAX_UPLOADS || attempt > MAX_ATTEMPTS)
        throw new ApiError('import_running', uploadTexts.tooMany(Math.min(kept, MAX_UPLOADS)), {
          errors: [],
          headers: { Connection: 'close' },
        });
      const id = randomBytes(16).toString('hex');
      await mkdir(this.pathOf(id), { mode: 0o700 });
      if ((await this.countFiles()) <= MAX_UPLOADS) return id;
      await this.remove(id);
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }

  /** Removes the oldest upload whose check has failed. @returns whether there was one */
  private async removeFailed(): Promise<boolean> {
    for (const upload of (await this.list()).reverse()) {
      if (upload.step !== 'checked') continue;
      const error = upload.error ?? (await this.report(upload.id))?.error ?? null;
      if (error === null) continue;
      await this.remove(upload.id);
      return true;
    }
    return false;
  }

  /** The uploads that have their file, or are receiving it. */
  private async countFiles(): Promise<number> {
    let count = 0;
    for (const id of await this.ids()) {
      const names = await readdir(this.pathOf(id)).catch(() => ['state.json']);
      if (names.includes('data') || !names.includes('state.json')) count++;
    }
    return count;
  }

  private async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => ID.test(name));
  }

  private read(id: string): Promise<UploadState | null> {
    return readJson<UploadState>(join(this.pathOf(id), 'state.json'));
  }

  /** Written aside and renamed: nobody reads half of it. */
  private async writeJson(id: string, name: string, value: object): Promise<void> {
    const path = join(this.pathOf(id), name);
    const aside = `${path}.${randomBytes(6).toString('hex')}`;
    await writeFile(aside, JSON.stringify(value), { mode: 0o600 });
    await rename(aside, path);
  }
}

/** @returns null where there is no such file */
async function readJson<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The name of a file without folders and control characters. */
const shownName = (name: string): string =>
  Array.from(basename(name.replaceAll('\\', '/')).replace(/\p{Cc}/gu, ''))
    .slice(0, 255)
    .join('');
