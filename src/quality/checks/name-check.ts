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
import { NameIndex, type NamedRecord, type NameGroup } from './name-index.js';

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
  readonly batch = 10;
  private readonly index = new NameIndex();

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const subjects = new Set<string>();
    for (const segment of SEGMENTS) {
      if (changed.recordIds(TABLES[segment].table).length === 0) continue;
      if (segment !== 'Market') subjects.add(segment);
      else for (const country of await changed.countries()) subjects.add(`Market ${country}`);
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
    for (const name of names) {
      const [segment, country = null] = name.split(' ') as [Segment, string?];
      const pairs = await this.index.pairs(transaction, namesOf(transaction, name, segment, country));
      const ids = new Set(pairs.flatMap(([one, other]) => [one.id, other.id]));
      const uses = await countUses(transaction, segment, [...ids]);
      for (const pair of pairs) found.push(this.finding(name, segment, country, pair, uses));
    }
    return found;
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
  // What an earlier transaction has left unchecked is not for one that only sets prices.
  if (changed.seriesIds.size === changed.revalued.size) return false;
  const { revision, checkedRevision } = changed.transaction;
  const facts = await changed.series();
  const ids = new Set(facts.map(({ id }) => id));
  // In a dry run there is no revision, so what it writes has 0.
  const isNew = (since: number) => (revision === 0 ? since === 0 : since > checkedRevision);
  return [...changed.seriesIds].some((id) => !ids.has(id)) || facts.some(({ since }) => isNew(Number(since)));
}

/** The records of a table, of markets those of a country. */
function namesOf(
  transaction: Transaction,
  name: string,
  segment: Segment,
  country: string | null,
): NameGroup {
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
