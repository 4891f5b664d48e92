import { NotFound } from '../../platform/errors/api-error.js';
import { aliasStatements } from '../../reference/base/alias-key.js';
import type { ChangeSetKind } from '../../ledger/changes/change-set.js';
import { recordsAffectedBy, seriesAffectedBy } from '../../ledger/changes/stored-changes.js';
import { correctedDays } from '../../ledger/corrections/correction-store.js';
import type { AffectedSeries } from './point-changes.js';
import { aliasesOfMerges, mergesOf, seriesOfMerges } from './merges.js';
import { type Reader } from './reading.js';
import { NotRevertible } from './revert-errors.js';
import { readChangeSet, type StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import { type RevertScope } from './revert-scope.js';
import type { RecordKey } from './series-references.js';

/** What a change set has affected. */
export interface Affected {
  readonly series: readonly AffectedSeries[];
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
 * Reads what the change sets of a revert have affected: series in the order of their ids, then
 * those that imports have created under their merges, then records and their aliases.
 */
export async function readAffected(reader: Reader, scope: RevertScope): Promise<Affected> {
  const { concernedIds: ids } = scope;
  const merges = mergesOf(scope.merges, ids);
  // A revert has changed the points of its target: they are counted once.
  const affected = await seriesAffectedBy(reader, ids);
  const records: RecordKey[] = await recordsAffectedBy(reader, ids);
  const aliases = new Set(records.filter(({ table }) => table === aliasStatements.name).map(({ id }) => id));
  for (const id of await aliasesOfMerges(reader, merges))
    if (!aliases.has(id)) records.push({ table: aliasStatements.name, id });
  for (const { id, firstDay, lastDay } of await correctedDays(reader, ids)) {
    const one = affected.find((each) => each.id === id);
    if (one === undefined) affected.push({ id, firstDay, lastDay, points: 0 });
    else {
      one.firstDay = Math.min(one.firstDay ?? firstDay, firstDay);
      one.lastDay = Math.max(one.lastDay ?? lastDay, lastDay);
    }
  }
  const known = new Set(affected.map(({ id }) => id));
  const others = (await seriesOfMerges(reader, merges)).filter((id) => !known.has(id));
  for (const id of others) affected.push({ id, firstDay: null, lastDay: null, points: 0 });
  const points = affected.reduce((sum, one) => sum + one.points, 0);
  return { series: affected, records, size: points + records.length };
}
