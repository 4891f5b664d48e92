import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { BASE } from '../../config/price-paths.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { isMergeable } from '../../price-series/merging/merged-tables.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { foundFinding } from './found-finding.js';
import { NameIndex, type NamedRecord, type NameGroup, type NearRecords } from './name-index.js';

/** The tables whose names are compared, by path segment: their names and columns in SQL. */
const TABLES = {
  Commodity: { table: 'commodity', column: 'commodity_id', plural: 'commodities' },
  PriceType: { table: 'price_type', column: 'price_type_id', plural: 'price types' },
  Market: { table: 'market', column: 'market_id', plural: 'markets' },
  Source: { table: 'source', column: 'source_id', plural: 'sources' },
  MeasureUnit: { table: 'measure_unit', column: 'measure_unit_id', plural: 'units' },
} as const;
type Segment = keyof typeof TABLES;
const SEGMENTS = Object.keys(TABLES) as Segment[];

/** Ids of one statement. */
const BATCH = 500;

/**
 * Compares the names of the records of each table, of markets in each country. A subject is the
 * path segment of a table, with the code of the country after `Market`.
 */
export class NameCheck implements Check {
  readonly name = 'names';
  readonly attributes = {
    commodity: ['name'],
    price_type: ['name'],
    market: ['name', 'admin_unit', 'iso3_country_code'],
    source: ['name'],
    measure_unit: ['name'],
  };
  readonly batch = 10;
  private readonly index = new NameIndex();
  /** Pairs that were found to see what has changed, until they are checked. */
  private readonly pairs = new WeakMap<Transaction, Map<string, NearRecords>>();

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const subjects = new Set<string>();
    for (const segment of SEGMENTS) {
      const ids = changed.recordIds(this, TABLES[segment].table);
      if (ids.length === 0) continue;
      const names =
        segment === 'Market'
          ? [...(await changed.countriesOf(new Set(ids)))].map((country) => `Market ${country}`)
          : [segment];
      for (const name of names) if (await this.hasOtherPairs(changed.transaction, name)) subjects.add(name);
    }
    // Findings count the series of a record, so new, removed and moved ones matter to them.
    if (await hasOtherSeries(changed)) for (const one of await this.found(changed)) subjects.add(one);
    return subjects;
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    const rows = await transaction.rows<{ code: string }>(
      'SELECT DISTINCT iso3_country_code AS code FROM market ORDER BY iso3_country_code',
    );
    const others = SEGMENTS.filter((segment) => segment !== 'Market');
    return [...others, ...rows.map(({ code }) => `Market ${code}`)];
  }

  async check(transaction: Transaction, names: readonly string[]): Promise<FoundFinding[]> {
    const found: FoundFinding[] = [];
    const known = this.pairs.get(transaction);
    this.pairs.delete(transaction);
    for (const name of names) {
      const [segment, country] = partsOf(name);
      const pairs =
        known?.get(name) ?? (await this.index.find(transaction, namesOf(transaction, name))).pairs;
      const ids = new Set(pairs.flatMap(([one, other]) => [one.id, other.id]));
      const uses = await countUses(transaction, segment, [...ids]);
      for (const pair of pairs) found.push(this.finding(name, segment, country, pair, uses));
    }
    return found;
  }

  /** Whether names that are near others have changed: mostly none of them is. */
  private async hasOtherPairs(transaction: Transaction, name: string): Promise<boolean> {
    const { pairs, changed } = await this.index.find(transaction, namesOf(transaction, name));
    const known = this.pairs.get(transaction);
    if (known === undefined) this.pairs.set(transaction, new Map([[name, pairs]]));
    else known.set(name, pairs);
    return changed;
  }

  /** The subjects that have findings. */
  private async found({ transaction }: ChangedData): Promise<string[]> {
    const prefix = subjectText(this, '');
    const rows = await transaction.rows<{ subject: string }>(
      "SELECT DISTINCT subject FROM finding WHERE subject LIKE ? AND state IN ('open', 'dismissed')",
      [`${prefix}%`],
    );
    return rows.map(({ subject }) => subject.slice(prefix.length));
  }

  private finding(
    name: string,
    segment: Segment,
    country: string | null,
    pair: [NamedRecord, NamedRecord],
    uses: ReadonlyMap<number, number>,
  ): FoundFinding {
    const usesOf = ({ id }: NamedRecord) => uses.get(id) ?? 0;
    const isBuiltIn = ({ id }: NamedRecord) => !isMergeable(segment, id);
    const [one, other] = pair;
    const keepsOther = isBuiltIn(other) || (!isBuiltIn(one) && usesOf(other) > usesOf(one));
    const [kept, merged] = keepsOther ? [other, one] : [one, other];
    const shown = (record: NamedRecord) => {
      const count = usesOf(record);
      const place = record.admin_unit === '' ? '' : ` in ${record.admin_unit}`;
      return `${record.name}${place} (id ${record.id}, ${count} series)`;
    };
    return foundFinding('near_duplicate', {
      subject: subjectText(this, name),
      about: `${one.id} ${other.id}`,
      country,
      records: pair.map((record) => ({ table: segment, id: record.id, name: record.name })),
      detail:
        `The ${TABLES[segment].plural} ${shown(one)} and ${shown(other)} may be the same:` +
        ` POST /${BASE}/${segment}/${merged.id}/merge/ with {"into":${kept.id}} would make them one.`,
    });
  }
}

/** Whether series have been made, removed, or got other attributes. */
async function hasOtherSeries(changed: ChangedData): Promise<boolean> {
  const { since: before, series, revalued } = changed.changes;
  // What an earlier transaction has left unchecked is not for one that only sets prices.
  if (series.size === revalued.size) return false;
  const facts = await changed.changedSeries();
  const ids = new Set(facts.map(({ id }) => id));
  // In a dry run there is no revision, so what it writes has 0.
  const isNew = (since: number) => (changed.transaction.revision === 0 ? since === 0 : since > before);
  return [...series].some((id) => !ids.has(id)) || facts.some(({ since }) => isNew(Number(since)));
}

/** The table of a subject, and the country of its markets. */
function partsOf(name: string): [segment: Segment, country: string | null] {
  const [segment, country = null] = name.split(' ') as [Segment, string?];
  return [segment, country];
}

/** The records of a table, of markets those of a country. */
function namesOf(transaction: Transaction, name: string): NameGroup {
  const [segment, country] = partsOf(name);
  const { table } = TABLES[segment];
  const columns = `id, name, ${country === null ? "''" : 'admin_unit'} AS admin_unit`;
  const ofCountry = country === null ? [] : ['iso3_country_code = ?'];
  const select = (conditions: readonly string[], values: readonly SqlValue[]) => {
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    return transaction.rows<NamedRecord>(`SELECT ${columns} FROM ${table}${where} ORDER BY id`, values);
  };
  return {
    name,
    table,
    async read(ids) {
      const values = country === null ? [] : [country];
      if (ids === null) return select(ofCountry, values);
      const records: NamedRecord[] = [];
      for (const batch of batchesOf(ids, BATCH)) {
        const among = `id IN (${placeholders(batch.length)})`;
        const found = await select([...ofCountry, among], [...values, ...batch]);
        for (const record of found) records.push(record);
      }
      return records;
    },
  };
}

/** The numbers of series that use records, by the record's id. */
async function countUses(
  transaction: Transaction,
  segment: Segment,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { column } = TABLES[segment];
  const uses = new Map<number, number>();
  for (const batch of batchesOf(ids, BATCH)) {
    const rows = await transaction.rows<{ id: number; series: number | string }>(
      `SELECT ${column} AS id, COUNT(*) AS series FROM price_serie` +
        ` WHERE ${column} IN (${placeholders(batch.length)}) GROUP BY ${column}`,
      batch,
    );
    for (const { id, series } of rows) uses.set(id, Number(series));
  }
  return uses;
}
