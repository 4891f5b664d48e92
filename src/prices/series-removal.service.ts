import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../ledger/audit/audit-trail.js';
import { correctionsOfSeries, endCorrections } from '../ledger/corrections/correction-store.js';
import { UnitOfWork, type Transaction } from '../ledger/unit-of-work.js';
import { InUse, NotFound } from '../platform/errors/api-error.js';
import { findSeriesId } from '../price-series/series-aliases.js';
import { readSeries } from '../price-series/series-store.js';
import { removeSeries } from '../price-series/series-versions.js';
import { countPoints } from './store/series-points.js';
import { recordChangeSet, type Author } from '../reference/base/base-reference.service.js';
import { readJoins } from '../price-series/joins/stored-joins.js';

/** The columns that audit entries show of a series. */
const AUDITED_COLUMNS = [
  'uuid',
  'commodity_id',
  'price_type_id',
  'market_id',
  'source_id',
  'measure_unit_id',
  'currency',
] as const;

/** Removes series without points, so that records which nothing else refers to can be deleted. */
@Injectable()
export class SeriesRemoval {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {}

  /** @throws NotFound, InUse where the series has points or shows another series */
  async remove(uuid: string, author: Author): Promise<void> {
    await this.unitOfWork.change(
      recordChangeSet(author),
      async (transaction) => {
        const id = await listedSeries(transaction, uuid);
        const row = await readSeries(transaction, id, AUDITED_COLUMNS);
        // The corrections that removed its points have nothing to be kept for.
        const corrections = await correctionsOfSeries(transaction, id, id);
        await endCorrections(
          transaction,
          corrections.map((correction) => correction.id),
          'withdrawn',
        );
        await removeSeries(transaction, [id]);
        await this.trail.record(transaction, {
          caller: author.caller,
          requestId: author.requestId,
          table: 'price_serie',
          recordId: id,
          action: 'delete',
          columns: AUDITED_COLUMNS,
          before: { ...row! },
          after: null,
        });
      },
      author.deadline,
    );
  }
}

/** The id of the series that a uuid leads to and that nothing uses. @throws NotFound, InUse */
async function listedSeries(transaction: Transaction, uuid: string): Promise<number> {
  const found = await findSeriesId(transaction, uuid);
  if (found === null) throw new NotFound('There is no price series with this uuid.');
  const joins = await readJoins(transaction);
  const id = joins.become(found);
  const joined = joins.shownSeries(id).length - 1;
  const points = (await countPoints(transaction, [id])).get(id) ?? 0;
  const uses = [
    { kind: 'PriceSeriePrice', count: points },
    { kind: 'PriceSerie', count: joined },
  ].filter(({ count }) => count > 0);
  if (uses.length > 0) throw new InUse(uses);
  return id;
}
