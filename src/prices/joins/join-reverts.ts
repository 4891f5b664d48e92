import type { Transaction } from '../../database/unit-of-work.js';
import { type JoinRow, JOIN_COLUMNS } from '../../price-series/joins/series-joins.js';
import { SeriesJoin } from '../../price-series/joins/series-join.entity.js';
import type { ObservationStore } from '../store/observation-store.js';
import { readJoins } from './joined-extents.js';

type StoredJoin = JoinRow & { id: number; change_set_id: number };

/** How many series are shown by themselves again, and as part of others again. */
export interface JoinEffects {
  parted: number;
  joined: number;
  /** Left alone, because the series have been joined otherwise since. */
  changed_since: number;
}

/** Reads rows in a transaction, or outside of one for what a revert would do. */
type Reader = Pick<Transaction, 'rows'>;

/**
 * Takes back what a change set has done to joins: those that it made and that are in force end, and
 * those that it ended are made again.
 * @param transaction null to tell only what would be done
 */
export async function takeBackJoins(
  reader: Reader,
  transaction: Transaction | null,
  store: ObservationStore,
  changeSetId: number,
): Promise<JoinEffects> {
  const select = `SELECT j.id, j.change_set_id, ${JOIN_COLUMNS} FROM series_join j`;
  // One that was made again has the change set that made it first, which can be taken back again.
  const made = await reader.rows<StoredJoin>(
    `${select} WHERE j.until IS NULL AND (j.change_set_id = ?` +
      ' OR j.since IN (SELECT number FROM revision WHERE change_set_id = ?))',
    [changeSetId, changeSetId],
  );
  const ended = await reader.rows<StoredJoin>(
    `${select} JOIN revision r ON r.number = j.until WHERE r.change_set_id = ? AND j.change_set_id <> ?`,
    [changeSetId, changeSetId],
  );
  const effects: JoinEffects = { parted: made.length, joined: 0, changed_since: 0 };
  if (transaction !== null) for (const join of made) await endJoin(transaction, store, join);
  for (const join of ended) {
    const possible = await canBeMadeAgain(reader, join);
    effects[possible ? 'joined' : 'changed_since']++;
    if (possible && transaction !== null) await makeAgain(transaction, store, join);
  }
  return effects;
}

async function endJoin(transaction: Transaction, store: ObservationStore, join: StoredJoin): Promise<void> {
  const showing = (await readJoins(transaction)).shownBy(join.from_id).map(({ serieId }) => serieId);
  await transaction.execute('UPDATE series_join SET until = ? WHERE id = ?', [transaction.revision, join.id]);
  transaction.touchSeries([join.from_id], { action: 'created' });
  await store.recompute(transaction, showing);
}

async function makeAgain(
  transaction: Transaction,
  store: ObservationStore,
  { id: _, ...row }: StoredJoin,
): Promise<void> {
  await transaction.insert(SeriesJoin, { ...row, since: transaction.revision });
  transaction.touchSeries([row.from_id], { action: 'removed' });
  const showing = (await readJoins(transaction)).shownBy(row.from_id).map(({ serieId }) => serieId);
  await store.recompute(transaction, showing);
}

/** Whether both series exist, and neither was joined into the other or elsewhere since. */
async function canBeMadeAgain(reader: Reader, { from_id, into_id }: StoredJoin): Promise<boolean> {
  const joins = await readJoins(reader);
  const existing = await reader.rows('SELECT id FROM price_serie WHERE id IN (?, ?)', [from_id, into_id]);
  return existing.length === 2 && !joins.isJoined(from_id) && joins.become(into_id) !== from_id;
}
