import { setTimeout as sleep } from 'node:timers/promises';
import { Siblings } from '../../src/common/workers/siblings.js';
import type { FromSwitchboard, Switchboard, ToSwitchboard } from '../../src/common/workers/switchboard.js';

/** A worker's way to its siblings, with a wire that takes its time as the one between processes does. */
export class WorkerWire {
  readonly siblings: Siblings;
  /** Milliseconds that what the worker is told takes; null for a worker that hears nothing. */
  delay: number | null = 0;

  constructor(switchboard: Switchboard) {
    let hear: (message: FromSwitchboard) => void = () => undefined;
    const line = switchboard.connect((message) => {
      if (this.delay !== null) void sleep(this.delay).then(() => hear(message));
    });
    this.siblings = new Siblings({
      send: (message: ToSwitchboard) => void setImmediate(() => line.receive(message)),
      listen: (listener) => void (hear = listener),
    });
  }
}
