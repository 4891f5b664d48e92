import { hash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Series of one statement. */
const BATCH = 500;
/** Points of a series from which on it is compared with others. */
const COMPARED = 12;
/** The first values of a series that a digest contains. */
const VALUES = 6;

interface Row {
  serie_id: number;
  day: number;
  value: number;
  points: number | string;
  last: number;
}

/**
 * A digest of a series is no longer one of all its points, but of those that are seldom changed:
 * most changes of a price leave it as it is. Series that are joined with others get theirs by the
 * next change of them, or by `npm run findings`.
 */
export class OutlineDigests1764000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // An earlier release would write digests of all points, which equal none of these.
    await runner.query('UPDATE data_revision SET oldest_writer = 1764000000034');
    await runner.query(
      'DELETE FROM series_digest WHERE serie_id IN (SELECT from_id FROM series_join WHERE until IS NULL)' +
        ' OR serie_id IN (SELECT into_id FROM series_join WHERE until IS NULL)',
    );
    const rows = (await runner.query('SELECT serie_id FROM series_digest ORDER BY serie_id')) as Row[];
    const ids = rows.map(({ serie_id }) => serie_id);
    for (let from = 0; from < ids.length; from += BATCH)
      await replaceDigests(runner, ids.slice(from, from + BATCH));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM series_digest');
  }
}

async function replaceDigests(runner: QueryRunner, ids: readonly number[]): Promise<void> {
  const rows = (await runner.query(
    'SELECT serie_id, day, value, points, last FROM (SELECT serie_id, day, value,' +
      ' ROW_NUMBER() OVER (PARTITION BY serie_id ORDER BY day) AS place,' +
      ' COUNT(*) OVER (PARTITION BY serie_id) AS points, MAX(day) OVER (PARTITION BY serie_id) AS last' +
      ` FROM observation WHERE serie_id IN (${ids.join(',')}) AND period = 3 AND calculated = 0) p` +
      ` WHERE place <= ${VALUES} ORDER BY serie_id, day`,
  )) as Row[];
  const outlines = new Map<number, number[]>();
  for (const { serie_id, day, value, points, last } of rows) {
    const outline = outlines.get(serie_id);
    if (outline === undefined) outlines.set(serie_id, [Number(points), day, last, value]);
    else outline.push(value);
  }
  const digests = ids.map((id) => `(${id},'${digestOf(outlines.get(id) ?? [0])}')`);
  await runner.query(`REPLACE INTO series_digest (serie_id, digest) VALUES ${digests.join(',')}`);
}

/** @param outline the number of points, the first and the last day, and values */
function digestOf(outline: readonly number[]): string {
  if (outline[0]! < COMPARED) return '';
  return hash('sha256', new Uint8Array(Float64Array.from(outline).buffer), 'hex').slice(0, 32);
}
