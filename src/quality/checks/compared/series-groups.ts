import { createHash } from 'node:crypto';
import type { Transaction } from '../../../database/unit-of-work.js';
import { readJoins } from '../../../prices/joins/joined-extents.js';
import { RULES } from '../../rules/rule-table.js';
import type { SeriesFacts } from '../series-facts.js';
import type { SeriesGroupRow } from './series-group.entity.js';

/** Values of one statement. */
const BATCH = 400;

/** The groups that series are compared in, as columns of `series_group`. */
export const GROUPS = ['peers', 'place', 'segment'] as const;
export type Group = (typeof GROUPS)[number];

/** Characters of a group's name. */
const NAME_LENGTH = 100;

/** A name made of several: the same names make the same one, others another one. */
export function groupName(...names: readonly string[]): string {
  const name = JSON.stringify(names);
  if (name.length <= NAME_LENGTH) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32);
  // A pair of surrogates must not be parted.
  const start = name.slice(0, NAME_LENGTH - hash.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${start} ${hash}`;
}

/** The names of the groups that a series is in. */
export const groupsOf = (series: SeriesFacts): Omit<SeriesGroupRow, 'serie_id'> => {
  const { country, admin_unit, admin_unit2, market, commodity, price_type, currency } = series;
  return {
    peers: groupName(country, commodity, price_type, currency),
    place: groupName(country, admin_unit, admin_unit2, market, commodity, price_type),
    segment: groupName(country, price_type, currency),
  };
};

/** A group as a part of subjects. */
export const memberText = (group: Group, name: string) => `${group} ${name}`;

/**
 * Brings the stored groups of some series up to date.
 * @param ids of series that may have changed, also of those that are gone
 * @param facts about those that are there
 * @returns the groups that may have to be checked: those that series have left, and those with
 *   enough members to be compared
 */
export async function updateGroups(
  transaction: Transaction,
  ids: ReadonlySet<number>,
  facts: readonly SeriesFacts[],
): Promise<Set<string>> {
  const joins = facts.length === 0 ? null : await readJoins(transaction);
  const listed = facts.filter(({ id }) => !joins!.isJoined(id));
  const now = new Map(listed.map((series) => [series.id, groupsOf(series)]));
  const names = new Set<string>();
  const all = [...ids];
  for (let from = 0; from < all.length; from += BATCH) {
    const batch = all.slice(from, from + BATCH);
    let stored = await storedGroups(transaction, batch);
    const left: number[] = [];
    for (const row of stored.values()) {
      const other = now.get(row.serie_id);
      if (GROUPS.every((group) => other?.[group] === row[group])) continue;
      left.push(row.serie_id);
      for (const group of GROUPS) names.add(memberText(group, row[group]));
    }
    const joined = batch.filter((id) => now.has(id) && (!stored.has(id) || left.includes(id)));
    await deleteGroups(transaction, left);
    await insertGroups(transaction, joined, now);
    if (joined.length > 0) stored = await storedGroups(transaction, batch);
    for (const row of stored.values()) {
      if (!now.has(row.serie_id)) continue;
      if (row.peer_count >= RULES.off_peers.thresholds.series) names.add(memberText('peers', row.peers));
      if (row.place_count > 1) names.add(memberText('place', row.place));
      if (row.equal_count > 0) names.add(memberText('segment', row.segment));
    }
  }
  return names;
}

/** A row of `series_group`, with what its groups hold. */
interface CountedRow extends SeriesGroupRow {
  peer_count: number;
  place_count: number;
  /** Other series with the same points. */
  equal_count: number;
}

const SELECT_GROUPS =
  'SELECT g.serie_id, g.peers, g.place, g.segment,' +
  ' (SELECT COUNT(*) FROM series_group p WHERE p.peers = g.peers) AS peer_count,' +
  ' (SELECT COUNT(*) FROM series_group p WHERE p.place = g.place) AS place_count,' +
  ' (SELECT COUNT(*) FROM series_digest d JOIN series_digest o ON o.digest = d.digest' +
  " WHERE d.serie_id = g.serie_id AND d.digest <> '' AND o.serie_id <> d.serie_id) AS equal_count" +
  ' FROM series_group g';

async function storedGroups(
  transaction: Transaction,
  ids: readonly number[],
): Promise<Map<number, CountedRow>> {
  const rows = await transaction.rows<CountedRow>(
    `${SELECT_GROUPS} WHERE g.serie_id IN (${ids.map(() => '?').join(',')})`,
    ids,
  );
  return new Map(rows.map((row) => [row.serie_id, row]));
}

async function deleteGroups(transaction: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.execute(
    `DELETE FROM series_group WHERE serie_id IN (${ids.map(() => '?').join(',')})`,
    ids,
  );
}

async function insertGroups(
  transaction: Transaction,
  ids: readonly number[],
  groups: ReadonlyMap<number, Omit<SeriesGroupRow, 'serie_id'>>,
): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map((id) => [id, ...GROUPS.map((group) => groups.get(id)![group])]);
  await transaction.execute(
    `INSERT INTO series_group (serie_id, ${GROUPS.join(', ')}) VALUES ${rows.map(() => '(?,?,?,?)').join(',')}`,
    rows.flat(),
  );
}
