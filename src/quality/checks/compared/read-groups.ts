import type { Transaction } from '../../../database/unit-of-work.js';
import type { MonthlyPoints } from '../../rules/neighbours.js';
import { readMonthlyPoints } from '../monthly-points.js';
import { readSeriesFacts, type SeriesFacts } from '../series-facts.js';
import type { Group } from './series-groups.js';

/** A series of a group, with its points. */
export type GroupedSeries = SeriesFacts & { readonly points: MonthlyPoints; readonly digest: string };

/**
 * The series of some groups by the name of the group, each group in the order of uuids, so that the
 * order of imports does not matter. Of a segment only the series that equal others.
 */
export async function readGroups(
  transaction: Transaction,
  group: Group,
  names: readonly string[],
): Promise<Map<string, GroupedSeries[]>> {
  const rows = await transaction.rows<{ id: number; name: string; digest: string | null }>(
    `SELECT g.serie_id AS id, g.${group} AS name, d.digest FROM series_group g` +
      ' LEFT JOIN series_digest d ON d.serie_id = g.serie_id' +
      ` WHERE g.${group} IN (${names.map(() => '?').join(',')})`,
    names,
  );
  const members = new Map(
    (group === 'segment' ? rowsThatEqual(rows) : rows).map((row) => [row.id, row] as const),
  );
  const facts = await readSeriesFacts(transaction, 's.id', members.keys());
  const points = await readMonthlyPoints(
    transaction,
    facts.map(({ id }) => id),
  );
  const groups = new Map<string, GroupedSeries[]>();
  facts.sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
  for (const series of facts) {
    const { name, digest } = members.get(series.id)!;
    const grouped = { ...series, points: points.get(series.id)!, digest: digest ?? '' };
    const list = groups.get(name);
    if (list === undefined) groups.set(name, [grouped]);
    else list.push(grouped);
  }
  return groups;
}

/** The rows whose digest another row of the same group has too. */
function rowsThatEqual<R extends { name: string; digest: string | null }>(rows: readonly R[]): R[] {
  const counts = new Map<string, number>();
  const keyOf = ({ name, digest }: R) => `${name} ${digest}`;
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return rows.filter((row) => row.digest !== null && row.digest !== '' && counts.get(keyOf(row))! > 1);
}
