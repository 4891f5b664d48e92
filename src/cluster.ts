import cluster, { type Worker } from 'node:cluster';
import { ServiceLog } from './common/logging/service-log.js';
import { Supervisor, type ToSupervisor, type WorkerProcess } from './common/workers/supervisor.js';
import type { Environment } from './config/environment.js';

/** Milliseconds that a worker takes at most to end in order, beside the delay. */
const END_WITHIN = 11_000;

/** Whether this process only starts and watches the ones that serve. */
export function supervises(environment: Environment): boolean {
  return environment.workers > 1 && cluster.isPrimary;
}

/** Starts the workers and stays until they have ended. */
export function superviseWorkers({ workers, logLevel, shutdownDelay }: Environment): void {
  const log = new ServiceLog(logLevel);
  const supervisor = new Supervisor({
    workers,
    fork: () => processOf(cluster.fork()),
    endWithin: shutdownDelay * 1000 + END_WITHIN,
    log,
    exit: (code) => void log.sink.end().then(() => process.exit(code)),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.log(`${signal}: ending ${workers} workers.`);
      supervisor.end();
    });
  }
  const fail = (error: unknown) => {
    log.error(error instanceof Error ? error : String(error));
    supervisor.end(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  supervisor.start();
}

function processOf(worker: Worker): WorkerProcess {
  return {
    id: worker.id,
    // One that is gone is noticed by its exit.
    send: (message) =>
      void (worker.isConnected() && worker.send(message as object, undefined, () => undefined)),
    kill: (signal) => void worker.process.kill(signal),
    on: (event, listener) => worker.on(event, listener),
    once: (event, listener) => worker.once(event, listener),
  };
}

/**
 * A worker's way to its supervisor. Signals that reach a worker as well, because they are sent to the whole group, are left to the
 * supervisor, which says when the end has come.
 */
export class Supervised {
  /** What is done then: until there is something to finish, nothing. */
  end: (reason: string) => void = () => process.exit(0);

  private constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
    process.on('message', ({ kind }: { kind?: unknown }) => kind === 'end' && this.end('The supervisor'));
  }

  /** Null in a process that has no supervisor. Has to be asked for early: what is said before is not heard. */
  static here(): Supervised | null {
    return cluster.isWorker ? new Supervised() : null;
  }

  /** Says that this worker serves. */
  ready(): void {
    process.send?.({ kind: 'ready' } satisfies ToSupervisor);
  }
}
