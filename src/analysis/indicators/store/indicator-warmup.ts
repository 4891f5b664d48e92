import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataRevision } from '../../../ledger/revision/data-revision.js';
import { IndicatorStore } from './indicator-store.js';

/** Milliseconds without a change of the data after which indicators are brought up to date. */
const QUIET_MS = 2000;

/**
 * Calculates the indicators of all series in the background: after the start, and after changes
 * when these have ended for a moment, so that an import does not bring it about again and again.
 * Requests that come before wait for the same work. A failure leaves it to the next of them.
 */
@Injectable()
export class IndicatorWarmup implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Indicators');
  private timer: NodeJS.Timeout | null = null;
  private endListening: (() => void) | null = null;
  private stopped = false;

  constructor(
    private readonly store: IndicatorStore,
    private readonly revision: DataRevision,
  ) {}

  /** Begins, once the database is open. A service that is never started, as in tests, has none. */
  start(): void {
    this.endListening ??= this.revision.onNewer(() => this.schedule(QUIET_MS));
    this.schedule(0);
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    this.endListening?.();
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private schedule(milliseconds: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), milliseconds).unref();
  }

  private async run(): Promise<void> {
    try {
      await this.store.refreshInBackground();
    } catch (error) {
      if (!this.stopped)
        this.logger.warn(`The indicators of all series are not there yet: ${(error as Error).message}`);
    }
  }
}
