import type { Transaction } from '../../ledger/unit-of-work.js';
import type { JoinRow } from '../../price-series/joins/series-joins.js';
import type { ObservationStore } from '../store/observation-store.js';
import {
  endJoinFrom,
  insertJoin,
  readJoins,
  type StoredJoin,
} from '../../price-series/joins/stored-joins.js';

/** Ends a join: its series is listed by itself again. */
export async function endJoin(
  transaction: Transaction,
  store: ObservationStore,
  { from_id }: StoredJoin,
): Promise<void> {
  const showing = (await readJoins(transaction)).shownBy(from_id).map(({ serieId }) => serieId);
  await endJoinFrom(transaction, from_id);
  transaction.markSeriesModified([from_id], { action: 'created' });
  await store.recompute(transaction, showing);
}

/** Makes a join again that has ended. Both of its series exist. */
export async function joinAgain(
  transaction: Transaction,
  store: ObservationStore,
  row: StoredJoin,
): Promise<void> {
  await insertJoin(transaction, row, row.change_set_id);
  transaction.markSeriesModified([row.from_id], { action: 'removed' });
  const showing = (await readJoins(transaction)).shownBy(row.from_id).map(({ serieId }) => serieId);
  await store.recompute(transaction, showing);
}

/** Whether neither series of a join was joined into the other or elsewhere since. */
export async function isStillApart(
  reader: Pick<Transaction, 'rows'>,
  { from_id, into_id }: JoinRow,
): Promise<boolean> {
  const joins = await readJoins(reader);
  return !joins.isJoined(from_id) && joins.become(into_id) !== from_id;
}
