import type { ChangedRecord } from '../../database/revision/change-list.js';
import type { Transaction } from '../../database/unit-of-work.js';
import { readSeriesFacts, type FactsKey, type SeriesFacts } from './series-facts.js';

/** Tables whose records are attributes of series, and the column that refers to them. */
const ATTRIBUTES: Readonly<Record<string, FactsKey>> = {
  market: 's.market_id',
  commodity: 's.commodity_id',
  price_type: 's.price_type_id',
  measure_unit: 's.measure_unit_id',
};

/** What has changed since the findings were last complete. */
export class ChangedData {
  private facts: Promise<SeriesFacts[]> | null = null;

  constructor(
    readonly transaction: Transaction,
    /** Series that have changed, or whose points have. */
    readonly seriesIds: ReadonlySet<number>,
    readonly records: readonly ChangedRecord[],
  ) {}

  /** The series that have changed, or whose attributes have, as they are now. */
  series(): Promise<SeriesFacts[]> {
    return (this.facts ??= this.readSeries());
  }

  /** The ids of the changed records of a table. */
  recordIds(table: string): number[] {
    return this.records.filter((record) => record.table === table).map(({ id }) => id);
  }

  private async readSeries(): Promise<SeriesFacts[]> {
    const facts = await readSeriesFacts(this.transaction, 's.id', this.seriesIds);
    for (const [table, column] of Object.entries(ATTRIBUTES)) {
      const changed = this.records.filter((record) => record.table === table && record.action === 'changed');
      const ids = new Set(changed.map(({ id }) => id));
      if (ids.size > 0) facts.push(...(await readSeriesFacts(this.transaction, column, ids)));
    }
    return [...new Map(facts.map((one) => [one.id, one])).values()];
  }
}
