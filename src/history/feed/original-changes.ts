import type { SnapshotReader } from '../../database/reads.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import { selectFirstStates } from '../../price-series/series-views.js';
import { countOriginalPoints } from '../../prices/store/stored-versions.js';
import type { ChangeBatch } from './change-batches.js';
import type { FeedPosition, ItemKey } from './feed-position.js';
import { recordTables } from './record-tables.js';
import {
  positionAfter,
  type FeedRevision,
  type RecordChangeRow,
  type SeriesChangeRow,
} from './stored-change.js';

const RECORDS_PER_BATCH = 1000;
/** Fewer than records, because the points of each series are counted. */
const SERIES_PER_BATCH = 100;

/**
 * The next records and series that are older than the migration which introduced revisions. The
 * feed has them as created by that migration. No table of changes lists them: they are found by
 * their rows, or the first versions of these, which are known since revision 0.
 * @param revision of the migration
 * @param after the last item that was sent
 */
export async function originalChanges(
  query: SnapshotReader,
  revision: FeedRevision,
  after: ItemKey | null,
): Promise<ChangeBatch> {
  if (after?.type !== 'series') {
    const records = await originalRecords(query, revision, after);
    if (records.length > 0) return { changes: records, end: positionAfter(records.at(-1)!) };
  }
  const series = await originalSeries(query, revision, after?.type === 'series' ? after.uuid : '');
  const done: FeedPosition = { revision: revision.number, mark: revision.mark, after: null };
  return { changes: series, end: series.length === 0 ? done : positionAfter(series.at(-1)!) };
}

async function originalRecords(
  query: SnapshotReader,
  revision: FeedRevision,
  after: Extract<ItemKey, { type: 'record' }> | null,
): Promise<RecordChangeRow[]> {
  const found: RecordChangeRow[] = [];
  // The tables are in the order of their names, as the items of the feed are.
  for (const table of recordTables().keys()) {
    if (after !== null && table < after.table) continue;
    const lastId = after?.table === table ? after.id : 0;
    const limit = RECORDS_PER_BATCH - found.length;
    const rows = await query<[id: number]>(
      `SELECT id FROM (SELECT id FROM \`${table}\` WHERE since = 0 AND id > ? ORDER BY id LIMIT ${limit}) r` +
        ` UNION SELECT record_id FROM (SELECT record_id FROM ${RECORD_VERSIONS} WHERE table_name = ? AND since = 0` +
        ` AND record_id > ? ORDER BY record_id LIMIT ${limit}) v ORDER BY 1 LIMIT ${limit}`,
      [lastId, table, lastId],
    );
    for (const [id] of rows) found.push({ type: 'record', revision, table, id, action: 'created' });
    if (found.length === RECORDS_PER_BATCH) break;
  }
  return found;
}

async function originalSeries(
  query: SnapshotReader,
  revision: FeedRevision,
  lastUuid: string,
): Promise<SeriesChangeRow[]> {
  const columns = 'id, uuid, market_id, status';
  const where = `WHERE since = 0 AND uuid > ? ORDER BY uuid LIMIT ${SERIES_PER_BATCH}`;
  const rows = await query<[id: number, uuid: string, marketId: number, status: number]>(
    `${selectFirstStates(columns, where)} ORDER BY uuid LIMIT ${SERIES_PER_BATCH}`,
    [lastUuid, lastUuid],
  );
  const counts = await countOriginalPoints(
    { arrays: query },
    rows.map(([id]) => id),
  );
  return rows.map(([id, uuid, marketId, status]) => {
    const [added, firstDay, lastDay] = counts.get(id) ?? [0, null, null];
    return {
      type: 'series',
      revision,
      id,
      uuid,
      marketId,
      status,
      action: 'created',
      added,
      changed: 0,
      removed: 0,
      firstDay,
      lastDay,
    };
  });
}
