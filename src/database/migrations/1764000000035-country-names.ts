import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countryName } from '../../lib/codes/countries.js';
import { newMark } from '../revisions.js';

/** Markets of one statement. */
const BATCH = 250;

const ATTRIBUTES = [
  'name',
  'type',
  'code',
  'iso3_country_code',
  'country_name',
  'admin_unit',
  'admin_unit2',
  'latitude',
  'longitude',
  'info',
  'regional_average',
] as const;

type MarketRow = { id: number; version: number; since: number | string } & Record<
  (typeof ATTRIBUTES)[number],
  unknown
>;

/**
 * All markets of a country have one name of it from now on: the one that a maintainer has set last,
 * else ISO's, else that of the oldest market. The change is a revision, so that what the names were
 * is kept and mirrors follow; a mirror itself gets its names from its source.
 */
export class CountryNames1764000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (((await runner.query('SELECT id FROM mirror')) as unknown[]).length > 0) return;
    const countries = (await runner.query(
      'SELECT iso3_country_code AS code FROM market GROUP BY iso3_country_code' +
        ' HAVING COUNT(DISTINCT country_name) > 1 ORDER BY iso3_country_code',
    )) as { code: string }[];
    if (countries.length === 0) return;
    const [row] = (await runner.query('SELECT revision, `at` FROM data_revision')) as [
      { revision: number | string; at: string },
    ];
    const revision = Number(row.revision) + 1;
    for (const { code } of countries) await rename(runner, code, revision);
    const now = new Date().toISOString();
    const at = now > row.at ? now : row.at;
    // Of the kind of other writes: the feed takes `migration` for what was there before it.
    await runner.query(
      'INSERT INTO change_set (kind, state, started_at, ended_at, reason)' +
        ` VALUES ('record', 'done', '${at}', '${at}', 'One name for each country')`,
    );
    await runner.query(
      'INSERT INTO revision (number, `at`, change_set_id, mark)' +
        ` SELECT ${revision}, '${at}', MAX(id), '${newMark()}' FROM change_set`,
    );
    await runner.query(
      `UPDATE data_revision SET revision = ${revision}, reference_revision = ${revision}, \`at\` = '${at}'`,
    );
  }

  /** The names of before stay versions. */
  async down(): Promise<void> {}
}

/** Gives the markets of a country the one name. */
async function rename(runner: QueryRunner, code: string, revision: number): Promise<void> {
  const markets = (await runner.query(
    `SELECT id, version, since, ${ATTRIBUTES.join(', ')} FROM market WHERE iso3_country_code = ? ORDER BY id`,
    [code],
  )) as MarketRow[];
  const oldest = markets.find(({ country_name }) => country_name !== '')!.country_name as string;
  const name = (await nameSetLast(runner, code)) ?? (countryName(code) || oldest);
  const others = markets.filter(({ country_name }) => country_name !== name);
  for (let from = 0; from < others.length; from += BATCH) {
    const some = others.slice(from, from + BATCH);
    const ids = some.map(({ id }) => id).join(', ');
    await runner.query(
      'INSERT INTO record_version (table_name, record_id, since, until, version, attributes) VALUES ' +
        some.map(() => "('market', ?, ?, ?, ?, ?)").join(', '),
      some.flatMap(({ id, since, version, ...values }) => {
        const attributes = { ...values, regional_average: Boolean(values.regional_average) };
        return [id, Number(since), revision, version, JSON.stringify(attributes)];
      }),
    );
    await runner.query(
      `UPDATE market SET country_name = ?, version = version + 1, since = ? WHERE id IN (${ids})`,
      [name, revision],
    );
    await runner.query(
      'INSERT INTO record_change (revision, table_name, record_id, action)' +
        ` SELECT ${revision}, 'market', id, 'changed' FROM market WHERE id IN (${ids})`,
    );
  }
}

/** The name that a maintainer has set last for a market of the country, or null. */
async function nameSetLast(runner: QueryRunner, code: string): Promise<string | null> {
  const entries = (await runner.query(
    'SELECT a.action, a.`after` AS after_text FROM audit_log a JOIN market m ON m.id = a.record_id' +
      " WHERE a.table_name = 'market' AND m.iso3_country_code = ? AND a.`after` LIKE '%country_name%'" +
      ' ORDER BY a.id DESC',
    [code],
  )) as { action: string; after_text: string }[];
  for (const { action, after_text } of entries) {
    const { country_name: name } = JSON.parse(after_text) as { country_name?: unknown };
    if (typeof name !== 'string' || name === '') continue;
    // Of a new market ISO's may be the default.
    if (action === 'update' || name !== countryName(code)) return name;
  }
  return null;
}
