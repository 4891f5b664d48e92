import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPeers } from '../../src/common/workers/worker-peers.js';
import type { FromHub, MessageHub, ToHub } from '../../src/common/workers/message-hub.js';

/** A worker's way to its siblings, with a wire that takes its time as the one between processes does. */
export class WorkerWire {
  readonly siblings: WorkerPeers;
  /** Milliseconds that what the worker is told takes; null for a worker that hears nothing. */
  delay: number | null = 0;

  constructor(switchboard: MessageHub) {
    let hear: (message: FromHub) => void = () => undefined;
    const line = switchboard.connect((message) => {
      if (this.delay !== null) void sleep(this.delay).then(() => hear(message));
    });
    this.siblings = new WorkerPeers({
      send: (message: ToHub) => void setImmediate(() => line.receive(message)),
      listen: (listener) => void (hear = listener),
    });
  }
}
