import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPeers } from '../../src/platform/workers/worker-peers.js';
import type { FromHub, MessageHub, ToHub } from '../../src/platform/workers/message-hub.js';

/** Connects a worker to its peers, with a delay as between processes. */
export class WorkerWire {
  readonly peers: WorkerPeers;
  /** Delay of messages to the worker; null drops them. */
  delayMs: number | null = 0;

  constructor(hub: MessageHub) {
    let deliver: (message: FromHub) => void = () => undefined;
    const connection = hub.connect((message) => {
      if (this.delayMs !== null) void sleep(this.delayMs).then(() => deliver(message));
    });
    this.peers = new WorkerPeers({
      send: (message: ToHub) => void setImmediate(() => connection.receive(message)),
      listen: (listener) => void (deliver = listener),
    });
  }
}
