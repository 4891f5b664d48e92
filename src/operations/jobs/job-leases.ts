import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../database/database.js';
import { Heartbeats, Lease, type LeaseRow, removeUnusedLeases } from '../../database/lease.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';

/** How far a job is: bytes of its file, or rows. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A job that this process works on. */
interface HeldJob {
  end(): Promise<void>;
}

/** The row of a job, with its progress as JSON. */
interface JobRow extends LeaseRow {
  readonly progress: string;
}

const leaseOf = (name: string) =>
  new Lease<JobRow>(name, { lost: 'Another process has taken over the job.', columns: ['progress'] });

/** Jobs that one process at a time may do, over all machines, and how far they are. */
@Injectable()
export class JobLeases {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Begins a job, and informs other processes of its progress every second.
   * @returns null where another one does it
   */
  async acquire(name: string, progress: () => Progress): Promise<HeldJob | null> {
    const lease = leaseOf(name);
    const holder = randomUUID();
    const values = () => ({ progress: JSON.stringify(progress()) });
    const isAcquired = await this.unitOfWork.run(async (transaction) => {
      if (lease.isHeld(await lease.read(transaction))) return false;
      await lease.take(transaction, holder, values());
      await removeUnusedLeases(transaction);
      return true;
    });
    if (!isAcquired) return null;
    const heartbeats = new Heartbeats(this.unitOfWork, (transaction) =>
      lease.renew(transaction, holder, values()),
    );
    return {
      end: () => {
        heartbeats.stop();
        return this.unitOfWork.run((transaction) => lease.release(transaction, holder));
      },
    };
  }

  /** How far a job is; null where no process does it. */
  async progressOf(name: string): Promise<Progress | null> {
    const row = await leaseOf(name).readHeld(this.database);
    return row && (JSON.parse(row.progress) as Progress);
  }
}
