import type { Transaction } from '../../ledger/unit-of-work.js';
import {
  addSeriesAliases,
  aliasVersions,
  freeAliases,
  removeAliases,
  uuidsEverOf,
} from '../../price-series/series-aliases.js';
import type { MergedReferences } from './merged-references.js';
import type { RevertOperation } from './revert-operation.js';
import { effectiveState, statesOf, type StoredVersion, type RevertedRevisions } from '../../ledger/states.js';
import { withOwnRevisions } from './own-revisions.js';

/** The series that a uuid is to lead to instead of another; null for none. */
interface AliasChange {
  readonly uuid: string;
  readonly before: number | null;
  readonly after: number | null;
  /** The revision that gave what it leads to. */
  readonly since: number;
}

/**
 * Lets other uuids lead to the series that they lead to without what is reverted: those that it has
 * created go, and those return that went with it or with a series that is back, if they are free.
 * After the series.
 * @param returned series that come back or change, besides those that were affected
 * @param mergedUuids those that led to series by merges that are reverted
 */
export async function revertAliases(
  transaction: Transaction,
  operation: RevertOperation,
  returned: readonly number[],
  mergedUuids: readonly string[],
  merged: MergedReferences,
): Promise<void> {
  // Its own changes are those from before it was interrupted.
  const operations = [...operation.concernedChangeSets, (await transaction.changeSetId())!];
  const uuids = new Set([...(await uuidsEverOf(transaction, returned, operations)), ...mergedUuids]);
  const effective = await planAliases(
    transaction,
    [...uuids],
    await withOwnRevisions(transaction, operation),
  );
  const changes = await withoutMerged(effective, merged);
  const gone = changes.filter(({ before }) => before !== null);
  if (gone.length > 0) {
    const uuidsGone = gone.map(({ uuid }) => uuid);
    await removeAliases(transaction, 'uuid', uuidsGone);
    transaction.markSeriesModified(gone.map(({ before }) => before!));
  }
  const wanted = changes.flatMap(({ uuid, after }) => (after === null ? [] : [{ uuid, serieId: after }]));
  await addSeriesAliases(transaction, await freeAliases(transaction, wanted));
}

async function planAliases(
  transaction: Transaction,
  uuids: readonly string[],
  revisions: RevertedRevisions,
): Promise<AliasChange[]> {
  const histories = new Map<string, StoredVersion<number>[]>(uuids.map((uuid) => [uuid, []]));
  for (const { uuid, serie_id: value, since, until } of await aliasVersions(transaction, uuids))
    histories.get(uuid)!.push({ value, since, until });
  return [...histories].map(([uuid, versions]) => {
    const states = statesOf(versions);
    const before = states.at(-1)!.value;
    const effective = effectiveState(states, revisions);
    return { uuid, before, after: effective?.value ?? null, since: effective?.since ?? 0 };
  });
}

/** What changes, where uuids that led to a series by a merge which is reverted lead to none. */
async function withoutMerged(
  planned: readonly AliasChange[],
  merged: MergedReferences,
): Promise<AliasChange[]> {
  const led = planned.flatMap(({ uuid, after, since }) =>
    after === null ? [] : [{ uuid, serieId: after, since }],
  );
  const uuids = new Set((await merged.mergedAliases(led)).map(({ uuid }) => uuid));
  const changes = planned.map((change) => (uuids.has(change.uuid) ? { ...change, after: null } : change));
  return changes.filter(({ before, after }) => before !== after);
}
