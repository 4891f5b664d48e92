import { IndicatorCalculation } from '../indicators/indicator-calculation.js';
import { DEFAULT_SETTINGS } from '../indicators/indicator-settings.js';
import { ALPS_CLASSES, type AlpsClass } from '../methods/alps.js';
import { isValue } from '../methods/reason.js';
import type { PriceColumns } from '../price-columns.js';

/** The code of a month without a price. */
const NO_PRICE = 0;
/** The code of a month with a price, but without ALPS; those of the classes follow. */
const NO_ALPS = 1;
const GROWTH = 1.5;

/**
 * IFPA and the class of ALPS in every month of many series, with the default settings: a byte for
 * each month, and eight for each from the first one with an IFPA on. Each series has a place.
 */
export class HistoryColumns {
  size = 0;
  private readonly firsts: number[] = [];
  private readonly lasts: number[] = [];
  /** Where the code of the first month is. */
  private readonly codesAt: number[] = [];
  /** The first month with an IFPA, and where that is. */
  private readonly ifpaFirsts: number[] = [];
  private readonly ifpaAt: number[] = [];
  private codes = new Uint8Array(1024);
  private ifpas = new Float64Array(1024);
  private codesUsed = 0;
  private ifpasUsed = 0;

  /** Calculates the months of a series, and returns its place. */
  add(prices: PriceColumns): number {
    const calculation = new IndicatorCalculation(prices, DEFAULT_SETTINGS);
    const months = calculation.months().reverse();
    const first = months[0] ?? 0;
    const last = months.at(-1) ?? -1;
    this.codes = withRoom(this.codes, this.codesUsed + last - first + 1);
    this.ifpas = withRoom(this.ifpas, this.ifpasUsed + last - first + 1);
    let ifpaFirst = Infinity;
    for (const month of months) {
      const alps = calculation.alps(month);
      const code = isValue(alps) ? NO_ALPS + 1 + ALPS_CLASSES.indexOf(alps.class) : NO_ALPS;
      this.codes[this.codesUsed + month - first] = code;
      const ifpa = calculation.ifpa(month);
      if (!isValue(ifpa)) continue;
      if (ifpaFirst === Infinity) {
        ifpaFirst = month;
        this.ifpas.fill(NaN, this.ifpasUsed, this.ifpasUsed + last - month + 1);
      }
      this.ifpas[this.ifpasUsed + month - ifpaFirst] = ifpa.value;
    }
    this.firsts.push(first);
    this.lasts.push(last);
    this.codesAt.push(this.codesUsed);
    this.ifpaFirsts.push(ifpaFirst);
    this.ifpaAt.push(this.ifpasUsed);
    this.codesUsed += last - first + 1;
    this.ifpasUsed += Math.max(0, last - ifpaFirst + 1);
    return this.size++;
  }

  /** The first month with a price; 0 where there is none. */
  first(place: number): number {
    return this.firsts[place]!;
  }

  /** The last month with a price; -1 where there is none. */
  last(place: number): number {
    return this.lasts[place]!;
  }

  /** The newest month with a price from `from` to `to`; null where there is none. */
  newest(place: number, from: number, to: number): number | null {
    const least = Math.max(from, this.firsts[place]!);
    for (let month = Math.min(to, this.lasts[place]!); month >= least; month--)
      if (this.code(place, month) !== NO_PRICE) return month;
    return null;
  }

  /** IFPA in a month with a price; NaN where it has none. */
  ifpa(place: number, month: number): number {
    const index = month - this.ifpaFirsts[place]!;
    return index >= 0 ? this.ifpas[this.ifpaAt[place]! + index]! : NaN;
  }

  /** The class of ALPS in a month with a price; null where it has none. */
  alps(place: number, month: number): AlpsClass | null {
    return ALPS_CLASSES[this.code(place, month) - NO_ALPS - 1] ?? null;
  }

  private code(place: number, month: number): number {
    return this.codes[this.codesAt[place]! + month - this.firsts[place]!]!;
  }
}

/** The column, or a longer copy of it with room for so many entries. */
function withRoom<T extends Uint8Array | Float64Array>(column: T, length: number): T {
  if (length <= column.length) return column;
  const longer = new (column.constructor as new (length: number) => T)(Math.ceil(length * GROWTH));
  longer.set(column);
  return longer;
}
