import {
  joinInForce,
  joinsEndedBy,
  joinsMadeBy,
  type StoredJoin,
} from '../../price-series/joins/stored-joins.js';
import { endJoin, isStillApart, joinAgain } from '../../prices/joins/join-reverts.js';
import { MergedReferences } from './merged-references.js';
import type { AffectedSeries } from './point-changes.js';
import { ReinstatedRecords } from './reinstated-records.js';
import { nothing, type RevertContext, type Step } from './revert-context.js';
import { noCounts } from './revert-counts.js';
import { planSeries } from './series-plans.js';

/**
 * Joins that end: a series that is listed by itself again has come back. And those that are to be
 * made again. Before the series, which may come back for a join, or go after it.
 */
export const endJoins: Step<never> = async (context, _, reader, transaction) => {
  const { operation, store } = context;
  const result = nothing();
  const { counts } = result;
  const joins: StoredJoin[] = [];
  const reinstated: number[] = [];
  for (const join of await joinsMadeBy(reader, operation.target.id)) {
    if (join.until !== null && !operation.isDone(join.until)) continue;
    counts.series.added++;
    if (join.until === null && transaction !== null) await endJoin(transaction, store, join);
  }
  for (const join of await joinsEndedBy(reader, operation.target.id)) {
    const again = await joinInForce(reader, join.from_id);
    if (again !== null && operation.isDone(again.since)) {
      counts.series.removed++;
      continue;
    }
    const ends = endsOf(join);
    const records = new ReinstatedRecords(reader, context);
    const merged = new MergedReferences(reader, context);
    const plan = await planSeries(reader, ends, operation, records, merged, noCounts());
    if (ends.every(plan.canHavePoints) && (await isStillApart(reader, join))) {
      joins.push(join);
      for (const { id } of plan.reinstated) reinstated.push(id);
    } else counts.changed_since++;
  }
  return { ...result, joins, reinstated };
};

/** Joins that are made again: a series that is not listed by itself any more has gone. */
export const makeJoinsAgain: Step<never> = async ({ store, before }, _, reader, transaction) => {
  const result = nothing();
  const { counts } = result;
  for (const join of before.joins) {
    // Between the transactions of a command, others may join the series.
    const possible = await isStillApart(reader, join);
    if (!possible) counts.changed_since++;
    else {
      counts.series.removed++;
      if (transaction !== null) await joinAgain(transaction, store, join);
    }
  }
  return result;
};

/** The series of joins. */
export const endsOf = ({ from_id, into_id }: StoredJoin): number[] => [from_id, into_id];

/** The series that a change set has affected, and those that come back for joins. */
export function withReinstated(
  affected: readonly AffectedSeries[],
  { before }: RevertContext,
): readonly AffectedSeries[] {
  const ids = new Set(affected.map(({ id }) => id));
  const others = before.reinstated.filter((id) => !ids.has(id));
  return [...affected, ...others.map((id) => ({ id, firstDay: null, lastDay: null, points: 0 }))];
}
