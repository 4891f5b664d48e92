import type { MergedAlias } from './merged-references.js';
import { repeatsAfter, writersOf } from '../../prices/store/repeated-points.js';
import type { PointKey } from '../../prices/store/point-id.js';
import type { Reader } from './reading.js';
import { importsAfter, type StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import type { LaterInput } from './revert-counts.js';

/** The change sets of later imports that repeated some of the points, by their days. */
export async function laterRepeats(
  reader: Reader,
  target: StoredChangeSet,
  points: readonly PointKey[],
): Promise<Set<number>> {
  const days = new Map<number, number[]>();
  for (const { serieId, day } of points) {
    const known = days.get(serieId);
    if (known === undefined) days.set(serieId, [day]);
    else known.push(day);
  }
  const rows = await repeatsAfter(reader, target.id, [...days.keys()]);
  const repeats = rows.filter(({ serie_id: id, first_day: first, last_day: last }) =>
    days.get(id)!.some((day) => day >= first && day <= last),
  );
  return new Set(repeats.map(({ change_set_id: id }) => id));
}

/**
 * The imports that may have written prices of a record that was merged into series of the other
 * one, where a uuid led because of the merge: all that wrote these series from then on.
 */
export async function laterWrites(
  reader: Reader,
  target: StoredChangeSet,
  aliases: readonly MergedAlias[],
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const { serieId, since } of aliases) {
    for (const id of await writersOf(reader, serieId, since, target.id)) found.add(id);
  }
  return found;
}

/**
 * The later imports that repeated what is reverted, oldest first.
 * @param ids those that repeated points
 * @param records whether rates or indices were reverted, too, or stand corrected anew: then the
 * later imports of the same format that found some of their rows stored are among them
 */
export async function laterInputs(
  reader: Reader,
  target: StoredChangeSet,
  ids: ReadonlySet<number>,
  records: boolean,
): Promise<LaterInput[]> {
  const rows = await importsAfter(reader, target.id, ids, records ? target.format : '');
  return rows
    .filter(({ change_set_id: id, counts }) => ids.has(id) || hasUnchanged(counts))
    .map(({ change_set_id, input, format, digest }) => ({ change_set_id, input, format, digest }));
}

const hasUnchanged = (counts: string | null): boolean =>
  counts !== null && (JSON.parse(counts) as { unchanged?: number }).unchanged !== 0;
