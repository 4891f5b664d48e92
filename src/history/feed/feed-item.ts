import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { SeriesEntry } from '../../price-series/price-serie.view.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import type { PointChange } from './point-changes.js';
import { recordTables } from './record-tables.js';
import type { SeriesRelations } from './series-relations.js';
import type { SeriesAttributes } from './series-values.js';
import type { RecordChangeRow, SeriesChangeRow } from './stored-change.js';

/** What every item has of its revision. */
interface ItemRevision {
  revision: number;
  /** ISO 8601, UTC. */
  at: string;
  change_set_id: number;
  kind: string;
}

export interface RecordItem extends ItemRevision {
  type: 'record';
  /** As in addresses: `FxRate`. */
  table: string;
  id: number;
  action: string;
  /**
   * With points: what the record's address showed after this revision; null if it removed the
   * record.
   */
  record?: RecordValues | null;
}

export interface SeriesItem extends ItemRevision, SeriesRelations {
  type: 'series';
  uuid: string;
  iso3_country_code: string;
  action: string;
  points: { added: number; changed: number; removed: number };
  first_date: string | null;
  last_date: string | null;
  /** With points, where this revision has created or changed the series itself. */
  attributes?: SeriesAttributes;
  /** With points, of a created series: as it is now; null if it is gone. */
  entry?: SeriesEntry | null;
  /** With points: those that this revision has touched. */
  changes?: PointChange[];
}

export type FeedItem = RecordItem | SeriesItem;

const revisionOf = ({ revision }: RecordChangeRow | SeriesChangeRow): ItemRevision => ({
  revision: revision.number,
  at: revision.at,
  change_set_id: revision.changeSetId,
  kind: revision.kind,
});

export function recordItem(change: RecordChangeRow): RecordItem {
  const { table, id, action } = change;
  return {
    ...revisionOf(change),
    type: 'record',
    table: recordTables().get(table)?.name ?? table,
    id,
    action,
  };
}

export function seriesItem(change: SeriesChangeRow, country: string): SeriesItem {
  const { uuid, action, added, changed, removed, firstDay, lastDay } = change;
  return {
    ...revisionOf(change),
    type: 'series',
    uuid,
    iso3_country_code: country,
    action,
    points: { added, changed, removed },
    first_date: firstDay === null ? null : isoFromDay(firstDay),
    last_date: lastDay === null ? null : isoFromDay(lastDay),
  };
}
