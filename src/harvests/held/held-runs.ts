import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { ApiError, NotFound, ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { Caller } from '../../platform/http/caller.js';
import type { HarvestRunRecord, RunState } from '../runs/harvest-run.dto.js';
import { HarvestRuns } from '../runs/harvest-runs.js';
import type { HarvestRunRow } from '../records/harvest.entity.js';
import { removeHeldFiles } from '../records/removed-runs.js';
import { HeldFiles } from './held-files.js';
import type { Decision } from './held-run.dto.js';

/** 409: the run is not held, or not any more. */
class NotHeld extends ApiError {
  constructor(state: RunState) {
    super('not_held', `The run is ${state}: only one that is held is imported or dismissed.`, { errors: [] });
  }
}

/** Who decides of a run, and why. */
interface Decider {
  readonly caller: Caller;
  readonly requestId: string;
  readonly reason: string;
  /** When it must be committed (`performance.now()`). */
  readonly deadline: number;
}

/** Runs whose file looks wrong, until somebody has decided what becomes of it. */
@Injectable()
export class HeldRuns {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
    private readonly runs: HarvestRuns,
    private readonly files: HeldFiles,
  ) {}

  /** Has the file of a run imported as soon as possible. @throws NotFound, NotHeld */
  import(harvest: string, id: number, decider: Decider): Promise<HarvestRunRecord> {
    const now = instantText(this.clock.now());
    return this.decide(harvest, id, decider, { state: 'approved', not_before: now, error: '' });
  }

  /**
   * Ends a run without importing its file, which is not held again.
   * @throws NotFound, NotHeld, and ValidationError without a reason
   */
  async dismiss(harvest: string, id: number, decider: Decider): Promise<HarvestRunRecord> {
    if (decider.reason === '') throw new ValidationError([REASON_REQUIRED]);
    return this.decide(harvest, id, decider, { state: 'dismissed' });
  }

  /** The report of the dry run of a run that is held. @throws NotFound */
  async report(harvest: string, id: number): Promise<ImportReport> {
    await this.readHeld(harvest, id);
    return this.files.readReport(id);
  }

  /** The file of a run that is held. @throws NotFound */
  async file(harvest: string, id: number): Promise<Readable> {
    await this.readHeld(harvest, id);
    return this.files.read(id, 'file');
  }

  private async readHeld(harvest: string, id: number): Promise<void> {
    const { state } = await this.runs.read(harvest, id);
    if (state !== 'held' && state !== 'approved')
      throw new NotFound('The run is not held: its file is not kept.');
  }

  private decide(
    harvest: string,
    id: number,
    { caller, requestId, reason, deadline }: Decider,
    values: Partial<Pick<HarvestRunRow, 'state' | 'not_before' | 'error'>>,
  ): Promise<HarvestRunRecord> {
    return this.unitOfWork.change(
      { kind: 'record', reason },
      async (transaction) => {
        const { state } = await this.runs.read(harvest, id, transaction);
        if (state !== 'held') throw new NotHeld(state);
        const { accountId, tokenId, issuer, subject } = caller;
        const decision: Decision = {
          ...{ by: caller.username, reason, requestId },
          caller: { accountId, tokenId, issuer, subject },
        };
        await this.runs.save(transaction, id, { ...values, decision: JSON.stringify(decision) });
        if (values.state === 'dismissed') await removeHeldFiles(transaction, id);
        await this.trail.record(transaction, {
          ...{ caller, requestId, table: 'harvest_run', recordId: id, action: 'update' },
          columns: ['state', 'reason'],
          before: { state, reason: '' },
          after: { state: values.state, reason },
        });
        return this.runs.read(harvest, id, transaction);
      },
      deadline,
    );
  }
}

const REASON_REQUIRED: Violation = {
  in: 'query',
  name: 'reason',
  code: 'required',
  detail: 'reason is required to dismiss a run: why its file is not imported.',
};
