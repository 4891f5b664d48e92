import { Injectable } from '@nestjs/common';
import type { AuditedCaller } from '../ledger/audit/audit-trail.js';
import { checkPreconditions, digestTag, type Preconditions } from '../platform/http/etag.js';
import { Duplicate, NotFound } from '../platform/errors/api-error.js';
import { Environment } from '../config/environment.js';
import { UnitOfWork, type Transaction } from '../ledger/unit-of-work.js';
import { PriceSeriesService } from '../price-series/price-series.service.js';
import { CalculatedPoint } from './calculated-point.js';
import {
  changedPoint,
  isCorrectable,
  isSamePoint,
  PointCorrections,
  type Corrector,
  type KnownPoint,
  type PointOfSeries,
} from './store/point-corrections.js';
import type { StoredPoint } from './store/point-merging.js';
import { datapointJson, type PointContext } from './read/datapoint.view.js';
import { parsePointId, type PointKey } from './store/point-id.js';
import { PointExplanations } from './explain/point-explanation.js';
import type { NewPointDto } from './corrections/correction-batch.js';
import { PricesService, type PriceView } from './prices.service.js';

/** Who makes a change, its preconditions, and the time that is left for it. */
export interface ChangeRequest {
  caller: AuditedCaller;
  requestId: string;
  conditions: Preconditions;
  /** Why, for the change set. */
  reason: string;
  /** When it must be committed (`performance.now()`). */
  deadline: number;
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
}

/** A datapoint as it is served. */
export interface ServedDatapoint {
  json: Buffer;
  /** Its entity tag, without quotes. */
  tag: string;
}

/** A datapoint as it is at a revision of the data. */
interface ReadDatapoint extends ServedDatapoint {
  revision: number;
}

/** The point is not stored, or is hidden by points that are derived or original. */
class NotServedAsStored extends Error {}

/** Reads, corrects and removes single datapoints, by series and id. */
@Injectable()
export class DatapointsService {
  constructor(
    private readonly prices: PricesService,
    private readonly explanations: PointExplanations,
    private readonly series: PriceSeriesService,
    private readonly corrections: PointCorrections,
    private readonly unitOfWork: UnitOfWork,
    private readonly environment: Environment,
  ) {}

  /** @throws NotFound @throws ValidationError for a revision that does not exist */
  read(uuid: string, id: number | null, view: PriceView, signal: AbortSignal): Promise<ReadDatapoint> {
    return this.readBy((...point) => this.prices.readPoint(...point), uuid, id, view, signal);
  }

  /**
   * A point with what it was made of.
   * @throws NotFound @throws ValidationError for a revision that does not exist
   */
  explain(uuid: string, id: number | null, view: PriceView, signal: AbortSignal): Promise<ReadDatapoint> {
    return this.readBy((...point) => this.explanations.read(...point), uuid, id, view, signal);
  }

  private async readBy(
    readPoint: PricesService['readPoint'],
    uuid: string,
    id: number | null,
    view: PriceView,
    signal: AbortSignal,
  ): Promise<ReadDatapoint> {
    const past = await this.prices.past(view);
    const point = await readPoint(uuid, pointKey(id), past, signal);
    if (point === null) throw noSuchPrice();
    return { ...served(point.json), revision: point.revision };
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
    if (price_value === undefined && comment === undefined) return this.readChecked(uuid, id, request);
    return this.change(uuid, id, request, async (transaction, key, known, context) => {
      const after = changedPoint(known, price_value, comment);
      if (!isSamePoint(known.stored, after))
        await this.corrections.set(transaction, { uuid, key }, known, after, request);
      // Nothing is read after the commit: a failure of that would answer a change that was made
      // with an error.
      const { calculated, value } = known.stored;
      const provisional = known.stored.provisional && after.value === value;
      return served(datapointJson(key, { ...after, calculated, provisional }, context));
    });
  }

  /**
   * Adds a point to a series, in a transaction of the caller's.
   * @throws Duplicate, CalculatedPoint, JoinedPoint
   */
  async add(
    transaction: Transaction,
    { uuid, key }: PointOfSeries,
    { price_value, comment }: NewPointDto,
    context: PointContext,
    corrector: Corrector,
  ): Promise<ServedDatapoint> {
    const known = await this.corrections.find(transaction, key, null);
    if (known.stored !== null) throw new Duplicate(['periodicity', 'date']);
    if (!isCorrectable(known)) throw new CalculatedPoint(null);
    const after = changedPoint(known, price_value, comment);
    const calculated = await this.corrections.set(transaction, { uuid, key }, known, after, corrector);
    return served(datapointJson(key, { ...after, calculated }, context));
  }

  /**
   * The series that a point is to be added to, as its points are serialised.
   * @throws NotFound
   */
  async seriesContext(uuid: string, signal: AbortSignal): Promise<PointContext> {
    const id = await this.series.idOf(uuid);
    const context = id === null ? null : await this.prices.pointContext(uuid, id, signal);
    if (context === null) throw new NotFound('There is no price series with this uuid.');
    return context;
  }

  /**
   * Removes a stored point.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, CalculatedPoint
   */
  async remove(uuid: string, id: number | null, request: ChangeRequest): Promise<void> {
    await this.change(uuid, id, request, (transaction, key, known) =>
      this.corrections.set(transaction, { uuid, key }, known, null, request),
    );
  }

  /** Runs a change of a stored point. */
  private async change<T>(
    uuid: string,
    id: number | null,
    request: ChangeRequest,
    work: (transaction: Transaction, key: PointKey, known: ServedPoint, context: PointContext) => Promise<T>,
  ): Promise<T> {
    const key = pointKey(id);
    const context = await this.prices.pointContext(uuid, key.serieId, request.signal);
    if (context === null) throw noSuchPrice();
    try {
      const changeSet = { kind: 'correction', reason: request.reason } as const;
      return await this.unitOfWork.change(
        changeSet,
        async (transaction) => {
          const known = await this.corrections.find(transaction, key);
          if (!isServed(known)) throw new NotServedAsStored();
          const tagOf = () => served(datapointJson(key, known.stored, context)).tag;
          checkPreconditions(request.conditions, tagOf, this.environment.strictWrites);
          return work(transaction, key, known, context);
        },
        request.deadline,
      );
    } catch (error) {
      if (!(error instanceof NotServedAsStored)) throw error;
      await this.readChecked(uuid, id, request);
      throw new CalculatedPoint();
    }
  }

  /** Reads a point, and checks the preconditions of a change of it. */
  private async readChecked(
    uuid: string,
    id: number | null,
    { conditions, signal }: ChangeRequest,
  ): Promise<ServedDatapoint> {
    const point = await this.read(uuid, id, NEWEST, signal);
    checkPreconditions(conditions, () => point.tag, this.environment.strictWrites);
    return point;
  }
}

/** A point that is served as it is stored. */
type ServedPoint = KnownPoint & { readonly stored: StoredPoint };

/**
 * Whether a point is served as it is stored. Points that their source has calculated are served
 * where there are neither original ones of the frequency nor finer ones that they could be derived
 * from.
 */
function isServed(known: KnownPoint): known is ServedPoint {
  return known.stored !== null && isCorrectable(known);
}

const NEWEST: PriceView = { asOf: undefined, firstPublished: false };

const noSuchPrice = () => new NotFound('There is no such price.');

/** @throws NotFound */
function pointKey(id: number | null): PointKey {
  const key = id === null ? null : parsePointId(id);
  if (key === null) throw noSuchPrice();
  return key;
}

const served = (json: Buffer): ServedDatapoint => ({ json, tag: digestTag(json) });
