import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { correctedSeries, standingCorrection } from '../../ledger/corrections/correction-store.js';
import { Database } from '../../database/database.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import {
  NotFound,
  PreconditionFailed,
  ValidationError,
  type Violation,
} from '../../platform/errors/api-error.js';
import type { Listing } from '../../platform/formats/listing.js';
import type { Page, PageRequest, RequestedList } from '../../platform/listing/page.js';
import { ParseError } from '../../platform/validation/parsers.js';
import type { QueryValues } from '../../platform/validation/query-schema.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import type { Period } from '../../price-series/periodicity.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { readSeries } from '../../price-series/series-store.js';
import { findSeriesId } from '../../price-series/series-aliases.js';
import type { Author } from '../../reference/base/base-reference.service.js';
import { CpiService } from '../../reference/cpi/cpi.service.js';
import { FxRateService } from '../../reference/fx-rate/fx-rate.service.js';
import { CalculatedPoint } from '../calculated-point.js';
import { pricedSeriesFilters } from '../prices.parameters.js';
import {
  PointCorrections,
  baseOf,
  changedPoint,
  isCorrectable,
  isSamePoint,
  type Corrector,
  type KnownPoint,
  type PriceAndComment,
} from '../store/point-corrections.js';
import type { PointKey } from '../store/point-id.js';
import { atItem, type RequestedCorrection } from './correction-batch.js';
import {
  correctionConditions,
  correctionList,
  type CorrectionRecord,
  correctionColumns,
  type correctionQuery,
} from './correction-list.js';

/** Corrections that are made between two turns of the event loop. */
const CORRECTIONS_PER_TURN = 20;

/** What the items of a request have done; `withdrawn` are among the others. */
interface CorrectionCounts {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  withdrawn: number;
}

export interface CorrectionResult {
  /** Null in a dry run, and where nothing has changed. */
  change_set: number | null;
  counts: CorrectionCounts;
}

type Filters = QueryValues<typeof correctionQuery.parameters>;

/** Thrown to roll back the transaction of a dry run. */
class DryRunRollback extends Error {
  constructor(readonly counts: CorrectionCounts) {
    super('A dry run is rolled back.');
  }
}

/** Lists, makes and withdraws corrections. */
@Injectable()
export class CorrectionsService {
  private readonly corrections: ReturnType<typeof correctionList>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly points: PointCorrections,
    private readonly series: PriceSeriesService,
    private readonly rates: FxRateService,
    private readonly indices: CpiService,
  ) {
    this.corrections = correctionList(database);
  }

  /** @throws NotFound for a page past the last */
  async page(filters: Filters, request: PageRequest): Promise<Page<CorrectionRecord>> {
    return this.corrections.page(await this.conditionsOf(filters), request);
  }

  /** The requested list of corrections. @throws NotFound for a page past the last */
  async list(filters: Filters, request: RequestedList): Promise<Listing> {
    return this.corrections.list(correctionColumns, await this.conditionsOf(filters), request);
  }

  /**
   * Makes corrections of points, all or none of them.
   * @throws ValidationError for unknown series, CalculatedPoint, JoinedPoint
   * @throws PreconditionFailed where a point is not what its author has seen, nor what it is to be
   */
  async correct(
    requested: readonly RequestedCorrection[],
    author: Author & Corrector,
    dryRun: boolean,
  ): Promise<CorrectionResult> {
    const work = async (transaction: Transaction): Promise<CorrectionResult> => {
      const keys = await keysOf(transaction, requested);
      const counts: CorrectionCounts = { added: 0, changed: 0, removed: 0, unchanged: 0, withdrawn: 0 };
      for (const [index, correction] of requested.entries()) {
        if (index % CORRECTIONS_PER_TURN === 0) await nextTurn();
        const known = await this.points.find(transaction, keys[index]!, index);
        const after = requestedPoint(known, correction, index);
        const outcome = outcomeOf(known, after);
        counts[outcome]++;
        if (outcome === 'unchanged') continue;
        const { seen } = correction;
        if (seen !== undefined && !isSamePoint(known.stored, seen)) throw new PreconditionFailed();
        if (known.correction !== null && isSamePoint(baseOf(known), after)) counts.withdrawn++;
        const point = { uuid: correction.uuid, key: keys[index]! };
        await this.points.set(transaction, point, known, after, author);
      }
      if (dryRun) throw new DryRunRollback(counts);
      const isChanged = counts.unchanged < requested.length;
      return { change_set: isChanged ? await transaction.changeSetId() : null, counts };
    };
    try {
      const alone = requested.length > CORRECTIONS_PER_TURN;
      return await this.unitOfWork.change({ ...changeSetOf(author), alone }, work, author.deadline);
    } catch (error) {
      if (error instanceof DryRunRollback) return { change_set: null, counts: error.counts };
      throw error;
    }
  }

  /**
   * Withdraws a standing correction: the source's value returns.
   * @throws NotFound
   */
  async withdraw(id: number, author: Author & Corrector): Promise<void> {
    const work = async (transaction: Transaction) => {
      const found = await standingCorrection(transaction, id);
      if (found === null) throw correctionNotFound();
      if ('key' in found) {
        const records = found.table === 'fx_rate' ? this.rates : this.indices;
        return records.restore(transaction, found.key, found.base?.value ?? null, author);
      }
      const key: PointKey = { ...found, period: found.period as Period };
      const series = await readSeries(transaction, found.serieId, ['uuid']);
      if (series === undefined) throw correctionNotFound();
      const known = await this.points.findStored(transaction, key);
      await this.points.set(transaction, { uuid: series.uuid, key }, known, found.base, author);
    };
    await this.unitOfWork.change(changeSetOf(author), work, author.deadline);
  }

  private async conditionsOf(filters: Filters) {
    const criteria = Criteria.of(pricedSeriesFilters, filters);
    return correctionConditions(
      filters,
      await this.series.matching(criteria, () => correctedSeries(this.database)),
    );
  }
}

export const changeSetOf = ({ reason }: Author) => ({ kind: 'correction', reason }) as const;

export const correctionNotFound = () => new NotFound('There is no such standing correction.');

const unknownSeries = bodyViolation('uuid', new ParseError('reference_missing', 'is no series.'));

/**
 * The keys of the points that are to be corrected. Points of a series that was joined into another
 * one are corrected where they are stored, so its uuid is its own here.
 * @throws ValidationError for unknown series
 */
async function keysOf(
  transaction: Transaction,
  requested: readonly RequestedCorrection[],
): Promise<PointKey[]> {
  const unknown: Violation[] = [];
  const keys: PointKey[] = [];
  const ids = new Map<string, number | null>();
  for (const [index, { uuid, period, day }] of requested.entries()) {
    if (!ids.has(uuid)) ids.set(uuid, await findSeriesId(transaction, uuid));
    const serieId = ids.get(uuid)!;
    if (serieId === null) unknown.push(atItem(index, unknownSeries));
    else keys.push({ serieId, period, day });
  }
  if (unknown.length > 0) throw new ValidationError(unknown);
  return keys;
}

/** What a point is to be; null for none. @throws CalculatedPoint */
function requestedPoint(
  known: KnownPoint,
  { price, comment }: RequestedCorrection,
  index: number,
): PriceAndComment | null {
  if (!isCorrectable(known)) throw new CalculatedPoint(index);
  return price === null ? null : changedPoint(known, price, comment);
}

function outcomeOf(
  { stored }: KnownPoint,
  after: PriceAndComment | null,
): Exclude<keyof CorrectionCounts, 'withdrawn'> {
  if (isSamePoint(stored, after)) return 'unchanged';
  if (stored === null) return 'added';
  return after === null ? 'removed' : 'changed';
}
