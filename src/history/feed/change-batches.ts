import type { SnapshotReader } from '../../database/reads.js';
import type { ChangeAction } from '../../ledger/changes/change-list.js';
import { CHANGED_RECORDS, CHANGED_SERIES } from '../../ledger/changes/stored-changes.js';
import { REVISIONS } from '../../ledger/revision/stored-revisions.js';
import { joinLastState } from '../../price-series/series-views.js';
import type { FeedPosition, ItemKey } from './feed-position.js';
import { originalChanges } from './original-changes.js';
import {
  positionAfter,
  type FeedRevision,
  type SeriesChangeRow,
  type StoredChange,
} from './stored-change.js';

/** Revisions whose changes are read at once, and rows that one statement reads. */
const REVISIONS_AT_ONCE = 50;
const ROWS = 1000;

/** Changes in the order of the feed, and how far they reach. */
export interface ChangeBatch {
  readonly changes: readonly StoredChange[];
  readonly end: FeedPosition;
}

/**
 * Reads the changes after a position, up to a revision, in the order of the feed: by revision, then
 * records by table and id, then series by uuid. A batch may be empty.
 */
export async function* changeBatches(
  query: SnapshotReader,
  start: FeedPosition | null,
  upTo: number,
): AsyncGenerator<ChangeBatch> {
  let position = start;
  for (;;) {
    const revisions = await readRevisions(query, position, upTo);
    const [first] = revisions;
    if (first === undefined) return;
    const after = position?.revision === first.number ? position.after : null;
    const batch =
      first.kind === 'migration'
        ? await originalChanges(query, first, after)
        : await laterChanges(query, untilMigration(revisions), after);
    yield batch;
    position = batch.end;
  }
}

type RevisionRow = [number: number | string, at: string, mark: string, changeSetId: number, kind: string];

async function readRevisions(
  query: SnapshotReader,
  position: FeedPosition | null,
  upTo: number,
): Promise<FeedRevision[]> {
  const from = position === null ? 0 : position.revision + (position.after === null ? 1 : 0);
  const rows = await query<RevisionRow>(
    `SELECT r.number, r.\`at\`, r.mark, r.change_set_id, c.kind FROM ${REVISIONS}` +
      ` WHERE r.number >= ? AND r.number <= ? ORDER BY r.number LIMIT ${REVISIONS_AT_ONCE}`,
    [from, upTo],
  );
  return rows.map(([number, at, mark, changeSetId, kind]) => ({
    number: Number(number),
    at,
    mark,
    changeSetId,
    kind,
  }));
}

function untilMigration(revisions: readonly FeedRevision[]): readonly FeedRevision[] {
  const end = revisions.findIndex(({ kind }) => kind === 'migration');
  return end < 0 ? revisions : revisions.slice(0, end);
}

async function laterChanges(
  query: SnapshotReader,
  revisions: readonly FeedRevision[],
  after: ItemKey | null,
): Promise<ChangeBatch> {
  const records = await readRecordChanges(query, revisions, after);
  const series = await readSeriesChanges(query, revisions, after);
  const changes = merge(records, series);
  const last = revisions.at(-1)!;
  if (records.length <= ROWS && series.length <= ROWS)
    return { changes, end: { revision: last.number, mark: last.mark, after: null } };
  // One of the lists goes on: what comes after its end in the other must wait.
  const complete = changes.slice(0, ROWS);
  return { changes: complete, end: positionAfter(complete.at(-1)!) };
}

/** Two lists, each in order; of one revision the records come first. */
function merge(records: readonly StoredChange[], series: readonly StoredChange[]): StoredChange[] {
  const merged: StoredChange[] = [];
  let next = 0;
  for (const change of series) {
    while (next < records.length && records[next]!.revision.number <= change.revision.number)
      merged.push(records[next++]!);
    merged.push(change);
  }
  return [...merged, ...records.slice(next)];
}

type RecordRow = [revision: number | string, table: string, id: number, action: ChangeAction];

async function readRecordChanges(
  query: SnapshotReader,
  revisions: readonly FeedRevision[],
  after: ItemKey | null,
): Promise<StoredChange[]> {
  const { first, numbers, byNumber } = range(revisions);
  const [rest, values] =
    after === null
      ? ['1 = 1', []]
      : after.type === 'series'
        ? ['revision > ?', [first]]
        : [
            '(revision > ? OR table_name > ? OR (table_name = ? AND record_id > ?))',
            [first, after.table, after.table, after.id],
          ];
  const rows = await query<RecordRow>(
    'SELECT revision, table_name, record_id, action' +
      ` FROM ${CHANGED_RECORDS} WHERE revision >= ? AND revision <= ? AND ${rest}` +
      ` ORDER BY revision, table_name, record_id LIMIT ${ROWS + 1}`,
    [...numbers, ...values],
  );
  return rows.map(([revision, table, id, action]) => ({
    type: 'record',
    revision: byNumber.get(Number(revision))!,
    table,
    id,
    action,
  }));
}

type SeriesRow = [
  revision: number | string,
  id: number,
  action: ChangeAction,
  added: number,
  changed: number,
  removed: number,
  firstDay: number | null,
  lastDay: number | null,
  uuid: string,
  marketId: number,
  status: number,
];

/** What a series is, or was last. One that its own transaction removed never was. */
const UUID = 'COALESCE(s.uuid, v.uuid)';

async function readSeriesChanges(
  query: SnapshotReader,
  revisions: readonly FeedRevision[],
  after: ItemKey | null,
): Promise<StoredChange[]> {
  const { first, numbers, byNumber } = range(revisions);
  const [rest, values] =
    after?.type === 'series' ? [`(x.revision > ? OR ${UUID} > ?)`, [first, after.uuid]] : ['1 = 1', []];
  const rows = await query<SeriesRow>(
    'SELECT x.revision, x.serie_id, x.action, x.added, x.changed, x.removed, x.first_day, x.last_day,' +
      ` ${UUID} AS uuid, COALESCE(s.market_id, v.market_id), COALESCE(s.status, v.status) FROM ${CHANGED_SERIES}` +
      joinLastState('x.serie_id') +
      ` WHERE x.revision >= ? AND x.revision <= ? AND ${UUID} IS NOT NULL AND ${rest}` +
      ` ORDER BY x.revision, ${UUID} LIMIT ${ROWS + 1}`,
    [...numbers, ...values],
  );
  return rows.map((row) => ofRow(row, byNumber.get(Number(row[0]))!));
}

function ofRow(row: SeriesRow, revision: FeedRevision): SeriesChangeRow {
  const [, id, action, added, changed, removed, firstDay, lastDay, uuid, marketId, status] = row;
  return {
    type: 'series',
    revision,
    id,
    uuid,
    marketId,
    status,
    action,
    added,
    changed,
    removed,
    firstDay,
    lastDay,
  };
}

function range(revisions: readonly FeedRevision[]) {
  const first = revisions[0]!.number;
  return {
    first,
    numbers: [first, revisions.at(-1)!.number],
    byNumber: new Map(revisions.map((revision) => [revision.number, revision])),
  };
}
