import cluster, { type Worker } from 'node:cluster';
import type { WorkerProcess } from './supervisor.js';

/** Starts a worker process that runs the same program. */
export function forkWorker(): WorkerProcess {
  const worker = cluster.fork();
  closeLostConnections(worker);
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

/** What Node's cluster sends to a worker, of a connection that the worker is to accept. */
type Send = (message: { key?: string }, connection?: { close(): void }, ...rest: unknown[]) => boolean;

/**
 * Node accepts a connection in the supervisor, sends it to a worker, and closes its own copy when
 * the worker has confirmed it. If the worker is killed before, the copy stays open and the client
 * waits for ever. (Without this distribution, `SCHED_NONE`, the load of workers is uneven.)
 */
function closeLostConnections({ process }: Worker): void {
  const send = process.send.bind(process) as Send;
  // One for each address listened at: a worker gets the next one when it has confirmed the last.
  const last = new Map<string, { close(): void }>();
  const sendAndRemember: Send = (message, connection, ...rest) => {
    if (connection && message.key !== undefined) last.set(message.key, connection);
    return send(message, connection, ...rest);
  };
  process.send = sendAndRemember as typeof process.send;
  process.once('exit', (_, signal) => {
    // A worker that exits by itself gives back what it does not accept. Closing twice does no harm.
    if (signal !== null) for (const connection of last.values()) connection.close();
  });
}
