import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, rejection } from './errors/connection-problem.js';
import { Database } from './database.js';
import { driverErrorKind } from './errors/driver-errors.js';

/** Exponential backoff between two attempts to connect, in milliseconds. */
const MIN_RETRY_DELAY = 500;
const MAX_RETRY_DELAY = 5000;
/** Milliseconds between two log lines about an unreachable database. */
const LOG_INTERVAL = 30_000;

/**
 * Opens the database when the application starts. The embedded one must open at once; an
 * unreachable server is retried forever, while the service already listens and answers 503. A
 * server that rejects the account, or has pending migrations, fails the start: waiting would not
 * help, and an incomplete schema must not be served.
 */
@Injectable()
export class DatabaseConnector implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stopped = new AbortController();
  private readonly afterConnect: (() => Promise<void>)[] = [];
  /**
   * Resolves when the database is open, rejects if retrying cannot help; pending forever after
   * shutdown.
   */
  ready: Promise<void> = Promise.resolve();
  /** Whether the database is open and all `onConnected` tasks are done. */
  initialized = false;

  constructor(private readonly database: Database) {}

  /** Adds a task to run once the database is open and before it is served from. */
  onConnected(task: () => Promise<void>): void {
    this.afterConnect.push(task);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.ready = this.open().catch((error: unknown) => {
      // Nobody waits any longer once the application shuts down.
      if (this.stopped.signal.aborted) return new Promise<never>(() => undefined);
      throw error;
    });
    if (this.database.embedded) await this.ready;
    // A server may become reachable later. Callers that await `ready` handle the rejection.
    else this.ready.catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.database.close();
  }

  private async open(): Promise<void> {
    let nextLogAt = 0;
    const tasks = [() => this.database.connect(true), ...this.afterConnect];
    for (let done = 0, delay = MIN_RETRY_DELAY; done < tasks.length;) {
      try {
        await tasks[done]!();
        done++;
        delay = MIN_RETRY_DELAY;
      } catch (error) {
        const kind = driverErrorKind(error);
        if (kind === 'newer_schema') {
          // Reads are served; a newer process does the writes.
          this.logger.warn((error as Error).message);
          done++;
          continue;
        }
        if (this.database.embedded || kind !== 'unavailable')
          throw rejection(this.database.databaseName, error) ?? error;
        if (performance.now() >= nextLogAt) {
          const { databaseName } = this.database;
          this.logger.warn(`The database, ${databaseName}, is not reachable (${reasonOf(error)}); retrying.`);
          nextLogAt = performance.now() + LOG_INTERVAL;
        }
        await sleep(delay * (0.75 + Math.random() / 2), undefined, { signal: this.stopped.signal });
        delay = Math.min(delay * 2, MAX_RETRY_DELAY);
      }
    }
    this.initialized = true;
  }
}

/** Of a command: it connects when it has read its arguments, and serves nothing. */
export class CommandConnector extends DatabaseConnector {
  override onApplicationBootstrap(): Promise<void> {
    return Promise.resolve();
  }
}
