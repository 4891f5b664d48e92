import { rowPlaceholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { PointKey } from './point-id.js';

/** Rows of one statement. */
const BATCH = 500;

/** Day numbers of the first and the last of some points. */
export interface DayBounds {
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
