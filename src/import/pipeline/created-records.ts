import type { Transaction } from '../../ledger/unit-of-work.js';
import { nearPairs } from '../../quality/rules/near-names.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { seriesTables, SERIES_TABLES, type SeriesTable } from './series-records.js';
import { ArrayOf } from '../../platform/validation/field.js';
import { Text } from '../../platform/validation/fields.js';

/** Records listed in a report; all of them are counted. */
const MAX_LISTED = 100;

/** A record that an import has created for a series. */
export class CreatedRecord {
  /** The path segment of the table. */
  @Text() readonly table!: string;
  @Text() readonly name!: string;
  @ArrayOf(Text(), {
    description: 'Names of other records of the table, of markets in the country, that may mean the same',
  })
  readonly near!: readonly string[];
}

interface Named {
  readonly name: string;
  readonly key: string;
}

/**
 * Names the records that an import creates, and those near them: first those that have some.
 * @param created the unique keys by table; in a dry run they may be rolled back already
 */
export async function nameCreatedRecords(
  transaction: Transaction,
  created: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<CreatedRecord[]> {
  const records: CreatedRecord[] = [];
  for (const table of SERIES_TABLES) {
    const keys = created.get(table);
    if (keys === undefined || keys.size === 0) continue;
    for (const group of await namesByGroup(transaction, table, keys)) {
      const near = new Map<string, Set<string>>();
      const add = (one: Named, other: Named) => {
        if (keys.has(one.key)) near.set(one.key, (near.get(one.key) ?? new Set()).add(other.name));
      };
      for (const [one, other] of nearPairs(group)) {
        add(one, other);
        add(other, one);
      }
      for (const { key, name } of group) {
        if (keys.has(key)) records.push({ table, name, near: [...(near.get(key) ?? [])] });
      }
    }
  }
  const hasNear = ({ near }: CreatedRecord) => near.length > 0;
  return [...records.filter(hasNear), ...records.filter((record) => !hasNear(record))].slice(0, MAX_LISTED);
}

/** The names of a table, of markets by country, as far as keys were created among them. */
async function namesByGroup(
  transaction: Transaction,
  table: SeriesTable,
  keys: ReadonlySet<string>,
): Promise<Named[][]> {
  const { statements } = seriesTables[table];
  const columns = statements.uniqueKey;
  const rows = await transaction.rows<RecordValues>(
    `SELECT ${columns.join(', ')} FROM ${statements.name} ORDER BY id`,
  );
  const byKey = new Map<string, RecordValues>();
  for (const row of rows) byKey.set(seriesTables[table].key(row), row);
  for (const key of keys) {
    if (byKey.has(key)) continue;
    const values = key.split('\n');
    byKey.set(key, Object.fromEntries(columns.map((column, index) => [column, values[index]!])));
  }
  const groups = new Map<string, Named[]>();
  for (const [key, row] of byKey) {
    const country = (row.iso3_country_code ?? '') as string;
    const named = { key, name: String(row.name) };
    const group = groups.get(country);
    if (group === undefined) groups.set(country, [named]);
    else group.push(named);
  }
  return [...groups.values()].filter((group) => group.some(({ key }) => keys.has(key)));
}
