import {
  concernedPoints,
  concernedRecords,
  type StoredPointCorrection,
  type StoredCorrection,
} from '../../ledger/corrections/concerned-corrections.js';
import { grouped } from '../../lib/collections/grouped.js';
import type { PointKey } from '../../prices/store/point-id.js';
import type { StoredPoint } from '../../prices/store/point-merging.js';
import { pointStates } from './point-changes.js';
import { type Reader } from './reading.js';
import type { RecordTable } from './record-histories.js';
import { recordStates } from './record-states.js';
import type { RevertOperation } from './revert-operation.js';
import type { State } from '../../ledger/states.js';

/** The point that a correction is of. */
export const pointOf = ({ serie_id: serieId, period, day }: StoredPointCorrection): PointKey => ({
  serieId,
  period,
  day,
});

/** The corrections of a point, rate or index, oldest first, and the values that it has had. */
export interface CorrectedHistory {
  readonly corrections: readonly StoredCorrection[];
  /** Rates and indices as points without comments. */
  readonly states: readonly State<StoredPoint>[];
}

/**
 * What a change set, or one that it has reverted, concerns of corrections: those that it has
 * created or ended, and those of what it has affected.
 */
export async function correctedHistories(
  reader: Reader,
  { concernedChangeSets: ids }: RevertOperation,
  tables: ReadonlyMap<string, RecordTable>,
): Promise<CorrectedHistory[]> {
  const histories: CorrectedHistory[] = [];
  const points = await concernedPoints(reader, ids);
  for (const corrections of grouped(points, pointName).values()) {
    const states = await pointStates(reader, pointOf(corrections[0]!));
    histories.push({ corrections, states });
  }
  const records = await concernedRecords(reader, ids);
  for (const [name, ofTable] of grouped(records, ({ table_name }) => table_name)) {
    const byKey = grouped(ofTable, ({ record_key: key }) => key);
    const corrected = ofTable.map(({ record_id: id }) => id);
    const states = await recordStates(reader, ids, tables.get(name)!, [...byKey.keys()], corrected);
    for (const [key, corrections] of byKey) histories.push({ corrections, states: states.get(key)! });
  }
  return histories;
}

const pointName = ({ serie_id: id, period, day }: StoredPointCorrection) => `${id} ${period} ${day}`;
