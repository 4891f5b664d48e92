import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from './database.js';
import { DataRevision } from './data-revision.js';
import { driverErrorKind } from './driver-errors.js';

/** First and longest wait (ms) between two tries to reach the database. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;

/**
 * Opens the database when the application starts. The embedded one has to open at once; a server that is away is tried again
 * for ever, while the service already listens and answers 503.
 */
@Injectable()
export class DatabaseConnector implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stopped = new AbortController();
  private readonly afterConnect: (() => Promise<void>)[] = [];
  /** Settles when the database is open, rejects when it cannot be opened by waiting. */
  ready: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
  ) {}

  /** Adds something to do once the database is open and before anything is served from it. */
  whenConnected(task: () => Promise<void>): void {
    this.afterConnect.push(task);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.ready = this.open();
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
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        await this.database.connect();
        await this.revision.ask();
        break;
      } catch (error) {
        if (this.database.embedded || driverErrorKind(error) !== 'unavailable') throw error;
        this.logger.warn('The database does not answer; trying again.');
        await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal: this.stopped.signal });
      }
    }
    this.revision.watch();
    for (const task of this.afterConnect) await task();
  }
}
