import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Caller } from '../common/access/caller.js';
import { digestTag } from '../common/caching/etag.js';
import { checkPreconditions, type Preconditions } from '../common/caching/preconditions.js';
import { ApiError, NotFound, PreconditionFailed } from '../common/errors/api-error.js';
import { isoFromDay } from '../common/dates/calendar-date.js';
import { Environment } from '../config/environment.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';
import { PERIOD_NAMES } from '../price-series/periodicity.js';
import { ObservationStore } from './observation-store.js';
import { parsePointId, type PointKey } from './point-id.js';
import { PricesService } from './prices.service.js';

/** Who makes a change, and what of the point must hold for it. */
export interface ChangeRequest {
  caller: Pick<Caller, 'accountId' | 'tokenId'>;
  requestId: string;
  conditions: Preconditions;
  /** Fires when the client has gone. */
  gone: AbortSignal;
}

/** A datapoint as it is served. */
export interface ServedDatapoint {
  json: Buffer;
  /** Its entity tag, without quotes. */
  tag: string;
}

/** What the trail shows of a point. */
const AUDITED = ['series', 'periodicity', 'date', 'price_value', 'comment'];

interface StoredRow {
  value: number;
  calculated: number | boolean;
  comment: string | null;
}

/** 409: the point is made of finer data, and has nothing of its own that could be changed. */
export class CalculatedPoint extends ApiError {
  constructor() {
    super('calculated', 'This price is calculated from finer data. Change those instead.', {
      errors: [
        {
          in: 'path',
          name: 'id',
          code: 'calculated',
          detail: 'The point of this id is calculated from finer data.',
        },
      ],
    });
  }
}

/** Single datapoints, by series and id: as they are served, corrected, and removed. */
@Injectable()
export class DatapointsService {
  constructor(
    private readonly prices: PricesService,
    private readonly store: ObservationStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly environment: Environment,
  ) {}

  /** @throws NotFound */
  async read(uuid: string, id: number | null, gone: AbortSignal): Promise<ServedDatapoint> {
    const key = id === null ? null : parsePointId(id);
    const json = key && (await this.prices.point(uuid, key, gone));
    if (json === null) throw new NotFound('There is no such price.');
    return { json, tag: digestTag(json) };
  }

  /**
   * Changes a stored point. What is equal to what is stored changes nothing.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, CalculatedPoint
   */
  async update(
    uuid: string,
    id: number | null,
    patch: { price_value?: number; comment?: string },
    request: ChangeRequest,
  ): Promise<ServedDatapoint> {
    const served = await this.read(uuid, id, request.gone);
    checkPreconditions(request.conditions, served.tag, this.environment.strictWrites);
    const { price_value, comment } = patch;
    if (price_value === undefined && comment === undefined) return served;
    await this.change(served, parsePointId(id!)!, request, async (tx, key, before) => {
      const after = { price_value: price_value ?? before.price_value, comment: comment ?? before.comment };
      await this.store.write(tx, [
        { ...key, value: after.price_value, comment: after.comment, calculated: before.calculated },
      ]);
      await this.record(tx, 'update', uuid, id!, key, before, after, request);
    });
    return this.read(uuid, id, request.gone);
  }

  /**
   * Removes a stored point.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, CalculatedPoint
   */
  async remove(uuid: string, id: number | null, request: ChangeRequest): Promise<void> {
    const served = await this.read(uuid, id, request.gone);
    checkPreconditions(request.conditions, served.tag, this.environment.strictWrites);
    await this.change(served, parsePointId(id!)!, request, async (tx, key, before) => {
      await this.store.remove(tx, [key]);
      await this.record(tx, 'delete', uuid, id!, key, before, null, request);
    });
  }

  /** Does a change of the stored point that is served so, while nobody else can write points of its series. */
  private async change(
    served: ServedDatapoint,
    key: PointKey,
    { conditions }: ChangeRequest,
    work: (
      tx: Transaction,
      key: PointKey,
      before: { price_value: number; comment: string; calculated: boolean },
    ) => Promise<void>,
  ): Promise<void> {
    const point = JSON.parse(served.json.toString()) as {
      price_value: number;
      comment: string;
      calculated?: true;
    };
    await this.unitOfWork.run(async (tx) => {
      const lock = tx.embedded ? '' : ' FOR UPDATE';
      await tx.rows(`SELECT id FROM price_serie WHERE id = ?${lock}`, [key.serieId]);
      const [row] = await tx.rows<StoredRow>(
        `SELECT value, calculated, comment FROM observation WHERE serie_id = ? AND period = ? AND day = ?${lock}`,
        [key.serieId, key.period, key.day],
      );
      const calculated = point.calculated === true;
      const stored = row && {
        price_value: row.value,
        comment: row.comment ?? '',
        calculated: Boolean(row.calculated),
      };
      // What is stored under a derived point is marked, and hidden by it; a served marked point is the stored one.
      const isDerived = calculated && (stored === undefined || !(await this.isServed(tx, key)));
      if (isDerived) throw new CalculatedPoint();
      if (stored === undefined) throw new NotFound('There is no such price.');
      const asServed =
        stored.price_value === point.price_value &&
        stored.comment === point.comment &&
        stored.calculated === calculated;
      if (!asServed && conditions.ifMatch !== null && conditions.ifMatch !== '*')
        throw new PreconditionFailed();
      await work(tx, key, stored);
    });
  }

  /** Whether marked points of a frequency are served: there are none that are derived here. */
  private async isServed(tx: Transaction, { serieId, period }: PointKey): Promise<boolean> {
    const [item] = await tx.rows<{ points: number }>(
      'SELECT points FROM series_period WHERE serie_id = ? AND period = ?',
      [serieId, period],
    );
    return item !== undefined && item.points > 0;
  }

  private async record(
    tx: Transaction,
    action: 'update' | 'delete',
    uuid: string,
    id: number,
    { period, day }: PointKey,
    before: { price_value: number; comment: string },
    after: { price_value: number; comment: string } | null,
    { caller, requestId }: ChangeRequest,
  ): Promise<void> {
    const place = { series: uuid.toLowerCase(), periodicity: PERIOD_NAMES[period], date: isoFromDay(day) };
    await this.trail.record(tx, {
      caller,
      requestId,
      table: 'observation',
      recordId: id,
      action,
      columns: AUDITED,
      before: { ...place, ...before },
      after: after && { ...place, ...after },
    });
  }
}
