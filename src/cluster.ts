import cluster, { type Worker } from 'node:cluster';
import { ServiceLog } from './platform/logging/service-log.js';
import { Supervisor, type ToSupervisor, type WorkerProcess } from './platform/workers/supervisor.js';
import type { Environment } from './config/environment.js';

/** Longest graceful shutdown of a worker (ms), besides the delay. */
const SHUTDOWN_MS = 11_000;

/** Whether this process only supervises workers. */
export function supervises(environment: Environment): boolean {
  return environment.workers > 1 && cluster.isPrimary;
}

/** Starts the workers and supervises them until they have exited. */
export function superviseWorkers({ workers, logLevel, shutdownDelay }: Environment): void {
  const log = new ServiceLog(logLevel);
  const supervisor = new Supervisor({
    workers,
    fork: () => processOf(cluster.fork()),
    shutdownMs: shutdownDelay * 1000 + SHUTDOWN_MS,
    log,
    exit: (code) => void log.sink.end().then(() => process.exit(code)),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.log(`${signal}: shutting down ${workers} workers.`);
      supervisor.shutDown();
    });
  }
  const fail = (error: unknown) => {
    log.error(error instanceof Error ? error : String(error));
    supervisor.shutDown(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  supervisor.start();
}

function processOf(worker: Worker): WorkerProcess {
  return {
    id: worker.id,
    // A closed channel means that the worker is exiting.
    send: (message) =>
      void (worker.isConnected() && worker.send(message as object, undefined, () => undefined)),
    kill: (signal) => void worker.process.kill(signal),
    on: (event, listener) => worker.on(event, listener),
    once: (event, listener) => worker.once(event, listener),
  };
}

/**
 * A worker's connection to its supervisor. A worker ignores signals, which often go to the whole process
 * group: the supervisor tells it when to shut down.
 */
export class Supervised {
  /** Called when the supervisor asks for the shutdown; exits until there is something to finish. */
  shutDown: (reason: string) => void = () => process.exit(0);

  private constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
    process.on(
      'message',
      ({ kind }: { kind?: unknown }) => kind === 'end' && this.shutDown('The supervisor'),
    );
  }

  /** Null in a process without supervisor. To be called early: earlier messages are lost. */
  static here(): Supervised | null {
    return cluster.isWorker ? new Supervised() : null;
  }

  /** Reports that this worker accepts requests. */
  ready(): void {
    process.send?.({ kind: 'ready' } satisfies ToSupervisor);
  }
}
