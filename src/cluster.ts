import cluster from 'node:cluster';
import { ServiceLog } from './platform/logging/service-log.js';
import { forkWorker } from './platform/workers/fork-worker.js';
import { Supervisor } from './platform/workers/supervisor.js';
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
    fork: forkWorker,
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
