import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { RowViolation } from '../formats/batch.js';

/** A rate that is held until the dollar's rate of its day is known. */
interface HeldRate<Column> {
  readonly record: string[];
  readonly line: number;
  /** Where it stands, for violations. */
  readonly column: Column;
  /** Why it cannot be stored. */
  readonly violation: RowViolation | null;
}

/** Rates of a batch. */
const BATCH = 5000;

/**
 * Makes rates for another currency, such as the euro, those for a dollar: each is divided by the
 * file's own rate of the dollar on its day, whose row becomes that of the other currency.
 */
export class RateCrossing<Column> {
  private readonly held: Omit<HeldRate<Column>, 'violation'>[] = [];
  /** The rates of the dollar, by what else than the currency and the rate their rows have. */
  private readonly dollars = new Map<string, number>();

  /**
   * @param columns positions in the records
   * @param isInverted whether the rates are units of the other currency for one of each
   * @param labelOf what the rates of a column are called in the file
   */
  constructor(
    private readonly per: string,
    private readonly columns: Readonly<Record<'currency' | 'date' | 'rate', number>>,
    private readonly isInverted: boolean,
    private readonly labelOf: (column: Column) => string,
  ) {}

  /** Holds a rate. */
  add(record: string[], line: number, column: Column): void {
    this.held.push({ record, line, column });
    const { currency, rate } = this.columns;
    if (record[currency]!.trim().toUpperCase() === 'USD')
      this.dollars.set(this.keyOf(record), Number(record[rate]));
  }

  /** The rates for a dollar, in batches, in their order. */
  *drain(): Generator<HeldRate<Column>[]> {
    const { currency, date, rate } = this.columns;
    while (this.held.length > 0)
      yield this.held.splice(0, BATCH).map(({ record, line, column }): HeldRate<Column> => {
        const dollar = this.dollars.get(this.keyOf(record));
        const value = Number(record[rate]);
        if (dollar === undefined || !(dollar > 0)) {
          const label = this.labelOf(column);
          const detail = `${label} is for ${this.per}, and the input has no rate of USD on ${record[date]}.`;
          return { record, line, column, violation: { field: label, reason: 'required', detail } };
        }
        const isDollar = record[currency]!.trim().toUpperCase() === 'USD';
        if (isDollar) record[currency] = this.per;
        const crossed = isDollar ? 1 / dollar : value / dollar;
        record[rate] = String(toSignificantDigits(this.isInverted ? 1 / crossed : crossed));
        return { record, line, column, violation: null };
      });
  }

  /** All but the currency and the rate: the day, and the period and type of the rate. */
  private keyOf(record: readonly string[]): string {
    const { currency, rate } = this.columns;
    return record.filter((_, index) => index !== currency && index !== rate).join('\n');
  }
}
