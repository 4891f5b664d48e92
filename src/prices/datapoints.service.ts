import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Caller } from '../platform/http/request/caller.js';
import { digestTag } from '../platform/http/cache/etag.js';
import { checkPreconditions, type Preconditions } from '../platform/http/cache/preconditions.js';
import { ApiError, NotFound, PreconditionFailed } from '../platform/errors/api-error.js';
import { isoFromDay } from '../lib/dates/calendar-date.js';
import { Environment } from '../config/environment.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';
import { PERIOD_NAMES } from '../price-series/periodicity.js';
import { ObservationStore } from './store/observation-store.js';
import { parsePointId, pointId, type PointKey } from './store/point-id.js';
import { PricesService } from './prices.service.js';

/** Who makes a change, and the preconditions of it. */
export interface ChangeRequest {
  caller: Pick<Caller, 'accountId' | 'tokenId'>;
  requestId: string;
  conditions: Preconditions;
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
}

/** A datapoint as it is served. */
export interface ServedDatapoint {
  json: Buffer;
  /** Its entity tag, without quotes. */
  tag: string;
}

/** The columns that audit entries show of a point. */
const AUDITED_COLUMNS = ['series', 'periodicity', 'date', 'price_value', 'comment'];

/** What a write changes of a point. */
interface EditedPoint {
  price_value: number;
  comment: string;
}

interface StoredPoint extends EditedPoint {
  calculated: boolean;
}

interface StoredRow {
  value: number;
  calculated: number | boolean;
  comment: string | null;
}

/** 409: the point is derived from finer data and has no stored row that could be changed. */
export class CalculatedPoint extends ApiError {
  constructor() {
    super('calculated', 'This price is calculated from finer data. Change those instead.', {
      errors: [
        {
          in: 'path',
          name: 'id',
          code: 'calculated',
          detail: 'The point with this id is calculated from finer data.',
        },
      ],
    });
  }
}

/** Reads, corrects and removes single datapoints, by series and id. */
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
  async read(uuid: string, id: number | null, signal: AbortSignal): Promise<ServedDatapoint> {
    const key = id === null ? null : parsePointId(id);
    const json = key && (await this.prices.readPoint(uuid, key, signal));
    if (json === null) throw pointNotFound();
    return { json, tag: digestTag(json) };
  }

  /**
   * Changes a stored point. Values equal to the stored ones change nothing.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, CalculatedPoint
   */
  async update(
    uuid: string,
    id: number | null,
    patch: { price_value?: number; comment?: string },
    request: ChangeRequest,
  ): Promise<ServedDatapoint> {
    const { price_value, comment } = patch;
    if (price_value !== undefined || comment !== undefined) {
      await this.change(uuid, id, request, async (transaction, key, before) => {
        const after = { price_value: price_value ?? before.price_value, comment: comment ?? before.comment };
        await this.store.write(transaction, [
          { ...key, value: after.price_value, comment: after.comment, calculated: before.calculated },
        ]);
        return after;
      });
      return this.read(uuid, id, request.signal);
    }
    const served = await this.read(uuid, id, request.signal);
    checkPreconditions(request.conditions, served.tag, this.environment.strictWrites);
    return served;
  }

  /**
   * Removes a stored point.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, CalculatedPoint
   */
  async remove(uuid: string, id: number | null, request: ChangeRequest): Promise<void> {
    await this.change(uuid, id, request, async (transaction, key) => {
      await this.store.remove(transaction, [key]);
      return null;
    });
  }

  /**
   * Runs a change of a stored point, with its series locked against other writers, and records it.
   * The served point is read only where a precondition or an error depends on it; `If-Match` is
   * then checked again under the lock.
   * @param work returns the point after the change
   */
  private async change(
    uuid: string,
    id: number | null,
    request: ChangeRequest,
    work: (transaction: Transaction, key: PointKey, before: StoredPoint) => Promise<EditedPoint | null>,
  ): Promise<void> {
    const { conditions, signal } = request;
    const key = id === null ? null : parsePointId(id);
    const { strictWrites } = this.environment;
    const isConditional = strictWrites || conditions.ifMatch !== null || conditions.ifNoneMatch !== null;
    const served = key === null || isConditional ? await this.read(uuid, id, signal) : null;
    if (served !== null) checkPreconditions(conditions, served.tag, strictWrites);
    const write = this.unitOfWork.run(async (transaction) => {
      const stored = await this.lock(transaction, uuid, key!);
      // A row stored under a derived point is a marked one, hidden by it. If marked points of this
      // frequency are served, nothing is derived, and the row is the served point itself.
      if (stored === null || (stored.calculated && !(await this.servesStored(transaction, key!))))
        throw new CalculatedPoint();
      if (served !== null && Array.isArray(conditions.ifMatch) && !isUnchanged(stored, served))
        throw new PreconditionFailed();
      const after = await work(transaction, key!, stored);
      await this.record(transaction, uuid, key!, stored, after, request);
    });
    await write.catch(async (error: unknown) => {
      // Not found, where no point is calculated either.
      if (error instanceof CalculatedPoint) await this.read(uuid, id, signal);
      throw error;
    });
  }

  /** Locks a series, and reads its stored point; null where there is none. */
  private async lock(
    transaction: Transaction,
    uuid: string,
    { serieId, period, day }: PointKey,
  ): Promise<StoredPoint | null> {
    const lock = transaction.embedded ? '' : ' FOR UPDATE';
    const [serie] = await transaction.rows<{ uuid: string }>(
      `SELECT uuid FROM price_serie WHERE id = ?${lock}`,
      [serieId],
    );
    if (serie?.uuid.toLowerCase() !== uuid.toLowerCase()) throw pointNotFound();
    const [row] = await transaction.rows<StoredRow>(
      `SELECT value, calculated, comment FROM observation WHERE serie_id = ? AND period = ? AND day = ?${lock}`,
      [serieId, period, day],
    );
    return row === undefined
      ? null
      : { price_value: row.value, comment: row.comment ?? '', calculated: Boolean(row.calculated) };
  }

  /** Whether stored points of a frequency are served, that is, none are derived. */
  private async servesStored(transaction: Transaction, { serieId, period }: PointKey): Promise<boolean> {
    const [item] = await transaction.rows<{ points: number }>(
      'SELECT points FROM series_period WHERE serie_id = ? AND period = ?',
      [serieId, period],
    );
    return item !== undefined && item.points > 0;
  }

  private async record(
    transaction: Transaction,
    uuid: string,
    point: PointKey,
    before: EditedPoint,
    after: EditedPoint | null,
    { caller, requestId }: ChangeRequest,
  ): Promise<void> {
    const { serieId, period, day } = point;
    const key = { series: uuid.toLowerCase(), periodicity: PERIOD_NAMES[period], date: isoFromDay(day) };
    await this.trail.record(transaction, {
      caller,
      requestId,
      table: 'observation',
      recordId: pointId(serieId, period, day),
      action: after === null ? 'delete' : 'update',
      columns: AUDITED_COLUMNS,
      before: { ...key, ...before },
      after: after && { ...key, ...after },
    });
  }
}

const pointNotFound = () => new NotFound('There is no such price.');

function isUnchanged(stored: StoredPoint, { json }: ServedDatapoint): boolean {
  const served = JSON.parse(json.toString()) as EditedPoint & { calculated?: true };
  return (
    stored.price_value === served.price_value &&
    stored.comment === served.comment &&
    stored.calculated === (served.calculated ?? false)
  );
}
