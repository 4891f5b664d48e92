import type { Reads } from '../../database/reads.js';
import { REVISIONS_OF_CHANGE_SET } from '../../ledger/revision/stored-revisions.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { JOIN_COLUMNS, type JoinRow, SELECT_JOINS, SeriesJoins } from './series-joins.js';

/** A join, since which revision it is in force, and until which: null if it still is. */
export type StoredJoin = JoinRow & {
  readonly id: number;
  readonly change_set_id: number;
  readonly since: number;
  readonly until: number | null;
};

const SELECT = `SELECT j.id, j.change_set_id, j.since, j.until, ${JOIN_COLUMNS} FROM series_join j`;

/** The joins in force. */
export async function readJoins(reads: Pick<Reads, 'rows'>): Promise<SeriesJoins> {
  // Few services have any, and to put none in order takes SQLite ten times as long as to see that.
  const [any] = await reads.rows('SELECT 1 FROM series_join WHERE until IS NULL LIMIT 1');
  return any === undefined ? SeriesJoins.none : new SeriesJoins(await reads.rows(SELECT_JOINS));
}

/**
 * The joins that a change set has created, oldest first. One that was made again has the change set
 * that created it first, which can be reverted again.
 */
export const joinsMadeBy = (reads: Pick<Reads, 'rows'>, changeSetId: number): Promise<StoredJoin[]> =>
  reads.rows<StoredJoin>(
    `${SELECT} WHERE j.change_set_id = ? OR j.since IN ${REVISIONS_OF_CHANGE_SET} ORDER BY j.id`,
    [changeSetId, changeSetId],
  );

/** The joins of others that a change set has ended, oldest first. */
export const joinsEndedBy = (reads: Pick<Reads, 'rows'>, changeSetId: number): Promise<StoredJoin[]> =>
  reads.rows<StoredJoin>(
    `${SELECT} WHERE j.until IN ${REVISIONS_OF_CHANGE_SET} AND j.change_set_id <> ? ORDER BY j.id`,
    [changeSetId, changeSetId],
  );

/** The joins in force that a change set has not made, nor made again. */
export const joinsOfOthers = (reads: Pick<Reads, 'rows'>, changeSetId: number): Promise<StoredJoin[]> =>
  reads.rows<StoredJoin>(
    `${SELECT} WHERE j.until IS NULL AND j.change_set_id <> ? AND j.since NOT IN ${REVISIONS_OF_CHANGE_SET}`,
    [changeSetId, changeSetId],
  );

/** The join in force by which a series is shown as part of another; null if it is listed. */
export async function joinInForce(reads: Pick<Reads, 'rows'>, serieId: number): Promise<StoredJoin | null> {
  const where = 'WHERE j.from_id = ? AND j.until IS NULL';
  const [join] = await reads.rows<StoredJoin>(`${SELECT} ${where}`, [serieId]);
  return join ?? null;
}

/**
 * Stores a join, in force from the transaction's revision on. Does not imply
 * `markSeriesModified()`.
 * @param changeSetId that has created it, or made it first
 * @param place of a mirror: the one that the first service has given it
 * @returns its id
 */
export async function insertJoin(
  transaction: Transaction,
  { from_id, into_id, factor, prefer, start_day, end_day }: JoinRow,
  changeSetId: number,
  place: number | null = null,
): Promise<number> {
  const { insertId } = await transaction.execute(
    'INSERT INTO series_join (from_id, into_id, factor, prefer, start_day, end_day, change_set_id, since,' +
      ' source_place) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    [from_id, into_id, factor, prefer, start_day, end_day, changeSetId, transaction.revision, place],
  );
  return insertId;
}

/**
 * Ends the join of a series into another one, if it has any. Does not imply `markSeriesModified()`.
 */
export async function endJoinFrom(transaction: Transaction, serieId: number): Promise<void> {
  await transaction.execute('UPDATE series_join SET until = ? WHERE from_id = ? AND until IS NULL', [
    transaction.revision,
    serieId,
  ]);
}
