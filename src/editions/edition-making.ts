import { Injectable } from '@nestjs/common';
import { rmSync } from 'node:fs';
import { Environment } from '../config/environment.js';
import { Database } from '../database/database.js';
import { Heartbeats, LeaseLost } from '../database/lease.js';
import type { Statements } from '../database/write-transaction.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { differenceTo } from './edition-difference.js';
import { editionLease } from './edition-lease.js';
import { type BegunEdition, Editions } from './editions.js';
import { EditionMaker } from './make/edition-maker.js';

/** Makes editions that have been begun, and records how that went. */
@Injectable()
export class EditionMaking {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly environment: Environment,
    private readonly editions: Editions,
  ) {}

  /**
   * @param stop ends it early
   * @throws what the edition could not be made for; it has failed then, and left no files
   */
  async make(begun: BegunEdition, stop: AbortSignal): Promise<void> {
    const { holder, number, revision } = begun;
    const lost = new AbortController();
    const renew = (transaction: Statements) => editionLease.renew(transaction, holder);
    const heartbeats = new Heartbeats(this.unitOfWork, renew, (error) => {
      if (error instanceof LeaseLost) lost.abort(error);
    });
    try {
      this.removeAbandoned(await this.editions.abandoned(number));
      const before = await this.editions.before(number);
      const difference = before && (await differenceTo(this.database, before, revision));
      const maker = new EditionMaker(this.database, this.environment);
      const signal = AbortSignal.any([stop, lost.signal]);
      const contents = await maker.make(begun, signal, () => this.unitOfWork.run(renew));
      await this.editions.finish(begun, { ...contents, difference });
    } catch (error) {
      if (await this.isPublished(begun, error)) return;
      this.removeAbandoned([number]);
      throw error;
    } finally {
      heartbeats.stop();
    }
  }

  /**
   * Ends the record of an edition that has failed, unless it was published, and only the reply to
   * the commit was lost. Where the record cannot be reached, the files stay: if it turns out that
   * it is not ready, nobody is served them, and the next maker removes them.
   * @throws the error where the record cannot be reached
   */
  private async isPublished(begun: BegunEdition, error: unknown): Promise<boolean> {
    try {
      await this.editions.fail(begun, reasonOf(error));
      return false;
    } catch (failure) {
      if (!(failure instanceof LeaseLost)) throw error;
      return (await this.editions.read(begun.number)).state === 'ready';
    }
  }

  /** Nobody has seen their files: only editions that are ready are served. */
  private removeAbandoned(numbers: readonly number[]): void {
    for (const number of numbers) rmSync(this.editions.folderOf(number), { recursive: true, force: true });
  }
}

/** What the record says about an error: no paths and no statements. */
function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full.';
  if (code === 'EFBIG') return 'A file would be larger than its process may write.';
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return 'The folder cannot be written.';
  if ((error as Error).name === 'AbortError') return 'It was stopped.';
  return 'It could not be made; the log says why.';
}
