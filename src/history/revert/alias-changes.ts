import { placeholders } from '../../database/sql.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { addSeriesAliases, removeAliases } from '../../price-series/series-aliases.js';
import type { MergedReferences } from './merged-references.js';
import { selectByIds } from '../../database/select-by-ids.js';
import type { RevertAct } from './revert-act.js';
import { effectiveState, statesOf, type StoredVersion, type RevertedRevisions } from '../../ledger/states.js';
import { withOwnRevisions } from './own-revisions.js';

interface AliasRow {
  readonly uuid: string;
  readonly serie_id: number;
  readonly since: number;
  readonly until: number | null;
}

/** The series that a uuid is to lead to instead of another; null for none. */
interface AliasChange {
  readonly uuid: string;
  readonly before: number | null;
  readonly after: number | null;
  /** The revision that gave what it leads to. */
  readonly since: number;
}

/** All that uuids have led to, and lead to now. */
const SELECT_VERSIONS = 'SELECT uuid, serie_id, since, until FROM series_alias_version WHERE uuid IN ({ids})';
const SELECT_STORED = 'SELECT uuid, serie_id, since, NULL AS until FROM series_alias WHERE uuid IN ({ids})';

/**
 * Lets other uuids lead to the series that they lead to without what is reverted: those that it
 * has made go, and those return that went with it or with a series that is back, if they are free.
 * After the series.
 * @param returned series that come back or change, besides those that were touched
 * @param mergedUuids those that led to series by merges that are reverted
 */
export async function revertAliases(
  transaction: Transaction,
  act: RevertAct,
  returned: readonly number[],
  mergedUuids: readonly string[],
  merged: MergedReferences,
): Promise<void> {
  const uuids = new Set([...(await concernedUuids(transaction, act, returned)), ...mergedUuids]);
  const effective = await planAliases(transaction, [...uuids], await withOwnRevisions(transaction, act));
  const changes = await withoutMerged(effective, merged);
  const gone = changes.filter(({ before }) => before !== null);
  if (gone.length > 0) {
    const uuidsGone = gone.map(({ uuid }) => uuid);
    await removeAliases(transaction, 'uuid', uuidsGone);
    transaction.touchSeries(gone.map(({ before }) => before!));
  }
  await addSeriesAliases(transaction, await possibleAliases(transaction, changes));
}

/** The other uuids that series have or had which the revert is about. */
async function concernedUuids(
  transaction: Transaction,
  { concernedChangeSets }: RevertAct,
  returned: readonly number[],
): Promise<string[]> {
  // Its own changes are those from before it was interrupted.
  const acts = [...concernedChangeSets, (await transaction.changeSetId())!];
  const touched =
    'SELECT c.serie_id FROM revision r JOIN series_change c ON c.revision = r.number' +
    ` WHERE r.change_set_id IN (${placeholders(acts.length)})`;
  const found = new Set<string>();
  for (const table of ['series_alias', 'series_alias_version']) {
    const select = `SELECT uuid FROM ${table} WHERE serie_id IN`;
    const rows = await transaction.rows<Pick<AliasRow, 'uuid'>>(`${select} (${touched})`, acts);
    const ofReturned = await selectByIds<Pick<AliasRow, 'uuid'>>(transaction, `${select} ({ids})`, returned);
    for (const { uuid } of [...rows, ...ofReturned]) found.add(uuid);
  }
  return [...found];
}

async function planAliases(
  transaction: Transaction,
  uuids: readonly string[],
  revisions: RevertedRevisions,
): Promise<AliasChange[]> {
  const histories = new Map<string, StoredVersion<number>[]>(uuids.map((uuid) => [uuid, []]));
  for (const select of [SELECT_VERSIONS, SELECT_STORED])
    for (const { uuid, serie_id: value, since, until } of await selectByIds<AliasRow>(
      transaction,
      select,
      uuids,
    ))
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

/** Of the aliases that are to be made, those whose series is there and whose uuid no series has. */
async function possibleAliases(
  transaction: Transaction,
  changes: readonly AliasChange[],
): Promise<{ uuid: string; serieId: number }[]> {
  const wanted = changes.flatMap(({ uuid, after }) => (after === null ? [] : [{ uuid, serieId: after }]));
  const series = 'SELECT id, uuid FROM price_serie WHERE';
  const stored = await selectByIds<{ id: number }>(
    transaction,
    `${series} id IN ({ids})`,
    wanted.map(({ serieId }) => serieId),
  );
  const taken = await selectByIds<{ uuid: string }>(
    transaction,
    `${series} uuid IN ({ids})`,
    wanted.map(({ uuid }) => uuid),
  );
  const ids = new Set(stored.map(({ id }) => id));
  const uuids = new Set(taken.map(({ uuid }) => uuid));
  return wanted.filter(({ uuid, serieId }) => ids.has(serieId) && !uuids.has(uuid));
}
