import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { SeriesEntry } from '../../price-series/price-serie.view.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { PointChange } from './point-changes.js';
import { recordTables } from './record-tables.js';
import { JoinedInto, type SeriesRelations } from './series-relations.js';
import { SeriesAttributes } from './series-values.js';
import type { RecordChangeRow, SeriesChangeRow } from './stored-change.js';
import { CHANGE_SET_KINDS } from '../../ledger/changes/change-set.js';
import {
  ApiSchema,
  ArrayOf,
  Constant,
  Nested,
  Optional,
  OrNull,
  WithSchema,
  schemaOf,
} from '../../platform/validation/field.js';
import {
  CalendarDate,
  Flag,
  Id,
  Instant,
  Iso3,
  OneOf,
  Text,
  Uuid,
  WideCount,
} from '../../platform/validation/fields.js';

/** What every item has of its revision. */
class ItemRevision {
  @WideCount() revision!: number;
  @Instant() at!: string;
  @Id() change_set_id!: number;
  @OneOf<string>(CHANGE_SET_KINDS) kind!: string;
}

const ACTIONS = ['created', 'changed', 'removed'] as const;
type Action = (typeof ACTIONS)[number];

/** What a revision has changed of a record. */
@ApiSchema({ name: 'RecordChange' })
export class RecordItem extends ItemRevision {
  @Constant('record') type!: 'record';
  /** As in addresses: `FxRate`. */
  @Text() table!: string;
  @Id() id!: number;
  @OneOf(ACTIONS) action!: Action;
  /** With points: as it was after this revision. */
  @Optional(
    OrNull(WithSchema<RecordValues>({ type: 'object' }), {
      description: 'As its address shows it; null if it was removed',
    }),
  )
  record?: RecordValues | null;
}

class ChangedPoints {
  @WideCount() added!: number;
  @WideCount() changed!: number;
  @WideCount() removed!: number;
}

/** What a revision has changed of a series and its points. */
@ApiSchema({ name: 'SeriesChange' })
export class SeriesItem extends ItemRevision implements SeriesRelations {
  @Constant('series') type!: 'series';
  @Uuid() uuid!: string;
  @Iso3() iso3_country_code!: string;
  @OneOf(ACTIONS) action!: Action;
  @Nested(ChangedPoints) points!: ChangedPoints;
  @OrNull(CalendarDate()) first_date!: string | null;
  @OrNull(CalendarDate()) last_date!: string | null;
  /** With points, where this revision has created or changed the series itself. */
  @Optional(Nested(SeriesAttributes)) attributes?: SeriesAttributes;
  @Optional(
    OrNull(Nested(JoinedInto), {
      description: 'The series that shows its points from now on; null if that has ended',
    }),
  )
  joined_into?: JoinedInto | null;
  @Optional(ArrayOf(Uuid())) aliases?: string[];
  /** With points, of a created series: as it is now; null if it is gone. */
  @Optional(OrNull(Nested(SeriesEntry))) entry?: SeriesEntry | null;
  /** With points: those that this revision has affected. */
  @Optional(ArrayOf(Nested(PointChange))) changes?: PointChange[];
}

export type FeedItem = RecordItem | SeriesItem;

/** A page of the feed. */
@ApiSchema({ name: 'Changes' })
export class ChangePage {
  @ArrayOf(WithSchema<FeedItem>({ oneOf: [schemaOf(SeriesItem), schemaOf(RecordItem)] }))
  results!: FeedItem[];
  @Text({ description: 'Token to go on from: `since` of the next request' }) next!: string;
  @Flag({ description: 'There is more: ask again at once' }) more!: boolean;
}

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
