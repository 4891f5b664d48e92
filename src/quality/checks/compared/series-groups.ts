import { createHash } from 'node:crypto';
import { placeholders, rowPlaceholders } from '../../../database/sql.js';
import { batchesOf } from '../../../lib/collections/batches.js';
import type { Transaction } from '../../../ledger/unit-of-work.js';
import type { SeriesJoins } from '../../../price-series/joins/series-joins.js';
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
 * @param ids of series whose groups may have changed, also of those that are gone
 * @param facts about the changed series that are there
 * @returns the groups that may have to be checked: those that series have left, and those with
 *   enough members to be compared
 */
export async function updateGroups(
  transaction: Transaction,
  ids: ReadonlySet<number>,
  facts: readonly SeriesFacts[],
  joins: SeriesJoins,
): Promise<Set<string>> {
  const listed = facts.filter(({ id }) => !joins.isJoined(id));
  const now = new Map(listed.map((series) => [series.id, groupsOf(series)]));
  const names = new Set<string>();
  const all = [...ids];
  for (const batch of batchesOf(all, BATCH)) {
    const stored = await storedGroups(transaction, batch);
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
  }
  const comparable = await comparableGroups(transaction, [...now.keys()]);
  // In the order of the series, which is the same on every engine.
  for (const groups of now.values()) {
    for (const group of GROUPS) {
      const name = memberText(group, groups[group]);
      if (comparable.has(name)) names.add(name);
    }
  }
  return names;
}

async function storedGroups(
  transaction: Transaction,
  ids: readonly number[],
): Promise<Map<number, SeriesGroupRow>> {
  const rows = await transaction.rows<SeriesGroupRow>(
    `SELECT serie_id, ${GROUPS.join(', ')} FROM series_group WHERE serie_id IN (${placeholders(ids.length)})`,
    ids,
  );
  return new Map(rows.map((row) => [row.serie_id, row]));
}

const SELECT_COMPARABLE = ['peers', 'place']
  .map(
    (group) =>
      `SELECT '${group}' AS kind, ${group} AS name FROM series_group WHERE ${group} IN` +
      ` (SELECT ${group} FROM series_group WHERE serie_id IN ({ids}))` +
      ` GROUP BY ${group} HAVING COUNT(*) >= ${group === 'place' ? 2 : RULES.off_peers.thresholds.series}`,
  )
  .concat(
    "SELECT DISTINCT 'segment', g.segment FROM series_group g JOIN series_digest d ON d.serie_id = g.serie_id" +
      " WHERE g.serie_id IN ({ids}) AND d.digest <> '' AND EXISTS" +
      ' (SELECT 1 FROM series_digest o WHERE o.digest = d.digest AND o.serie_id <> d.serie_id)',
  )
  .join(' UNION ALL ');

/** The groups of some series that have enough members to be compared, or equal ones. */
async function comparableGroups(transaction: Transaction, ids: readonly number[]): Promise<Set<string>> {
  const names = new Set<string>();
  for (const batch of batchesOf(ids, BATCH)) {
    const rows = await transaction.rows<{ kind: Group; name: string }>(
      SELECT_COMPARABLE.replaceAll('{ids}', placeholders(batch.length)),
      [...batch, ...batch, ...batch],
    );
    for (const { kind, name } of rows) names.add(memberText(kind, name));
  }
  return names;
}

async function deleteGroups(transaction: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.execute(`DELETE FROM series_group WHERE serie_id IN (${placeholders(ids.length)})`, ids);
}

async function insertGroups(
  transaction: Transaction,
  ids: readonly number[],
  groups: ReadonlyMap<number, Omit<SeriesGroupRow, 'serie_id'>>,
): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map((id) => [id, ...GROUPS.map((group) => groups.get(id)![group])]);
  await transaction.execute(
    `INSERT INTO series_group (serie_id, ${GROUPS.join(', ')}) VALUES ${rowPlaceholders(rows.length, 4)}`,
    rows.flat(),
  );
}
