import { placeholders } from '../../../database/sql.js';
import type { Transaction } from '../../../ledger/unit-of-work.js';
import { seriesWith } from '../../../price-series/series-views.js';
import { outlineDigestOf } from '../../rules/identical-series.js';
import type { MonthlyPoints } from '../../rules/neighbours.js';
import type { CheckedSeriesReader } from '../checked-series-reader.js';
import { saveDigests } from './digests.js';
import { readSeriesFacts, type SeriesFacts } from '../series-facts.js';
import type { Group } from './series-groups.js';

/** A series of a group, with its points. */
export type GroupedSeries = SeriesFacts & { readonly points: MonthlyPoints };

/** A series as it is compared with its peers: many are, and few are found. */
interface PeerRow {
  readonly id: number;
  readonly uuid: string;
  readonly factor: number | null;
  readonly points: MonthlyPoints;
}

/** The series of some groups of peers, by the name of the group and in the order of uuids. */
export async function readPeers(
  transaction: Transaction,
  names: readonly string[],
  reader: CheckedSeriesReader,
): Promise<Map<string, PeerRow[]>> {
  const rows = await transaction.rows<{ id: number; uuid: string; name: string; factor: number | null }>(
    'SELECT s.id, s.uuid, g.peers AS name, u.conversion_factor AS factor' +
      ` FROM ${seriesWith('measure_unit')} JOIN series_group g ON g.serie_id = s.id` +
      ` WHERE g.peers IN (${placeholders(names.length)})`,
    names,
  );
  const measured = rows.filter(({ factor }) => factor !== null);
  const points = await reader.monthly(measured.map(({ id }) => id));
  const peers = measured.map((row) => ({ ...row, points: points.get(row.id)! }));
  return byName(peers, ({ name }) => name);
}

/**
 * The series of some groups by the name of the group, each group in the order of uuids, so that the
 * order of imports does not matter. Of a segment only the series that may equal others.
 */
export async function readGroups(
  transaction: Transaction,
  group: Exclude<Group, 'peers'>,
  names: readonly string[],
  reader: CheckedSeriesReader,
): Promise<Map<string, GroupedSeries[]>> {
  const rows = await transaction.rows<{ id: number; name: string; digest: string | null }>(
    `SELECT g.serie_id AS id, g.${group} AS name, d.digest FROM series_group g` +
      ' LEFT JOIN series_digest d ON d.serie_id = g.serie_id' +
      ` WHERE g.${group} IN (${placeholders(names.length)})`,
    names,
  );
  if (group === 'segment') await addDigests(transaction, rows, reader);
  const members = new Map(
    (group === 'segment' ? rowsThatMayEqual(rows) : rows).map((row) => [row.id, row] as const),
  );
  const facts = await readSeriesFacts(transaction, 's.id', members.keys());
  const points = await reader.monthly(facts.map(({ id }) => id));
  const grouped = facts.map((series) => ({
    ...series,
    points: points.get(series.id)!,
  }));
  return byName(grouped, ({ id }) => members.get(id)!.name);
}

/** Makes the digests of series that have none: a migration has removed those of joined series. */
async function addDigests(
  transaction: Transaction,
  rows: readonly { id: number; digest: string | null }[],
  reader: CheckedSeriesReader,
): Promise<void> {
  const bare = rows.filter(({ digest }) => digest === null);
  const points = await reader.monthly(bare.map(({ id }) => id));
  for (const row of bare) row.digest = outlineDigestOf(points.get(row.id)!);
  await saveDigests(transaction, new Map(bare.map(({ id, digest }) => [id, digest!])));
}

function byName<S extends { uuid: string }>(
  series: readonly S[],
  nameOf: (one: S) => string,
): Map<string, S[]> {
  const groups = new Map<string, S[]>();
  for (const one of series.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))) {
    const list = groups.get(nameOf(one));
    if (list === undefined) groups.set(nameOf(one), [one]);
    else list.push(one);
  }
  return groups;
}

/** The rows whose digest another row of the same group has too. */
function rowsThatMayEqual<R extends { name: string; digest: string | null }>(rows: readonly R[]): R[] {
  const counts = new Map<string, number>();
  const keyOf = ({ name, digest }: R) => `${name} ${digest}`;
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return rows.filter((row) => row.digest !== null && row.digest !== '' && counts.get(keyOf(row))! > 1);
}
