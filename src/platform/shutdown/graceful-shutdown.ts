import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentResponse } from '../http/overload/limits.js';
import type { Draining } from './draining.js';

/** Milliseconds for requests in progress to finish, and then for `close` to complete. */
const REQUESTS_TIMEOUT = 9000;
const CLOSE_TIMEOUT = 700;
/** Milliseconds to wait for the rest of partly received requests once no other is in progress. */
const ARRIVAL_TIMEOUT = 1000;
/** Milliseconds between two checks for idle connections. */
const CHECK_INTERVAL = 50;

interface ShutdownDependencies {
  server: Server;
  draining: Draining;
  /** Seconds to keep accepting connections after the signal, so that load balancers can notice. */
  delay: number;
  /** Makes every further response close its connection. */
  disableKeepAlive: () => void;
  /** Closes everything else: pools, timers. */
  close: () => Promise<void>;
  log: { log(message: string): void; error(message: string | Error): void };
  exit: (code: number) => void;
}

/**
 * Shuts the service down gracefully: it reports not ready at once; after the delay it stops
 * accepting connections, closes idle ones and finishes requests in progress. `server.close()` alone
 * would wait for keep-alive connections until they time out.
 */
export class GracefulShutdown {
  private readonly sockets = new Set<Socket>();
  private exitCode: number | null = null;

  constructor(private readonly dependencies: ShutdownDependencies) {
    const { server } = dependencies;
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Handles signals and errors outside of requests: the first signal and any error shut down
   * gracefully, an error with exit code 1; a second signal exits at once.
   * @param signals false when a supervisor handles the signals and calls `onSignal`
   */
  listen(signals = true): void {
    if (signals)
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => this.onSignal(name));
    process.on('uncaughtException', (error) => this.onError(error));
    process.on('unhandledRejection', (reason) => this.onError(reason));
  }

  onSignal(name: string): void {
    if (this.exitCode !== null) {
      this.dependencies.log.error(`${name} received again: exiting now.`);
      this.dependencies.exit(1);
      return;
    }
    this.dependencies.log.log(`${name} received: finishing requests in progress.`);
    void this.shutDown(0);
  }

  /** After an uncaught error the state of the process is unknown, so it must be replaced. */
  onError(reason: unknown): void {
    const { log } = this.dependencies;
    log.error(
      reason instanceof Error ? reason : new Error(`Unhandled rejection: ${String(reason).slice(0, 200)}`),
    );
    if (this.exitCode !== null) {
      this.exitCode = 1;
      return;
    }
    log.error('Uncaught error outside of requests: finishing requests in progress, then exiting with 1.');
    void this.shutDown(1);
  }

  private async shutDown(code: number): Promise<void> {
    const { draining, delay, disableKeepAlive, close, log, exit } = this.dependencies;
    this.exitCode = code;
    draining.begin();
    disableKeepAlive();
    if (delay > 0) await sleep(delay * 1000);
    const finished = await this.finishRequests();
    if (!finished) {
      log.error(
        `${this.activeConnections} connection(s) still had requests in progress after ${REQUESTS_TIMEOUT} ms.`,
      );
      this.exitCode = 1;
    }
    const closed = await Promise.race([
      close().then(
        () => true,
        (error: Error) => (log.error(error), false),
      ),
      sleep(CLOSE_TIMEOUT, false, { ref: false }),
    ]);
    if (!closed) this.exitCode = 1;
    exit(this.exitCode);
  }

  /**
   * Connections with a request in progress. Computed on demand: a counter would cost every request.
   */
  private get activeConnections(): number {
    let count = 0;
    for (const socket of this.sockets) if (currentResponse(socket) !== null) count++;
    return count;
  }

  /** @returns whether all requests in progress were answered */
  private async finishRequests(): Promise<boolean> {
    const { server } = this.dependencies;
    let listening = true;
    server.close(() => (listening = false));
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    const deadline = performance.now() + REQUESTS_TIMEOUT;
    let lastWork = performance.now();
    while (listening) {
      server.closeIdleConnections();
      await sleep(CHECK_INTERVAL);
      const now = performance.now();
      if (this.activeConnections > 0) lastWork = now;
      if (now >= deadline || now - lastWork >= ARRIVAL_TIMEOUT) break;
    }
    const done = this.activeConnections === 0;
    server.closeAllConnections();
    return done;
  }
}
