import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DatabaseConnector } from '../database/database-connector.js';
import { Database } from '../database/database.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { Clock } from '../platform/clock/clock.js';
import { anyOverdue } from './checks/overdue.js';
import { todayOf } from './checks/today.js';
import { FindingsFollower } from './findings-follower.js';

const CHECK_INTERVAL_MS = 60_000;

/**
 * Ends findings that depend on the date, such as that of a price of tomorrow, once the next day has
 * begun. Every process does so: one of them ends them, the others find nothing left to end.
 */
@Injectable()
export class DailyFindings implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Quality');
  /** The day for which it is done. */
  private day = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly connector: DatabaseConnector,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly findings: FindingsFollower,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.connector.onConnected(async () => {
      await this.follow();
      this.timer = setInterval(() => void this.follow(), CHECK_INTERVAL_MS).unref();
    });
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Ends what is over, if a day has begun. A failure is logged: the next minute tries again. */
  async follow(): Promise<void> {
    const today = todayOf(this.clock);
    if (today === this.day) return;
    try {
      // Mostly none: then nothing is written, also where nothing can be.
      if (await anyOverdue(this.database, today))
        await this.unitOfWork.change({ kind: 'findings', reason: '' }, (transaction) =>
          this.findings.endOverdue(transaction),
        );
      this.day = today;
    } catch (error) {
      this.logger.warn(`Could not end findings about past days: ${(error as Error).message}`);
    }
  }
}
