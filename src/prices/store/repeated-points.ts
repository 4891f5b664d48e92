import type { Reads } from '../../database/reads.js';
import { selectByIds } from '../../database/select-by-ids.js';
import { rowPlaceholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { SERIES_CHANGES } from '../../ledger/changes/stored-changes.js';
import { REVISIONS } from '../../ledger/revision/stored-revisions.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { PointKey } from './point-id.js';

/** Rows of one statement. */
const BATCH = 500;

/** Day numbers of the first and the last of some points. */
interface DayBounds {
  firstDay: number;
  lastDay: number;
}

/** An earlier transaction of the import may have noted more days since the same first one. */
const widening = ({ embedded }: Transaction) =>
  embedded
    ? 'ON CONFLICT DO UPDATE SET last_day = MAX(last_day, excluded.last_day)'
    : 'ON DUPLICATE KEY UPDATE last_day = GREATEST(last_day, VALUES(last_day))';

/** The points that a transaction of an import found stored as its input has them. */
export class RepeatedPoints {
  private readonly days = new Map<number, DayBounds>();

  add({ serieId, day }: PointKey): void {
    const range = this.days.get(serieId);
    if (range === undefined) this.days.set(serieId, { firstDay: day, lastDay: day });
    else if (day < range.firstDay) range.firstDay = day;
    else if (day > range.lastDay) range.lastDay = day;
  }

  /** Stores them, for the change set of the transaction; nothing outside of change sets. */
  async save(transaction: Transaction): Promise<void> {
    if (this.days.size === 0) return;
    const changeSetId = await transaction.changeSetId();
    if (changeSetId === null) return;
    const rows = [...this.days].map(([id, { firstDay, lastDay }]) => [id, changeSetId, firstDay, lastDay]);
    for (const batch of batchesOf(rows, BATCH)) {
      await transaction.execute(
        'INSERT INTO repeated_points (serie_id, change_set_id, first_day, last_day)' +
          ` VALUES ${rowPlaceholders(batch.length, 4)} ${widening(transaction)}`,
        batch.flat(),
      );
    }
  }
}

/** That an import has found points of a series stored as its input has them. */
interface RepeatRow {
  readonly serie_id: number;
  readonly change_set_id: number;
  readonly first_day: number;
  readonly last_day: number;
}

/** What imports after a change set have repeated of some series. */
export const repeatsAfter = (
  reads: Pick<Reads, 'rows'>,
  changeSetId: number,
  serieIds: readonly number[],
): Promise<RepeatRow[]> =>
  selectByIds(
    reads,
    'SELECT serie_id, change_set_id, first_day, last_day FROM repeated_points' +
      ' WHERE change_set_id > ? AND serie_id IN ({ids})',
    serieIds,
    [changeSetId],
  );

/**
 * The change sets that have written points of a series since a revision, or have repeated some.
 * @param after which change set those that repeated points count
 */
export async function writersOf(
  reads: Pick<Reads, 'rows'>,
  serieId: number,
  since: number,
  after: number,
): Promise<number[]> {
  const rows = await reads.rows<{ id: number }>(
    `SELECT r.change_set_id AS id FROM ${REVISIONS} ${SERIES_CHANGES}` +
      ' WHERE x.serie_id = ? AND x.revision >= ? AND x.added + x.changed > 0' +
      ' UNION SELECT change_set_id FROM repeated_points WHERE serie_id = ? AND change_set_id > ?',
    [serieId, since, serieId, after],
  );
  return rows.map(({ id }) => id);
}
