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
import type { Conversion } from './derive/conversion.js';
import { parsePointId, type PointKey } from './store/point-id.js';
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
  /** Converts its prices. */
  conversion: Conversion;
}

/** The columns that audit entries show of a point. */
const AUDITED_COLUMNS = ['series', 'periodicity', 'date', 'price_value', 'comment'];

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
    const point = key && (await this.prices.readPoint(uuid, key, signal));
    if (point === null) throw new NotFound('There is no such price.');
    return { ...point, tag: digestTag(point.json) };
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
    const served = await this.read(uuid, id, request.signal);
    checkPreconditions(request.conditions, served.tag, this.environment.strictWrites);
    const { price_value, comment } = patch;
    if (price_value === undefined && comment === undefined) return served;
    const key = parsePointId(id!)!;
    const after = await this.change(served, key, request, async (transaction, before) => {
      const after = { price_value: price_value ?? before.price_value, comment: comment ?? before.comment };
      await this.store.write(transaction, [
        { ...key, value: after.price_value, comment: after.comment, calculated: before.calculated },
      ]);
      await this.record(transaction, 'update', uuid, id!, key, before, after, request);
      return after;
    });
    return withValues(served, key, after);
  }

  /**
   * Removes a stored point.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, CalculatedPoint
   */
  async remove(uuid: string, id: number | null, request: ChangeRequest): Promise<void> {
    const served = await this.read(uuid, id, request.signal);
    checkPreconditions(request.conditions, served.tag, this.environment.strictWrites);
    const key = parsePointId(id!)!;
    await this.change(served, key, request, async (transaction, before) => {
      await this.store.remove(transaction, [key]);
      await this.record(transaction, 'delete', uuid, id!, key, before, null, request);
    });
  }

  /**
   * Runs a change of the stored point behind a served one, with its series locked against other
   * writers. `If-Match` is checked again under the lock.
   */
  private async change<T>(
    served: ServedDatapoint,
    key: PointKey,
    { conditions }: ChangeRequest,
    work: (
      transaction: Transaction,
      before: { price_value: number; comment: string; calculated: boolean },
    ) => Promise<T>,
  ): Promise<T> {
    const point = JSON.parse(served.json.toString()) as {
      price_value: number;
      comment: string;
      calculated?: true;
    };
    return this.unitOfWork.run(async (transaction) => {
      const lock = transaction.embedded ? '' : ' FOR UPDATE';
      await transaction.rows(`SELECT id FROM price_serie WHERE id = ?${lock}`, [key.serieId]);
      const [row] = await transaction.rows<StoredRow>(
        `SELECT value, calculated, comment FROM observation WHERE serie_id = ? AND period = ? AND day = ?${lock}`,
        [key.serieId, key.period, key.day],
      );
      const calculated = point.calculated === true;
      const stored = row && {
        price_value: row.value,
        comment: row.comment ?? '',
        calculated: Boolean(row.calculated),
      };
      // A row stored under a derived point is a marked one, hidden by it. If marked points of this
      // frequency are served, nothing is derived, and the row is the served point itself.
      const isDerived = calculated && (stored === undefined || !(await this.servesStored(transaction, key)));
      if (isDerived) throw new CalculatedPoint();
      if (stored === undefined) throw new NotFound('There is no such price.');
      const isUnchanged =
        stored.price_value === point.price_value &&
        stored.comment === point.comment &&
        stored.calculated === calculated;
      if (!isUnchanged && conditions.ifMatch !== null && conditions.ifMatch !== '*')
        throw new PreconditionFailed();
      return work(transaction, stored);
    });
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
    action: 'update' | 'delete',
    uuid: string,
    id: number,
    { period, day }: PointKey,
    before: { price_value: number; comment: string },
    after: { price_value: number; comment: string } | null,
    { caller, requestId }: ChangeRequest,
  ): Promise<void> {
    const key = { series: uuid.toLowerCase(), periodicity: PERIOD_NAMES[period], date: isoFromDay(day) };
    await this.trail.record(transaction, {
      caller,
      requestId,
      table: 'observation',
      recordId: id,
      action,
      columns: AUDITED_COLUMNS,
      before: { ...key, ...before },
      after: after && { ...key, ...after },
    });
  }
}

/**
 * A point with the values that have been stored. It is not read again: a read that failed after the
 * commit would answer a change that was made with an error.
 */
function withValues(
  { json, conversion }: ServedDatapoint,
  { period, day }: PointKey,
  values: { price_value: number; comment: string },
): ServedDatapoint {
  const changed = Buffer.from(
    JSON.stringify({
      ...(JSON.parse(json.toString()) as object),
      ...values,
      price_value_real: conversion.real(values.price_value, period, day),
      price_value_dollar: conversion.dollar(values.price_value, period, day),
    }),
  );
  return { json: changed, tag: digestTag(changed), conversion };
}
