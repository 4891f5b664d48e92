import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import type { OperationResult } from '../../ledger/changes/operation-result.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import {
  NotComparable,
  NotFound,
  ReferenceMissing,
  ValidationError,
} from '../../platform/errors/api-error.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';
import { seriesWith } from '../../price-series/series-views.js';
import { type JoinRow, SeriesJoins } from '../../price-series/joins/series-joins.js';
import { findSeriesId } from '../../price-series/series-aliases.js';
import type { Author } from '../../reference/base/base-reference.service.js';
import { ObservationStore } from '../store/observation-store.js';
import { insertJoin, readJoins } from '../../price-series/joins/stored-joins.js';
import { compareShown, type ShownChanges } from './shown-changes.js';
import type { SeriesMergeDto } from './series-merge.dto.js';

/** A series as far as joining depends on it. */
interface Series {
  id: number;
  uuid: string;
  currency: string;
  status: number;
  measure_unit_id: number;
  dimension: string;
  conversion_factor: number | null;
}

/** A join that is possible, and what it changes. */
interface Plan {
  from: Series;
  into: Series;
  row: JoinRow;
  changes: ShownChanges;
}

/** The columns that audit entries show of a join. */
const AUDITED_COLUMNS = ['from', 'into', 'factor', 'prefer', 'start_date', 'end_date', 'relabel'];

/** Joins series: one shows the points of another, which is no longer listed. */
@Injectable()
export class SeriesMerging {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ObservationStore,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * What joining a series would change.
   * @throws as `merge`
   */
  tryOut(uuid: string, body: SeriesMergeDto): Promise<OperationResult> {
    return this.unitOfWork.run(async (transaction) => {
      const { changes } = await plan(transaction, uuid, body);
      return { change_set: null, counts: countsOf(changes) };
    });
  }

  /**
   * Joins the series with a uuid into the one that the body names.
   * @throws NotFound, ReferenceMissing, NotComparable; ValidationError where both are the same
   */
  merge(uuid: string, body: SeriesMergeDto, author: Author): Promise<OperationResult> {
    return this.unitOfWork.change(
      { kind: 'merge', reason: author.reason },
      async (transaction) => {
        const { from, into, row, changes } = await plan(transaction, uuid, body);
        const change_set = (await transaction.changeSetId())!;
        const id = await insertJoin(transaction, row, change_set);
        transaction.markSeriesModified([from.id], { action: 'removed' });
        const { added, changed, firstDay, lastDay } = changes;
        transaction.markSeriesModified([into.id], { added, changed, firstDay, lastDay });
        await this.store.recompute(transaction, [into.id]);
        const { factor, prefer } = row;
        const { start_date, end_date, relabel } = body;
        await this.trail.record(transaction, {
          caller: author.caller,
          requestId: author.requestId,
          table: 'series_join',
          recordId: id,
          action: 'create',
          columns: AUDITED_COLUMNS,
          before: null,
          after: { from: from.uuid, into: into.uuid, factor, prefer, start_date, end_date, relabel },
        });
        return { change_set, counts: countsOf(changes) };
      },
      author.deadline,
    );
  }
}

const countsOf = ({ added, changed, unchanged }: ShownChanges) => ({ added, changed, unchanged });

/** Checks a join, and finds out what it changes. */
async function plan(transaction: Transaction, uuid: string, body: SeriesMergeDto): Promise<Plan> {
  const joins = await readJoins(transaction);
  const from = await findSeries(transaction, joins, uuid);
  if (from === null) throw new NotFound('There is no price series with this uuid.');
  const into = await findSeries(transaction, joins, body.into);
  if (into === null) throw new ReferenceMissing(['into']);
  if (from.id === into.id) {
    const reason = 'must be another series than the one in the address, also after earlier joins.';
    throw new ValidationError([bodyViolation('into', new ParseError('same_record', reason))]);
  }
  if (from.status !== 0 || into.status !== 0)
    throw new NotComparable('Only series of observed prices are joined, no estimates and forecasts.', []);
  const row: JoinRow = {
    from_id: from.id,
    into_id: into.id,
    factor: factorOf(from, into, body),
    prefer: body.prefer ?? 'into',
    start_day: body.start_date === undefined ? null : dayFromIso(body.start_date),
    end_day: body.end_date === undefined ? null : dayFromIso(body.end_date),
  };
  const after = new SeriesJoins([...joins.rows, row]);
  const changes = await compareShown(transaction, joins, after, row);
  return { from, into, row, changes };
}

/** The series that a uuid leads to; null if there is none. */
async function findSeries(
  transaction: Transaction,
  joins: SeriesJoins,
  uuid: string,
): Promise<Series | null> {
  const id = await findSeriesId(transaction, uuid);
  if (id === null) return null;
  const [series] = await transaction.rows<Series>(
    'SELECT s.id, s.uuid, s.currency, s.status, s.measure_unit_id, u.dimension, u.conversion_factor' +
      ` FROM ${seriesWith('measure_unit')} WHERE s.id = ?`,
    [joins.become(id)],
  );
  return series!;
}

/**
 * What prices of a series are multiplied by.
 * @throws NotComparable
 */
function factorOf(from: Series, into: Series, { factor, relabel = false }: SeriesMergeDto): number {
  if (from.currency !== into.currency && !relabel) {
    const detail = `The prices are in ${from.currency}, those of the other series in ${into.currency}. Send relabel: true if one of these is a wrong label.`;
    throw new NotComparable(detail, ['relabel']);
  }
  const known = factor ?? unitFactor(from, into);
  if (known !== null) return known;
  throw new NotComparable(
    'The measure units cannot be converted into each other. Send the factor of the prices.',
    ['factor'],
  );
}

/** The factor from prices in one measure unit to prices in another; null if it is unknown. */
function unitFactor(from: Series, into: Series): number | null {
  if (from.measure_unit_id === into.measure_unit_id) return 1;
  if (from.dimension !== into.dimension) return null;
  if (from.conversion_factor === null || into.conversion_factor === null) return null;
  return toSignificantDigits(from.conversion_factor / into.conversion_factor);
}
