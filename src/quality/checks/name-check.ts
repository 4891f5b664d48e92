import { Conditions } from '../../database/newest-first.js';
import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { BASE } from '../../config/price-paths.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { isMergeable } from '../../price-series/merging/merged-tables.js';
import { countSeriesOf } from '../../price-series/series-store.js';
import { TableStatements } from '../../reference/base/table-statements.js';
import { Commodity } from '../../reference/commodity/commodity.entity.js';
import { Market } from '../../reference/market/market.entity.js';
import { countriesWithMarkets } from '../../reference/market/market-countries.js';
import { MeasureUnit } from '../../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../../reference/price-type/price-type.entity.js';
import { Source } from '../../reference/source/source.entity.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { findingSubjects } from '../../ledger/findings/stored-findings.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { foundFinding } from './found-finding.js';
import { NameIndex, type NamedRecord, type NameGroup, type NearRecords } from './name-index.js';

/** The tables whose names are compared, by path segment. */
const TABLES = {
  Commodity: { statements: new TableStatements(Commodity), plural: 'commodities' },
  PriceType: { statements: new TableStatements(PriceType), plural: 'price types' },
  Market: { statements: new TableStatements(Market), plural: 'markets' },
  Source: { statements: new TableStatements(Source), plural: 'sources' },
  MeasureUnit: { statements: new TableStatements(MeasureUnit), plural: 'units' },
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
  readonly follows = {
    series: 'all but values',
    tables: SEGMENTS.map((segment) => TABLES[segment].statements.name),
  } as const;
  readonly batch = 10;
  private readonly index = new NameIndex();
  /** Pairs that were found to see what has changed, until they are checked. */
  private readonly pairs = new WeakMap<Transaction, Map<string, NearRecords>>();

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const subjects = new Set<string>();
    for (const segment of SEGMENTS) {
      const ids = changed.recordIds(this, TABLES[segment].statements.name);
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
    const countries = await countriesWithMarkets(transaction);
    const others = SEGMENTS.filter((segment) => segment !== 'Market');
    return [...others, ...countries.map((code) => `Market ${code}`)];
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
      const uses = await countSeriesOf(transaction, TABLES[segment].statements.name, [...ids]);
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
    const unended = new Conditions().anyOf('state', ['open', 'dismissed']);
    const subjects = await findingSubjects(transaction, prefix, unended);
    return subjects.map((subject) => subject.slice(prefix.length));
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
  const { statements } = TABLES[segment];
  const columns = ['id', 'name', ...(country === null ? [] : ['admin_unit'])];
  const ofCountry = country === null ? [] : ['iso3_country_code = ?'];
  const select = async (conditions: readonly string[], values: readonly SqlValue[]) => {
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')} `;
    const sql = statements.selectColumns(columns, `${where}ORDER BY id`);
    const rows = await transaction.arrays<[id: number, name: string, adminUnit?: string]>(sql, values);
    return rows.map(([id, text, admin_unit = '']): NamedRecord => ({ id, name: text, admin_unit }));
  };
  return {
    name,
    table: statements.name,
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
