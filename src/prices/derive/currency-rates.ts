import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import type { MonthlyValues } from './conversion.js';
import { RATE_RELATIONS, REDENOMINATIONS } from './rate-relations.js';

/**
 * What a price in dollars is based on: a rate of its currency (`published`), the rate of another by
 * a fixed legal relation (`relation`), or that of the successor, in whose units the price turned
 * out to be although it has the old code (`successor`).
 */
export const RATE_BASES = ['published', 'relation', 'successor'] as const;
export type RateBasis = (typeof RATE_BASES)[number];

/** A rate with which a price is converted. */
export interface AppliedRate {
  readonly basis: RateBasis;
  /** Units of the price's currency per US dollar. */
  readonly rate: number;
  /** The currency whose published rate it is made of. */
  readonly currency: string;
  /** Units of the price's currency per unit of that currency: rate = units × published rate. */
  readonly units: number;
  /** The law behind the units; null where they are 1 because it is the same currency. */
  readonly reference: string | null;
}

/** The rates of a currency by month. */
export interface CurrencyRates {
  /** The published or related rate; NaN where there is none that holds for every price. */
  at(month: number): number;
  /**
   * The rate of a currency that was replaced, by the level of the price: units per dollar; NaN
   * where its units are unclear. To be asked for only where `at` is NaN.
   * @param price per kilogram or litre where that is known, else per unit
   */
  atLevel(month: number, price: number): number;
  /** The rate of a price with what it is based on; null where there is none. */
  applied(month: number, price: number): AppliedRate | null;
}

/** From so many units on the level of a single price shows its units. */
const UNAMBIGUOUS_UNITS = 1000;

/** A relation with its anchor's rates, in months: those whose first day it holds on. */
interface ResolvedRelation {
  readonly anchor: string;
  readonly units: number;
  readonly firstMonth: number;
  readonly lastMonth: number;
  readonly reference: string;
  readonly rates: MonthlyValues;
}

/** A redenomination with the successor's rates. */
interface ResolvedRedenomination {
  readonly successor: string;
  readonly units: number;
  readonly firstMonth: number;
  readonly reference: string;
  readonly rates: MonthlyValues;
}

/** Published rates alone. */
class PublishedRates implements CurrencyRates {
  constructor(
    protected readonly currency: string,
    protected readonly published: MonthlyValues,
  ) {}

  at(month: number): number {
    return this.published.at(month);
  }

  atLevel(_month: number, _price: number): number {
    return NaN;
  }

  applied(month: number, _price: number): AppliedRate | null {
    const rate = this.published.at(month);
    return rate === rate
      ? { basis: 'published', rate, currency: this.currency, units: 1, reference: null }
      : null;
  }
}

/** Published rates and, in months without one, those that follow from another currency's. */
class RelatedRates extends PublishedRates {
  constructor(
    currency: string,
    published: MonthlyValues,
    private readonly relations: readonly ResolvedRelation[],
    private readonly redenomination: ResolvedRedenomination | null,
  ) {
    super(currency, published);
  }

  override at(month: number): number {
    const published = this.published.at(month);
    if (published === published) return published;
    const relation = this.relationAt(month);
    return relation === null ? NaN : relation.rates.at(month) * relation.units;
  }

  override atLevel(month: number, price: number): number {
    if (this.redenomination === null) return NaN;
    const { rates, units } = this.redenomination;
    const basis = this.basisByLevel(this.redenomination, month, price);
    if (basis === null) return NaN;
    return basis === 'relation' ? rates.at(month) * units : rates.at(month);
  }

  override applied(month: number, price: number): AppliedRate | null {
    const published = super.applied(month, price);
    if (published !== null) return published;
    const relation = this.relationAt(month);
    if (relation !== null) {
      const { anchor, units, reference } = relation;
      return { basis: 'relation', rate: this.at(month), currency: anchor, units, reference };
    }
    const rate = this.atLevel(month, price);
    if (rate !== rate) return null;
    const { successor, units, reference } = this.redenomination!;
    const basis = this.basisByLevel(this.redenomination!, month, price)!;
    return { basis, rate, currency: successor, units: basis === 'relation' ? units : 1, reference };
  }

  private relationAt(month: number): ResolvedRelation | null {
    for (const relation of this.relations) {
      const { firstMonth, lastMonth, rates } = relation;
      if (month < firstMonth || month > lastMonth) continue;
      const rate = rates.at(month);
      if (rate === rate) return relation;
    }
    return null;
  }

  /**
   * Whether a price is in the old units (`relation`) or in those of the successor: whichever makes
   * it nearer to one dollar, on a logarithmic scale. From 1000 units on a price would have to be
   * off by a factor of more than 30 to be taken wrongly. With fewer, the month must agree: old
   * units before the successor, new ones since. Otherwise its units are unclear.
   */
  private basisByLevel(
    { rates, units, firstMonth }: ResolvedRedenomination,
    month: number,
    price: number,
  ): 'relation' | 'successor' | null {
    const dollars = price / rates.at(month);
    if (dollars !== dollars) return null;
    const isOld = dollars > Math.sqrt(units);
    if (units < UNAMBIGUOUS_UNITS && isOld !== month < firstMonth) return null;
    return isOld ? 'relation' : 'successor';
  }
}

/**
 * The rates of a currency, with the laws that hold where none is published. What they are made of
 * is put together here, once, so that prices are converted without looking for it.
 * @param published the published rates of a currency; those of `sourcesOfRates` are asked for
 * @param related false for published rates alone
 */
export function currencyRates(
  currency: string,
  published: (currency: string) => MonthlyValues,
  related: boolean,
): CurrencyRates {
  const own = published(currency);
  if (!related) return new PublishedRates(currency, own);
  const relations = RATE_RELATIONS.filter((relation) => relation.currency === currency).map(
    ({ anchor, units, from, until, reference }) => ({
      anchor,
      units,
      firstMonth: firstWholeMonth(from),
      lastMonth: until === null ? Infinity : monthOf(dayFromIso(until)!),
      reference,
      rates: published(anchor),
    }),
  );
  const replaced = REDENOMINATIONS.find((one) => one.currency === currency);
  if (relations.length === 0 && replaced === undefined) return new PublishedRates(currency, own);
  const redenomination = replaced && {
    successor: replaced.successor,
    units: replaced.units,
    firstMonth: firstWholeMonth(replaced.from),
    reference: replaced.reference,
    rates: published(replaced.successor),
  };
  return new RelatedRates(currency, own, relations, redenomination ?? null);
}

/** The first month all of whose days are on or after a date. */
function firstWholeMonth(date: string): number {
  const month = monthOf(dayFromIso(date)!);
  return date.endsWith('-01') ? month : month + 1;
}
