import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOn } from '../common/http/answer-on.js';
import type { Draining } from './draining.js';

/** Milliseconds that requests under way may take once nothing new is accepted, and that closing the pools may take after it. */
const FINISH_WITHIN = 9000;
const CLOSE_WITHIN = 700;
/** Milliseconds that a request may still arrive in which had only begun to, when there is nothing else left to do. */
const ARRIVE_WITHIN = 1000;
/** Milliseconds between two looks for connections that have nothing to do. */
const LOOK_EVERY = 50;

/** What has to be done in the end. */
export interface ShutdownDependencies {
  server: Server;
  draining: Draining;
  /** Seconds between the first sign and the end of accepting, for load balancers that need time to notice. */
  delay: number;
  /** From now on each answer closes its connection. */
  lastAnswers: () => void;
  /** Closes everything else: pools, timers. */
  close: () => Promise<void>;
  log: { log(message: string): void; error(message: string | Error): void };
  exit: (code: number) => void;
}

/**
 * Stops the service in order: not ready at once; after the delay nothing new is accepted, connections without work are closed,
 * and requests under way are finished. By itself a server would wait for idle connections for as long as they are kept.
 */
export class GracefulShutdown {
  private readonly sockets = new Set<Socket>();
  private code: number | null = null;

  constructor(private readonly parts: ShutdownDependencies) {
    const { server } = parts;
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Ends on the first signal in order and on the second at once; on an error outside of requests in order, with 1.
   * @param signals false where a supervisor takes the signals and calls `signal`
   */
  listen(signals = true): void {
    if (signals) for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => this.signal(name));
    process.on('uncaughtException', (error) => this.fail(error));
    process.on('unhandledRejection', (reason) => this.fail(reason));
  }

  /** What a signal does. */
  signal(name: string): void {
    if (this.code !== null) {
      this.parts.log.error(`${name} again: ending at once.`);
      this.parts.exit(1);
      return;
    }
    this.parts.log.log(`${name}: finishing what is under way.`);
    void this.end(0);
  }

  /** What an error outside of requests does: the process can no longer be trusted, so another has to take over. */
  fail(reason: unknown): void {
    const { log } = this.parts;
    log.error(
      reason instanceof Error
        ? reason
        : new Error(`Rejected without an error: ${String(reason).slice(0, 200)}`),
    );
    if (this.code !== null) {
      this.code = 1;
      return;
    }
    log.error('An error outside of requests: finishing what is under way, then ending with 1.');
    void this.end(1);
  }

  private async end(code: number): Promise<void> {
    const { draining, delay, lastAnswers, close, log, exit } = this.parts;
    this.code = code;
    draining.active = true;
    lastAnswers();
    if (delay > 0) await sleep(delay * 1000);
    const finished = await this.finish();
    if (!finished) {
      log.error(`${this.answering} connection(s) with requests were not finished in time.`);
      this.code = 1;
    }
    const closed = await Promise.race([
      close().then(
        () => true,
        (error: Error) => (log.error(error), false),
      ),
      sleep(CLOSE_WITHIN, false, { ref: false }),
    ]);
    if (!closed) this.code = 1;
    exit(this.code);
  }

  /** Connections with a request that is not answered yet. Looked for at the end only: to keep count costs every request. */
  private get answering(): number {
    let count = 0;
    for (const socket of this.sockets) if (answerOn(socket) !== null) count++;
    return count;
  }

  /** Whether all requests under way could be answered. */
  private async finish(): Promise<boolean> {
    const { server } = this.parts;
    let listening = true;
    server.close(() => (listening = false));
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    const deadline = performance.now() + FINISH_WITHIN;
    let lastWork = performance.now();
    while (listening) {
      server.closeIdleConnections();
      await sleep(LOOK_EVERY);
      const now = performance.now();
      if (this.answering > 0) lastWork = now;
      if (now >= deadline || now - lastWork >= ARRIVE_WITHIN) break;
    }
    const done = this.answering === 0;
    server.closeAllConnections();
    return done;
  }
}
