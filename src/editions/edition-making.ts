import { rmSync } from 'node:fs';
import type { Environment } from '../config/environment.js';
import type { Database } from '../database/database.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { differenceTo } from './edition-difference.js';
import { EditionLockLost, renewLock, sendHeartbeats } from './edition-lock.js';
import type { BegunEdition, Editions } from './editions.js';
import { EditionMaker } from './make/edition-maker.js';
import { editionFolder } from './make/folders.js';

/** Makes editions that have been begun, and records how that went. */
export class EditionMaking {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly environment: Environment,
    private readonly editions: Editions,
  ) {}

  /**
   * @param stop ends it early
   * @throws what the files could not be made for; the edition has failed then, and left no files
   */
  async make(begun: BegunEdition, stop: AbortSignal): Promise<void> {
    const { holder, number, revision } = begun;
    const lost = new AbortController();
    const stopHeartbeats = sendHeartbeats(this.unitOfWork, holder, (error) => lost.abort(error));
    try {
      const before = await this.editions.before(number);
      const difference = before && (await differenceTo(this.database, before, revision));
      const maker = new EditionMaker(this.database, this.environment);
      const signal = AbortSignal.any([stop, lost.signal]);
      const contents = await maker.make(begun, signal, () =>
        this.unitOfWork.run((transaction) => renewLock(transaction, holder)),
      );
      await this.editions.finish(begun, { ...contents, difference });
    } catch (error) {
      // Nobody has seen them: only editions that are ready are served.
      rmSync(editionFolder(this.environment.editionsFolder, number), { recursive: true, force: true });
      if (!(error instanceof EditionLockLost)) await this.editions.fail(begun, reasonOf(error));
      throw error;
    } finally {
      stopHeartbeats();
    }
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
