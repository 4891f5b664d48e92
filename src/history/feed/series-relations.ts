import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { SnapshotReader } from '../../database/reads.js';
import {
  JOIN_COLUMNS,
  PLACED_JOINS,
  type Preference,
  PREFERENCES,
} from '../../price-series/joins/series-joins.js';
import { aliasesOfSeries } from '../../price-series/series-aliases.js';
import { sinceOf, type SeriesChangeRow } from './stored-change.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Count, Decimal, Id, OneOf } from '../../platform/validation/fields.js';

/** How the points of a series are shown by another one. */
export class JoinedInto {
  /** The id of the other series. */
  @Id() id!: number;
  /** Price × factor = price of the other series. */
  @Decimal(QUANTITY) factor!: number;
  @OneOf(PREFERENCES) prefer!: Preference;
  @OrNull(CalendarDate()) start_date!: string | null;
  @OrNull(CalendarDate()) end_date!: string | null;
  @Count({
    description: 'Of two points of a day, the order of the joins decides which one is shown',
  })
  place!: number;
}

/** What a series has to do with others, as an item with points shows it. */
export interface SeriesRelations {
  /** Where a revision has joined the series into another one; null where it has ended that. */
  joined_into?: JoinedInto | null;
  /** Other uuids that lead to the series now. */
  aliases?: string[];
}

/** Ids in one statement. */
const BATCH = 500;

type JoinRow = [
  since: number,
  until: number | null,
  place: number,
  fromId: number,
  intoId: number,
  factor: number,
  prefer: Preference,
  startDay: number | null,
  endDay: number | null,
];

/** The relations of the series that changes are about, by the changes. */
export async function readRelations(
  query: SnapshotReader,
  changes: readonly SeriesChangeRow[],
): Promise<Map<SeriesChangeRow, SeriesRelations>> {
  const found = new Map<SeriesChangeRow, SeriesRelations>();
  const slice = new TimeSlice();
  for (const batch of batchesOf(changes, BATCH)) {
    const ids = [...new Set(batch.map(({ id }) => id))];
    const list = placeholders(ids.length);
    const joins = await query<JoinRow>(
      `SELECT since, until, place, ${JOIN_COLUMNS} FROM ${PLACED_JOINS} WHERE from_id IN (${list}) ORDER BY id`,
      ids,
    );
    const aliases = await aliasesOfSeries({ arrays: query }, ids);
    for (const change of batch) {
      const uuids = aliases.filter(([id]) => id === change.id).map(([, uuid]) => uuid);
      const join = joinOf(change, joins);
      found.set(change, {
        ...(join === undefined ? {} : { joined_into: join }),
        ...(uuids.length === 0 ? {} : { aliases: uuids }),
      });
    }
    await slice.yield();
  }
  return found;
}

/** What a change has done to the join of its series; undefined for nothing. */
function joinOf(change: SeriesChangeRow, joins: readonly JoinRow[]): JoinedInto | null | undefined {
  const own = joins.filter(([, , , fromId]) => fromId === change.id);
  const made = own.find(([since]) => since === sinceOf(change.revision));
  if (made === undefined) return own.some(([, until]) => until === change.revision.number) ? null : undefined;
  const [, , place, , id, factor, prefer, startDay, endDay] = made;
  const date = (day: number | null) => (day === null ? null : isoFromDay(day));
  return { id, factor, prefer, start_date: date(startDay), end_date: date(endDay), place: Number(place) };
}
