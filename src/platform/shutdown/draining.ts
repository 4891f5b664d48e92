import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';

/** Whether the service is shutting down. */
@Injectable()
export class Draining {
  private readonly controller = new AbortController();
  /** Aborted when the service begins to shut down. */
  readonly signal = this.controller.signal;

  constructor() {
    // Every waiting client listens.
    setMaxListeners(0, this.signal);
  }

  get active(): boolean {
    return this.signal.aborted;
  }

  begin(): void {
    this.controller.abort();
  }
}
