import type { Transaction } from '../../ledger/unit-of-work.js';
import { type JoinRow, JOIN_COLUMNS } from '../../price-series/joins/series-joins.js';
import { SeriesJoin } from '../../price-series/joins/series-join.entity.js';
import type { ObservationStore } from '../store/observation-store.js';
import { readJoins } from './joined-extents.js';

/** A join, since which revision it is in force, and until which: null if it still is. */
export type StoredJoin = JoinRow & {
  readonly id: number;
  readonly change_set_id: number;
  readonly since: number;
  readonly until: number | null;
};

/** Reads rows in a transaction, or outside of one for what a revert would do. */
type Reader = Pick<Transaction, 'rows'>;

const SELECT = `SELECT j.id, j.change_set_id, j.since, j.until, ${JOIN_COLUMNS} FROM series_join j`;
const OWN_REVISIONS = '(SELECT number FROM revision WHERE change_set_id = ?)';

/**
 * The joins that a change set has made, oldest first. One that was made again has the change set
 * that made it first, which can be reverted again.
 */
export const joinsMadeBy = (reader: Reader, changeSetId: number): Promise<StoredJoin[]> =>
  reader.rows<StoredJoin>(
    `${SELECT} WHERE j.change_set_id = ? OR j.since IN ${OWN_REVISIONS} ORDER BY j.id`,
    [changeSetId, changeSetId],
  );

/** The joins of others that a change set has ended, oldest first. */
export const joinsEndedBy = (reader: Reader, changeSetId: number): Promise<StoredJoin[]> =>
  reader.rows<StoredJoin>(
    `${SELECT} WHERE j.until IN ${OWN_REVISIONS} AND j.change_set_id <> ? ORDER BY j.id`,
    [changeSetId, changeSetId],
  );

/** The join in force by which a series is shown as part of another; null if it is listed. */
export async function joinInForce(reader: Reader, serieId: number): Promise<StoredJoin | null> {
  const where = 'WHERE j.from_id = ? AND j.until IS NULL';
  const [join] = await reader.rows<StoredJoin>(`${SELECT} ${where}`, [serieId]);
  return join ?? null;
}

/** Ends a join: its series is listed by itself again. */
export async function endJoin(
  transaction: Transaction,
  store: ObservationStore,
  { id, from_id }: StoredJoin,
): Promise<void> {
  const showing = (await readJoins(transaction)).shownBy(from_id).map(({ serieId }) => serieId);
  await transaction.execute('UPDATE series_join SET until = ? WHERE id = ?', [transaction.revision, id]);
  transaction.touchSeries([from_id], { action: 'created' });
  await store.recompute(transaction, showing);
}

/** Makes a join again that has ended. Both of its series exist. */
export async function joinAgain(
  transaction: Transaction,
  store: ObservationStore,
  { id: _, ...row }: StoredJoin,
): Promise<void> {
  await transaction.insert(SeriesJoin, { ...row, since: transaction.revision, until: null });
  transaction.touchSeries([row.from_id], { action: 'removed' });
  const showing = (await readJoins(transaction)).shownBy(row.from_id).map(({ serieId }) => serieId);
  await store.recompute(transaction, showing);
}

/** Whether neither series of a join was joined into the other or elsewhere since. */
export async function isStillApart(reader: Reader, { from_id, into_id }: JoinRow): Promise<boolean> {
  const joins = await readJoins(reader);
  return !joins.isJoined(from_id) && joins.become(into_id) !== from_id;
}
