import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { AuditTrail, type AuditedCaller } from '../ledger/audit/audit-trail.js';
import { Environment } from '../config/environment.js';
import { Database } from '../database/database.js';
import { isHeldSql } from '../database/lease.js';
import { timeOfRevision } from '../ledger/revision/stored-revisions.js';
import { PastRevisions } from '../ledger/revision/past-revisions.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { basePathOf } from '../platform/http/client.js';
import { Clock, instantText } from '../platform/clock/clock.js';
import { EditionRunning, NotFound, ValidationError } from '../platform/errors/api-error.js';
import { editionLease } from './edition-lease.js';
import type { EditionContents, EditionDifference, EditionRecord, ReadyEdition } from './edition-record.js';
import type { EditionTask } from './make/edition-maker.js';
import { editionFolder, lastNumber } from './make/folders.js';

/** What a finished edition has, with how it differs from the one before. */
interface FinishedContents extends EditionContents {
  readonly difference: EditionDifference | null;
}

/** An edition that has been begun. Who knows the holder makes it. */
export interface BegunEdition extends EditionTask {
  readonly holder: string;
}

/** Who asks for an edition; null for the command. */
interface EditionRequest {
  readonly title: string;
  readonly revision?: number | undefined;
  readonly caller: AuditedCaller | null;
  readonly requestId: string | null;
}

type Row = Pick<
  EditionRecord,
  'number' | 'title' | 'state' | 'revision' | 'started_at' | 'ended_at' | 'error'
> & {
  contents: string | null;
};

/** The records of editions. */
@Injectable()
export class Editions {
  private readonly select: string;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly pastRevisions: PastRevisions,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {
    // Where the lease is silent, or of another edition, the maker was killed or hangs.
    const held = isHeldSql(database.embedded, 'l');
    const state = `CASE WHEN e.state = 'running' AND NOT ${held} THEN 'interrupted' ELSE e.state END`;
    this.select =
      `SELECT e.number, e.title, ${state} AS state, e.revision, e.started_at, e.ended_at, e.error, e.contents` +
      ' FROM edition e LEFT JOIN edition_lock l ON l.edition = e.number';
  }

  private readonly toRecord = ({ contents, ...row }: Row): EditionRecord => {
    const parsed = contents === null ? null : (JSON.parse(contents) as FinishedContents);
    const folder = `${basePathOf(this.environment.publicUrl)}/editions/${row.number}`;
    return {
      ...row,
      series: parsed?.series ?? null,
      points: parsed?.points ?? null,
      difference: parsed?.difference ?? null,
      files: parsed?.files.map((file) => ({ ...file, path: `${folder}/${file.name}` })) ?? null,
    };
  };

  /** Newest first. */
  async list(): Promise<EditionRecord[]> {
    return (await this.database.rows<Row>(`${this.select} ORDER BY e.number DESC`)).map(this.toRecord);
  }

  /** Those whose files can be read here, newest first: not those that were withdrawn. */
  async listAvailable(): Promise<ReadyEdition[]> {
    const times = await this.database.rows<{ number: number; at: string }>(
      `SELECT e.number, ${timeOfRevision('e.revision')} AS \`at\` FROM edition e`,
    );
    const revisedAt = new Map(times.map(({ number, at }) => [number, at]));
    const ready = (await this.list()).filter(({ state }) => state === 'ready');
    const available = await Promise.all(
      ready.map(({ number }) =>
        access(this.folderOf(number)).then(
          () => true,
          () => false,
        ),
      ),
    );
    return ready
      .filter((_, index) => available[index])
      .map((edition) => ({ ...edition, revised_at: revisedAt.get(edition.number) ?? null }) as ReadyEdition);
  }

  /** The folder that has the files of an edition. */
  folderOf(number: number): string {
    return editionFolder(this.environment.editionsFolder, number);
  }

  /** @throws NotFound */
  async read(number: number): Promise<EditionRecord> {
    const [row] = Number.isSafeInteger(number)
      ? await this.database.rows<Row>(`${this.select} WHERE e.number = ?`, [number])
      : [];
    if (row === undefined) throw new NotFound('There is no such edition.');
    return this.toRecord(row);
  }

  /** The newest edition that is ready and older than another; null if there is none. */
  async before(number: number): Promise<EditionRecord | null> {
    return (await this.list()).find((one) => one.state === 'ready' && one.number < number) ?? null;
  }

  /** The numbers of the others that will never be ready. Only for who makes an edition. */
  async abandoned(number: number): Promise<number[]> {
    const rows = await this.database.rows<{ number: number }>(
      "SELECT number FROM edition WHERE state <> 'ready' AND number <> ?",
      [number],
    );
    return rows.map((row) => row.number);
  }

  /**
   * Begins an edition of the newest revision, or of an earlier one.
   * @throws EditionRunning
   * @throws ValidationError for a revision that does not exist
   */
  async begin({ title, revision, caller, requestId }: EditionRequest): Promise<BegunEdition> {
    const asked = revision === undefined ? ('now' as const) : { revision };
    const resolved = (await this.pastRevisions.resolve(asked, 'revision'))!;
    if (resolved < 0) throw beforeTheData(revision!);
    return this.unitOfWork.run(async (transaction) => {
      if (editionLease.isHeld(await editionLease.read(transaction))) throw new EditionRunning();
      const startedAt = instantText(this.clock.now());
      // Whoever holds the lease is the only maker: `select` shows others as interrupted.
      await transaction.execute(
        "UPDATE edition SET ended_at = ? WHERE state = 'running' AND ended_at IS NULL",
        [startedAt],
      );
      const [row] = await transaction.rows<{ last: number | null }>(
        'SELECT MAX(number) AS last FROM edition',
      );
      // Where an older database was restored, a folder may have a number that is in no record: its
      // files were declared immutable to clients and caches.
      const number = Math.max(Number(row!.last ?? 0), lastNumber(this.environment.editionsFolder)) + 1;
      await transaction.execute(
        "INSERT INTO edition (number, title, revision, state, started_at) VALUES (?, ?, ?, 'running', ?)",
        [number, title, resolved, startedAt],
      );
      const holder = randomUUID();
      await editionLease.take(transaction, holder, { edition: number });
      await this.trail.record(transaction, {
        caller,
        requestId,
        table: 'edition',
        recordId: number,
        action: 'create',
        columns: ['number', 'title', 'revision'],
        before: null,
        after: { number, title, revision: resolved },
      });
      return { holder, number, title, revision: resolved };
    });
  }

  /** The edition that a holder has begun. @throws NotFound where it has lost the lease */
  async begunBy(holder: string): Promise<BegunEdition> {
    const [row] = await this.database.rows<EditionTask>(
      'SELECT e.number, e.title, e.revision FROM edition e JOIN edition_lock l ON l.edition = e.number WHERE l.holder = ?',
      [holder],
    );
    if (row === undefined) throw new NotFound('There is no edition to be made.');
    return { ...row, holder };
  }

  /** Publishes an edition whose files are in place. @throws LeaseLost */
  async finish({ holder, number }: BegunEdition, contents: FinishedContents): Promise<void> {
    await this.end(holder, number, 'ready', '', JSON.stringify(contents));
  }

  /** Ends an edition that could not be made. @throws LeaseLost */
  async fail({ holder, number }: BegunEdition, error: string): Promise<void> {
    await this.end(holder, number, 'failed', error.slice(0, 500), null);
  }

  private async end(
    holder: string,
    number: number,
    state: EditionRecord['state'],
    error: string,
    contents: string | null,
  ): Promise<void> {
    await this.unitOfWork.run(async (transaction) => {
      await editionLease.renew(transaction, holder);
      await editionLease.release(transaction, holder);
      await transaction.execute(
        'UPDATE edition SET state = ?, error = ?, contents = ?, ended_at = ? WHERE number = ?',
        [state, error, contents, instantText(this.clock.now()), number],
      );
    });
  }
}

function beforeTheData(revision: number): ValidationError {
  const detail = `revision ${revision} is before the first one that has data.`;
  return new ValidationError([{ in: 'body', name: 'revision', code: 'unknown_revision', detail }]);
}
