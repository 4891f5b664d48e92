import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import type { MonthlyValues } from './conversion.js';
import { type Redenomination, REDENOMINATIONS, relationsOf } from './rate-relations.js';

/** What a rate may be based on with which a price is converted. */
export const APPLIED_BASES = ['published', 'relation', 'successor', 'predecessor'] as const;
/**
 * What a price in dollars is based on: a rate of its currency (`published`), the rate of another by
 * a fixed legal relation (`relation`), or a rate in the units of the currency's `successor` or
 * `predecessor`, in which the price turned out to be although it has another code. `unclear`: there
 * is a rate, but nothing decides in which units price and rate are, so there are no dollars.
 */
export const RATE_BASES = [...APPLIED_BASES, 'unclear'] as const;
export type RateBasis = (typeof RATE_BASES)[number];

/** A rate with which a price is converted. */
export interface AppliedRate {
  readonly basis: (typeof APPLIED_BASES)[number];
  /** Units of the price's currency per US dollar. */
  readonly rate: number;
  /** The currency whose published rate it is made of. */
  readonly currency: string;
  /** Units of the price's currency per unit of that currency: rate = units × published rate. */
  readonly units: number;
  /** The law behind the units; null where they are 1 because it is the same currency. */
  readonly reference: string | null;
}

/** The level of a price, which tells its units near a redenomination. */
export interface PriceLevel {
  /** Per kilogram or litre where that is known, else per published unit. */
  readonly price: number;
  readonly perBaseUnit: boolean;
}

/** The rates of a currency by month. */
export interface CurrencyRates {
  /** The rate that holds for every price of the month; NaN where there is none. */
  at(month: number): number;
  /**
   * The rate of a price with what it is based on; null where there is none. The level matters in
   * the months only in which `at` is NaN.
   */
  applied(month: number, level: PriceLevel): AppliedRate | 'unclear' | null;
}

/** From so many units on the level of a single price shows its units. */
const UNAMBIGUOUS_UNITS = 1000;
/** Months before and after a redenomination in which files mix old and new units under one code. */
const MIXED_MONTHS = 12;
/** Months within which the level of rates on both sides of a redenomination is compared. */
const COMPARED_MONTHS = 24;
/** Months outside the life of a code for which the units of its published rates are looked at. */
const SCANNED_MONTHS = 600;
/** In dollars, what a piece, a heap or a head may cost: from an egg to a camel. */
const UNIT_PRICES = { least: 0.001, most: 10_000 } as const;

/** A relation with its anchor's rates, in months: those whose first day it holds on. */
interface ResolvedRelation {
  readonly anchor: string;
  readonly units: number;
  readonly firstMonth: number;
  readonly lastMonth: number;
  readonly reference: string;
  readonly rates: MonthlyValues;
}

/** The units of a published rate: those of the replaced code, of its successor, or either. */
type RateUnits = 'old' | 'new' | 'unknown';

/** A redenomination with the published rates of both codes. */
class CurrencyChange {
  readonly currency: string;
  readonly successor: string;
  /** Units of the replaced code for one unit of its successor. */
  readonly units: number;
  readonly reference: string;
  /** The month in which the successor began, and the first one that is wholly its own. */
  readonly firstMonth: number;
  readonly firstWholeMonth: number;
  private readonly restated = new Map<string, ReadonlySet<number> | null>();

  constructor(
    { currency, successor, units, from, reference }: Redenomination,
    private readonly published: (currency: string) => MonthlyValues,
  ) {
    this.currency = currency;
    this.successor = successor;
    this.units = units;
    this.reference = reference;
    this.firstMonth = monthOf(dayFromIso(from)!);
    this.firstWholeMonth = firstWholeMonth(from);
  }

  /** The code on the other side. */
  otherThan(code: string): string {
    return code === this.currency ? this.successor : this.currency;
  }

  publishedRate(code: string, month: number): number {
    return this.published(code).at(month);
  }

  /** Whether the level of a price is looked at in a month in which its code has a rate. */
  isNear(code: string, month: number): boolean {
    const isOld = code === this.currency;
    if (this.unitsOf(code, month) === (isOld ? 'new' : 'old')) return true;
    if (this.units < UNAMBIGUOUS_UNITS) return false;
    return isOld ? month >= this.firstMonth - MIXED_MONTHS : month < this.firstWholeMonth + MIXED_MONTHS;
  }

  /**
   * The units of a code's published rate in a month. Sources give the years before a redenomination
   * in the new unit, or put the new code on rates in the old one, or go on using the old code. The
   * level of the code's rates shows which: only a redenomination moves it by such a factor.
   */
  unitsOf(code: string, month: number): RateUnits {
    const isOld = code === this.currency;
    const own = isOld ? 'old' : 'new';
    if (isOld ? month < this.firstMonth : month >= this.firstWholeMonth) return own;
    let months = this.restated.get(code);
    if (months === undefined) {
      months = this.monthsInOtherUnits(code);
      this.restated.set(code, months);
    }
    if (months === null) return 'unknown';
    return months.has(month) === isOld ? 'new' : 'old';
  }

  /** The months outside a code's life in which its rates are in the other code's units. */
  private monthsInOtherUnits(code: string): Set<number> | null {
    const isOld = code === this.currency;
    const rates = this.published(code);
    const step = isOld ? 1 : -1;
    const start = isOld ? this.firstMonth : this.firstWholeMonth - 1;
    let known = NaN;
    for (let away = 1; away <= COMPARED_MONTHS && known !== known; away++)
      known = rates.at(start - step * away);
    if (known !== known) return null;
    const factor = Math.sqrt(this.units);
    const found = new Set<number>();
    for (let away = 0, month = start; away < SCANNED_MONTHS; away++, month += step) {
      const rate = rates.at(month);
      if (rate !== rate) continue;
      const isOther = isOld ? rate * factor < known : rate > known * factor;
      if (isOther) found.add(month);
      known = !isOther ? rate : isOld ? rate * this.units : rate / this.units;
    }
    return found;
  }

  /**
   * The rate of a price.
   * @param code of the price
   * @param source the code whose rate is published
   * @param isOldRate whether the rate is in the replaced code's units
   * @param isOldPrice whether the price is
   */
  applied(
    code: string,
    source: string,
    published: number,
    isOldRate: boolean,
    isOldPrice: boolean,
  ): AppliedRate {
    const isOwnPrice = (code === this.currency) === isOldPrice;
    const isSame = isOldRate === isOldPrice;
    if (isSame && code === source)
      return { basis: 'published', rate: published, currency: code, units: 1, reference: null };
    return {
      basis: isOwnPrice ? 'relation' : isOldPrice ? 'predecessor' : 'successor',
      rate: isSame ? published : isOldPrice ? published * this.units : published / this.units,
      currency: source,
      units: isSame ? 1 : isOldPrice ? this.units : 1 / this.units,
      reference: this.reference,
    };
  }
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

  applied(month: number, _level: PriceLevel): AppliedRate | 'unclear' | null {
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
    /** How the currency began and ended, the end first: successors have the newer rates. */
    private readonly changes: readonly CurrencyChange[],
  ) {
    super(currency, published);
  }

  override at(month: number): number {
    const published = this.published.at(month);
    if (published === published) return this.changeNear(month) === null ? published : NaN;
    const relation = this.relationAt(month);
    return relation === null ? NaN : relation.rates.at(month) * relation.units;
  }

  override applied(month: number, level: PriceLevel): AppliedRate | 'unclear' | null {
    const published = super.applied(month, level);
    if (published !== null && published !== 'unclear') {
      const change = this.changeNear(month);
      return change === null ? published : this.byOwnRate(change, month, published.rate, level);
    }
    const relation = this.relationAt(month);
    if (relation !== null) {
      const { anchor, units, reference } = relation;
      return { basis: 'relation', rate: this.at(month), currency: anchor, units, reference };
    }
    for (const change of this.changes) {
      const rate = change.publishedRate(change.otherThan(this.currency), month);
      if (rate === rate) return this.byOtherRate(change, month, level);
    }
    return null;
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

  /** The change that makes the units of prices and rates of a month uncertain, the nearest one. */
  private changeNear(month: number): CurrencyChange | null {
    let nearest: CurrencyChange | null = null;
    for (const change of this.changes) {
      if (!change.isNear(this.currency, month)) continue;
      if (nearest === null || distance(change, month) < distance(nearest, month)) nearest = change;
    }
    return nearest;
  }

  /**
   * The rate of a price near a redenomination, where the code has a rate of its own. Whichever
   * units of price and rate make the price nearer to one dollar hold, on a logarithmic scale: it
   * would have to be off by a factor of more than 30 to be taken wrongly. The level of a price per
   * piece or head tells less: it must be impossible to be taken for one in other units.
   */
  private byOwnRate(
    change: CurrencyChange,
    month: number,
    published: number,
    { price, perBaseUnit }: PriceLevel,
  ): AppliedRate | 'unclear' {
    if (change.units < UNAMBIGUOUS_UNITS) return 'unclear';
    const { currency } = this;
    const isOld = currency === change.currency;
    const rateUnits = change.unitsOf(currency, month);
    const oldRates = rateUnits === 'unknown' ? [isOld, !isOld] : [rateUnits === 'old'];
    const candidates = oldRates.flatMap((isOldRate) =>
      [isOld, !isOld].map((isOldPrice) =>
        change.applied(currency, currency, published, isOldRate, isOldPrice),
      ),
    );
    const dollars = price / published;
    const isPossible = dollars >= UNIT_PRICES.least && dollars <= UNIT_PRICES.most;
    if (!perBaseUnit && oldRates[0] === isOld && isPossible) return candidates[0]!;
    return candidates.reduce((best, one) =>
      distanceToOne(price / one.rate) < distanceToOne(price / best.rate) ? one : best,
    );
  }

  /**
   * The rate of a price, made of that of the currency on the other side of a redenomination. With
   * too few units for the level to tell the month must agree: old units before the change, new ones
   * since.
   */
  private byOtherRate(change: CurrencyChange, month: number, { price }: PriceLevel): AppliedRate | 'unclear' {
    const source = change.otherThan(this.currency);
    const published = change.publishedRate(source, month);
    const rateUnits = change.unitsOf(source, month);
    const isOldRate = rateUnits === 'unknown' ? source === change.currency : rateUnits === 'old';
    const dollars = price / (isOldRate ? published / change.units : published);
    const isOldPrice = dollars > Math.sqrt(change.units);
    const wasOld = month < change.firstWholeMonth;
    if (change.units < UNAMBIGUOUS_UNITS && isOldPrice !== wasOld) return 'unclear';
    return change.applied(this.currency, source, published, isOldRate, isOldPrice);
  }
}

const distanceToOne = (value: number) => Math.abs(Math.log(value));
const distance = (change: CurrencyChange, month: number) => Math.abs(month - change.firstWholeMonth);

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
  const relations = relationsOf(currency).map(({ anchor, units, from, until, reference }) => ({
    anchor,
    units,
    firstMonth: firstWholeMonth(from),
    lastMonth: until === null ? Infinity : monthOf(dayFromIso(until)!),
    reference,
    rates: published(anchor),
  }));
  const changes = REDENOMINATIONS.filter(
    (one) => one.currency === currency || one.successor === currency,
  ).map((one) => new CurrencyChange(one, published));
  // Successors have the newer rates.
  changes.sort((one, other) => other.firstMonth - one.firstMonth);
  if (relations.length === 0 && changes.length === 0) return new PublishedRates(currency, own);
  return new RelatedRates(currency, own, relations, changes);
}

/** The first month all of whose days are on or after a date. */
function firstWholeMonth(date: string): number {
  const month = monthOf(dayFromIso(date)!);
  return date.endsWith('-01') ? month : month + 1;
}
