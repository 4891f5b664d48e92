import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnusableDatabaseError } from './unusable-database.error.js';
import { Database } from './database.js';
import { DataRevision } from './data-revision.js';
import { driverErrorKind } from './driver-errors.js';

/** First and longest wait (ms) between two tries to reach the database. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;
/** Milliseconds between two log lines about a database that stays away. */
const TELL_EVERY = 30_000;

/**
 * Opens the database when the application starts. The embedded one has to open at once; a server that is away is tried again
 * for ever, while the service already listens and answers 503. A server that refuses the account, or whose schema is not at
 * the newest migration, ends the start: waiting would not help, and half a schema must not be served.
 */
@Injectable()
export class DatabaseConnector implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stopped = new AbortController();
  private readonly afterConnect: (() => Promise<void>)[] = [];
  /** Settles when the database is open, rejects when it cannot be opened by waiting; neither where the end comes first. */
  ready: Promise<void> = Promise.resolve();
  /** Whether everything is in place: the database open, and what had to be done first done. */
  served = false;

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
  ) {}

  /** Adds something to do once the database is open and before anything is served from it. */
  whenConnected(task: () => Promise<void>): void {
    this.afterConnect.push(task);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.ready = new Promise((resolve, reject) => {
      this.open().then(resolve, (error: unknown) => this.stopped.signal.aborted || reject(error));
    });
    if (this.database.embedded) await this.ready;
    // A server may come later; that it never can is told by whoever awaits `ready`.
    else this.ready.catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    this.revision.stop();
    await this.database.close();
  }

  private async open(): Promise<void> {
    let tellAgain = 0;
    const tasks = [() => this.database.connect(true), () => this.revision.ask(), ...this.afterConnect];
    for (let done = 0, wait = FIRST_WAIT; done < tasks.length;) {
      try {
        await tasks[done]!();
        done++;
        wait = FIRST_WAIT;
      } catch (error) {
        if (this.database.embedded || driverErrorKind(error) !== 'unavailable') throw refusal(error);
        if (performance.now() >= tellAgain) {
          this.logger.warn('The database does not answer; trying again.');
          tellAgain = performance.now() + TELL_EVERY;
        }
        await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal: this.stopped.signal });
        wait = Math.min(wait * 2, LONGEST_WAIT);
      }
    }
    this.revision.watch();
    this.served = true;
  }
}

/** One line for whoever starts the service, where the driver says only a number. */
function refusal(error: unknown): unknown {
  if (error instanceof UnusableDatabaseError || driverErrorKind(error) !== 'misconfigured') return error;
  const { errno, driverError } = error as { errno?: number; driverError?: { errno?: number } };
  const reason = REFUSALS[errno ?? driverError?.errno ?? 0] ?? 'The database cannot be used';
  return new UnusableDatabaseError(`${reason}: check DATABASE_URL.`, error);
}

const REFUSALS: Record<number, string> = {
  1044: 'The database does not let this account use it',
  1045: 'The database refuses the account or its password',
  1698: 'The database refuses the account or its password',
  1049: 'The server has no database of this name',
  1130: 'The server does not let this host connect',
};
