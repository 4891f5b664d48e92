import { NotFound } from '../../platform/errors/api-error.js';
import { aliasStatements } from '../../reference/base/alias-key.js';
import type { ChangeSetKind } from '../../ledger/changes/change-set.js';
import { recordsTouchedBy, seriesTouchedBy } from '../../ledger/changes/stored-changes.js';
import { correctedDays } from '../../ledger/corrections/correction-store.js';
import type { TouchedSeries } from './point-changes.js';
import { aliasesOfMerges, mergesOf, seriesOfMerges } from './merges.js';
import { type Reader } from './reading.js';
import { NotRevertible } from './revert-errors.js';
import { readChangeSet, type StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import { type RevertScope } from './revert-scope.js';
import type { RecordKey } from './series-references.js';

/** What a change set has touched. */
export interface Touched {
  readonly series: readonly TouchedSeries[];
  readonly records: readonly RecordKey[];
  /** Points and records. */
  readonly size: number;
}

const REVERTIBLE: readonly ChangeSetKind[] = ['import', 'correction', 'merge', 'revert'];

/**
 * The change set to be reverted.
 * @throws NotFound, NotRevertible
 */
export async function requireRevertible(reader: Reader, id: number): Promise<StoredChangeSet> {
  const changeSet = await readChangeSet(reader, id);
  if (changeSet === null) throw new NotFound('There is no such change set.');
  if (!REVERTIBLE.includes(changeSet.kind)) {
    const kinds = REVERTIBLE.join(', ');
    throw new NotRevertible(
      `Change sets of these kinds can be reverted: ${kinds}. This one is ${changeSet.kind}.`,
    );
  }
  return changeSet;
}

/**
 * Reads what the change sets of a revert have touched: series in the order of their ids, then those
 * that imports have made under their merges, then records and their aliases.
 */
export async function readTouched(reader: Reader, scope: RevertScope): Promise<Touched> {
  const { concernedIds: ids } = scope;
  const merges = mergesOf(scope.merges, ids);
  // A revert has changed the points of its target: they are counted once.
  const touched = await seriesTouchedBy(reader, ids);
  const records: RecordKey[] = await recordsTouchedBy(reader, ids);
  const aliases = new Set(records.filter(({ table }) => table === aliasStatements.name).map(({ id }) => id));
  for (const id of await aliasesOfMerges(reader, merges))
    if (!aliases.has(id)) records.push({ table: aliasStatements.name, id });
  for (const { id, firstDay, lastDay } of await correctedDays(reader, ids)) {
    const one = touched.find((each) => each.id === id);
    if (one === undefined) touched.push({ id, firstDay, lastDay, points: 0 });
    else {
      one.firstDay = Math.min(one.firstDay ?? firstDay, firstDay);
      one.lastDay = Math.max(one.lastDay ?? lastDay, lastDay);
    }
  }
  const known = new Set(touched.map(({ id }) => id));
  const others = (await seriesOfMerges(reader, merges)).filter((id) => !known.has(id));
  for (const id of others) touched.push({ id, firstDay: null, lastDay: null, points: 0 });
  const points = touched.reduce((sum, one) => sum + one.points, 0);
  return { series: touched, records, size: points + records.length };
}
