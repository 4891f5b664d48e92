import type { ChangedRecord, ChangesSince } from '../../ledger/changes/change-list.js';
import { subjectsOfSeries } from '../../ledger/findings/stored-findings.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { countriesOfMarkets } from '../../reference/market/market-countries.js';
import { formerMarketsOf } from '../../price-series/series-store.js';
import type { SeriesJoins } from '../../price-series/joins/series-joins.js';
import { subjectText, type Check } from './check.js';
import type { CheckedSeriesReader } from './checked-series-reader.js';
import { readSeriesFacts, type FactsKey, type SeriesFacts } from './series-facts.js';

/** Tables whose records are attributes of series, and how series refer to them. */
const ATTRIBUTES = {
  market: 'market_id',
  commodity: 'commodity_id',
  price_type: 'price_type_id',
  measure_unit: 'measure_unit_id',
} as const satisfies Record<string, keyof SeriesFacts>;
type AttributeTable = keyof typeof ATTRIBUTES;
const ATTRIBUTE_TABLES = Object.keys(ATTRIBUTES) as AttributeTable[];

/** What a check depends on. */
type Dependent = Pick<Check, 'attributes' | 'follows'>;

/** What has changed since the findings were last complete, as each check is to look at it. */
export class ChangedData {
  private facts: Promise<SeriesFacts[]> | null = null;
  /** The ids of records that have other values of what a check depends on. */
  private readonly attributesOf = new Map<Dependent, Map<AttributeTable, ReadonlySet<number>>>();

  /** @param checks that run */
  constructor(
    readonly transaction: Transaction,
    readonly changes: ChangesSince,
    private readonly reader: CheckedSeriesReader,
    private readonly checks: readonly Dependent[],
  ) {}

  /** Whether anything has changed that a check follows. */
  concerns({ attributes, follows }: Dependent): boolean {
    const { series, revalued, records } = this.changes;
    if (follows.series !== 'none' && series.size > (follows.series === 'all' ? 0 : revalued.size))
      return true;
    return records.some((record) => {
      const columns = attributes[record.table];
      if (follows.tables.includes(record.table)) return columns === undefined || isOther(record, columns);
      return columns !== undefined && record.action === 'changed' && isOther(record, columns);
    });
  }

  /** The joins in force, which are read once for all checks. */
  joins(): Promise<SeriesJoins> {
    return this.reader.joins();
  }

  /** Whether any of some series has marks, all of which `PointCheck` has checked before. */
  haveMarks(ids: Iterable<number>): boolean {
    return this.reader.haveMarks([...ids]);
  }

  /** The series that have changed, as they are now; without those that are gone. */
  async changedSeries(): Promise<SeriesFacts[]> {
    return (await this.allSeries()).filter(({ id }) => this.changes.series.has(id));
  }

  /** The same, and those that have other attributes of those that a check depends on. */
  async series(check: Dependent): Promise<SeriesFacts[]> {
    const facts = await this.allSeries();
    return facts.filter((one) => this.changes.series.has(one.id) || this.hasOtherAttributes(check, one));
  }

  /** Whether nothing that a check depends on has changed of a series but values of its points. */
  isOnlyRevalued(check: Dependent, series: SeriesFacts): boolean {
    return this.changes.revalued.has(series.id) && !this.hasOtherAttributes(check, series);
  }

  /** The ids of the records of a table that are new, gone, or other ones to a check. */
  recordIds(check: Dependent, table: string): number[] {
    return this.records(check, table).map(({ id }) => id);
  }

  /** The countries of some markets: those of today, and those of before. */
  countriesOf(markets: ReadonlySet<number>): Promise<Set<string>> {
    return countriesOfMarkets(this.transaction, [...markets]);
  }

  /** The markets that series have been moved from, or removed from, if any were. */
  formerMarkets(): Promise<Set<number>> {
    const { series, revalued } = this.changes;
    return formerMarketsOf(
      this.transaction,
      [...series].filter((id) => !revalued.has(id)),
    );
  }

  /** The subjects of the findings about these series, which may end. */
  async involvedSubjects(): Promise<InvolvedSubjects> {
    const facts = new Map((await this.allSeries()).map((one) => [one.id, one]));
    const ids = [...new Set([...this.changes.series, ...facts.keys()])];
    const rows = await subjectsOfSeries(this.transaction, ids);
    const matters = (check: Dependent, id: number) =>
      this.changes.series.has(id) || this.hasOtherAttributes(check, facts.get(id)!);
    return {
      of: (check) => {
        const prefix = subjectText(check, '');
        return rows
          .filter(([subject, id]) => subject.startsWith(prefix) && matters(check, id))
          .map(([subject]) => subject.slice(prefix.length));
      },
    };
  }

  private records({ attributes }: Dependent, table: string): ChangedRecord[] {
    const columns = attributes[table] ?? [];
    return this.changes.records.filter((record) => record.table === table && isOther(record, columns));
  }

  private hasOtherAttributes(check: Dependent, series: SeriesFacts): boolean {
    // Mostly no record has changed, or one.
    if (this.changes.records.length === 0) return false;
    return ATTRIBUTE_TABLES.some((table) =>
      this.changedAttributes(check, table).has(series[ATTRIBUTES[table]]),
    );
  }

  /** The ids of the records of a table that have other values of what a check depends on. */
  private changedAttributes(check: Dependent, table: AttributeTable): ReadonlySet<number> {
    let byTable = this.attributesOf.get(check);
    if (byTable === undefined) {
      byTable = new Map<AttributeTable, ReadonlySet<number>>();
      this.attributesOf.set(check, byTable);
    }
    let ids = byTable.get(table);
    if (ids === undefined) {
      const listed = check.attributes[table] === undefined ? [] : this.records(check, table);
      ids = new Set(listed.filter(({ action }) => action === 'changed').map(({ id }) => id));
      byTable.set(table, ids);
    }
    return ids;
  }

  private allSeries(): Promise<SeriesFacts[]> {
    return (this.facts ??= this.readSeries());
  }

  private async readSeries(): Promise<SeriesFacts[]> {
    const facts = await readSeriesFacts(this.transaction, 's.id', this.changes.series);
    for (const table of ATTRIBUTE_TABLES) {
      const ids = new Set(this.checks.flatMap((check) => [...this.changedAttributes(check, table)]));
      const key: FactsKey = `s.${ATTRIBUTES[table]}`;
      for (const one of await readSeriesFacts(this.transaction, key, ids)) facts.push(one);
    }
    const all = [...new Map(facts.map((one) => [one.id, one])).values()];
    this.reader.keep(all);
    return all;
  }
}

interface InvolvedSubjects {
  /** Those of a check, without its name. */
  of(check: Pick<Check, 'name'> & Dependent): string[];
}

/** Whether a record is new, gone, or has other values of some columns. */
const isOther = ({ action, columns: changed }: ChangedRecord, columns: readonly string[]): boolean =>
  action !== 'changed' || changed === null || columns.some((column) => changed.has(column));
