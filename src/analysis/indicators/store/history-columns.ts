import { ALPS_CLASSES, type AlpsClass } from '../../methods/alps.js';
import { isValue, type Reason } from '../../methods/reason.js';
import type { IndicatorCalculation } from '../indicator-calculation.js';
import { ChunkedColumn } from './chunked-column.js';

/** The code of a month without a price. */
const NO_PRICE = 0;
/** The code of a month with a price, but without ALPS; those of the classes follow. */
const NO_ALPS = 1;

/**
 * IFPA and the class of ALPS in every month of many series, with the default settings: a byte for
 * each month, and eight for each from the first one with an IFPA on. Each series has an index.
 */
export class HistoryColumns {
  size = 0;
  private readonly firsts: number[] = [];
  private readonly lasts: number[] = [];
  /** Where the code of the first month is. */
  private readonly codesAt: number[] = [];
  /** The first month with an IFPA, and where that is. */
  private readonly ifpaFirsts: number[] = [];
  private readonly ifpasAt: number[] = [];
  /** Why the last month has no IFPA; null where it has. */
  private readonly reasons: (Reason | null)[] = [];
  private readonly codes = new ChunkedColumn((length) => new Uint8Array(length));
  private readonly ifpas = new ChunkedColumn((length) => new Float64Array(length));

  /** Calculates the months of a series, and returns its index. */
  add(calculation: IndicatorCalculation): number {
    const months = calculation.months().reverse();
    const first = months[0] ?? 0;
    const last = months.at(-1) ?? -1;
    const codes = new Uint8Array(last - first + 1);
    let ifpaFirst = Infinity;
    let ifpas = new Float64Array(0);
    let reason: Reason | null = null;
    for (const month of months) {
      const alps = calculation.alps(month);
      codes[month - first] = isValue(alps) ? NO_ALPS + 1 + ALPS_CLASSES.indexOf(alps.class) : NO_ALPS;
      const ifpa = calculation.ifpa(month);
      reason = isValue(ifpa) ? null : ifpa;
      if (!isValue(ifpa)) continue;
      if (ifpaFirst === Infinity) {
        ifpaFirst = month;
        ifpas = new Float64Array(last - month + 1).fill(NaN);
      }
      ifpas[month - ifpaFirst] = ifpa.value;
    }
    this.firsts.push(first);
    this.lasts.push(last);
    this.codesAt.push(this.codes.add(codes));
    this.ifpaFirsts.push(ifpaFirst);
    this.ifpasAt.push(this.ifpas.add(ifpas));
    this.reasons.push(reason);
    return this.size++;
  }

  /** The first month with a price; 0 where there is none. */
  first(index: number): number {
    return this.firsts[index]!;
  }

  /** The last month with a price; -1 where there is none. */
  last(index: number): number {
    return this.lasts[index]!;
  }

  /** The newest month with a price from `from` to `to`; null where there is none. */
  newest(index: number, from: number, to: number): number | null {
    const least = Math.max(from, this.firsts[index]!);
    for (let month = Math.min(to, this.lasts[index]!); month >= least; month--)
      if (this.code(index, month) !== NO_PRICE) return month;
    return null;
  }

  /** IFPA in a month with a price; NaN where it has none. */
  ifpa(index: number, month: number): number {
    const offset = month - this.ifpaFirsts[index]!;
    return offset >= 0 ? this.ifpas.at(this.ifpasAt[index]! + offset) : NaN;
  }

  /** Why a series has no IFPA in its last month with a price; null where it has. */
  reason(index: number): Reason | null {
    return this.reasons[index]!;
  }

  /** The class of ALPS in a month with a price; null where it has none. */
  alps(index: number, month: number): AlpsClass | null {
    return ALPS_CLASSES[this.code(index, month) - NO_ALPS - 1] ?? null;
  }

  private code(index: number, month: number): number {
    return this.codes.at(this.codesAt[index]! + month - this.firsts[index]!);
  }
}
