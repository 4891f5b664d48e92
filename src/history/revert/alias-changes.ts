import type { Transaction } from '../../database/unit-of-work.js';
import { addSeriesAliases, removeAliases } from '../../price-series/series-aliases.js';
import { placeholdersOf, selectByIds } from './reading.js';
import { concernedIds, type RevertAct } from './revert-act.js';
import { standingState, statesOf, type StoredVersion, type TakenBack } from './states.js';

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
}

/** All that uuids have led to, and lead to now. */
const SELECT_VERSIONS = 'SELECT uuid, serie_id, since, until FROM series_alias_version WHERE uuid IN ({ids})';
const SELECT_STORED = 'SELECT uuid, serie_id, since, NULL AS until FROM series_alias WHERE uuid IN ({ids})';

/**
 * Lets other uuids lead to the series that they lead to without what is taken back: those that it
 * has made go, and those return that went with it or with a series that is back, if they are free.
 * After the series.
 * @param returned series that come back or change, besides those that were touched
 */
export async function takeBackAliases(
  transaction: Transaction,
  act: RevertAct,
  returned: readonly number[],
): Promise<void> {
  const uuids = await concernedUuids(transaction, act, returned);
  const changes = await planAliases(transaction, uuids, await withOwnRevisions(transaction, act));
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
  { target }: RevertAct,
  returned: readonly number[],
): Promise<string[]> {
  // Its own changes are those from before it was interrupted.
  const acts = [...(await concernedIds(transaction, target)), (await transaction.changeSetId())!];
  const touched =
    'SELECT c.serie_id FROM revision r JOIN series_change c ON c.revision = r.number' +
    ` WHERE r.change_set_id IN (${placeholdersOf(acts.length)})`;
  const found = new Set<string>();
  for (const table of ['series_alias', 'series_alias_version']) {
    const select = `SELECT uuid FROM ${table} WHERE serie_id IN`;
    const rows = await transaction.rows<Pick<AliasRow, 'uuid'>>(`${select} (${touched})`, acts);
    rows.push(...(await selectByIds<Pick<AliasRow, 'uuid'>>(transaction, `${select} ({ids})`, returned)));
    for (const { uuid } of rows) found.add(uuid);
  }
  return [...found];
}

/** What is taken back, where the revert's own revisions are known: it removes series. */
async function withOwnRevisions(transaction: Transaction, act: RevertAct): Promise<TakenBack> {
  const rows = await transaction.rows<{ number: number | string }>(
    'SELECT number FROM revision WHERE change_set_id = ?',
    [(await transaction.changeSetId())!],
  );
  const own = new Set([transaction.revision, ...rows.map(({ number }) => Number(number))]);
  return {
    isVoid: (revision) => act.isVoid(revision),
    isRevert: (revision) => own.has(revision) || act.isRevert(revision),
  };
}

async function planAliases(
  transaction: Transaction,
  uuids: readonly string[],
  revisions: TakenBack,
): Promise<AliasChange[]> {
  const histories = new Map<string, StoredVersion<number>[]>(uuids.map((uuid) => [uuid, []]));
  for (const select of [SELECT_VERSIONS, SELECT_STORED])
    for (const { uuid, serie_id: value, since, until } of await selectByIds<AliasRow>(
      transaction,
      select,
      uuids,
    ))
      histories.get(uuid)!.push({ value, since, until });
  const changes = [...histories].map(([uuid, versions]) => {
    const states = statesOf(versions);
    const before = states.at(-1)!.value;
    return { uuid, before, after: standingState(states, revisions)?.value ?? null };
  });
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
