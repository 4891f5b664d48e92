import cluster from 'node:cluster';
import type { WorkerProcess } from './supervisor.js';

/** Starts a worker process that runs the same program. */
export function forkWorker(): WorkerProcess {
  const worker = cluster.fork();
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
