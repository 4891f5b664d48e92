import { placeholders } from '../../database/sql.js';
import type { MergedAlias } from './merged-references.js';
import type { PointKey } from '../../prices/store/point-id.js';
import { selectByIds } from '../../database/select-by-ids.js';
import type { Reader } from './reading.js';
import type { StoredChangeSet } from './revert-scope.js';
import type { LaterInput } from './revert-counts.js';

interface RepeatRow {
  serie_id: number;
  change_set_id: number;
  first_day: number;
  last_day: number;
}

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
  const rows = await selectByIds<RepeatRow>(
    reader,
    'SELECT serie_id, change_set_id, first_day, last_day FROM repeated_points' +
      ' WHERE change_set_id > ? AND serie_id IN ({ids})',
    [...days.keys()],
    [target.id],
  );
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
    const rows = await reader.rows<{ id: number }>(
      'SELECT r.change_set_id AS id FROM series_change c JOIN revision r ON r.number = c.revision' +
        ' WHERE c.serie_id = ? AND c.revision >= ? AND c.added + c.changed > 0' +
        ' UNION SELECT change_set_id FROM repeated_points WHERE serie_id = ? AND change_set_id > ?',
      [serieId, since, serieId, target.id],
    );
    for (const { id } of rows) found.add(id);
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
  const rows = await reader.rows<LaterInput & { counts: string | null }>(
    'SELECT id AS change_set_id, input, format, digest, counts FROM change_set WHERE id > ?' +
      ` AND kind IN ('import', 'sample') AND reverted_by IS NULL` +
      ` AND (id IN (${placeholders(ids.size + 1)}) OR format = ?) ORDER BY id`,
    [target.id, 0, ...ids, records ? target.format : ''],
  );
  return rows
    .filter(({ change_set_id: id, counts }) => ids.has(id) || hasUnchanged(counts))
    .map(({ change_set_id, input, format, digest }) => ({ change_set_id, input, format, digest }));
}

const hasUnchanged = (counts: string | null): boolean =>
  counts !== null && (JSON.parse(counts) as { unchanged?: number }).unchanged !== 0;
