import data from './currency-lives.json' with { type: 'json' };

/** When a code of ISO 4217 has been valid. */
interface CurrencyLife {
  /** Three capital letters. */
  readonly code: string;
  /**
   * The first day, as `YYYY-MM-DD`; null for a code of 1978, when the standard began, and for funds
   * and metals.
   */
  readonly from: string | null;
  /** The last day of legal tender; null while it is valid. */
  readonly to: string | null;
  /** Published tables give the years before `from` in the unit of this code. */
  readonly convertedBack?: boolean;
}

/*
 * First and last days are those of legal tender: where two currencies were valid side by side, both
 * codes are. Only facts count, not the days on which the standard was amended, which are often
 * later, nor notes of an old unit that go on at their value in the new one (VEB to 2011).
 * `convertedBack` is set where the IMF's annual averages, the Federal Reserve (VEF) or WFP
 * (SDG, MRU) give the years before a redenomination in the new unit: the level does not jump when
 * the code begins, but for hyperinflations. The IMF gives UYW for Uruguay's peso (UYU), HRD for the
 * kuna (HRK), ITL for San Marino's euro and VED for what was VEF: these are other currencies.
 */

/** The codes of ISO 4217 that are known, valid and withdrawn ones. */
export const currencyLives: readonly CurrencyLife[] = data.currencies;

const byCode = new Map(currencyLives.map((life) => [life.code, life]));

/**
 * What a rate for a code in some days is: one of its life; one from before it in the unit of the
 * code, as sources restate them; or one of no currency that the code stands for, of which nobody
 * knows the unit.
 */
export type LifeRelation = 'within' | 'converted_back' | 'outside';

/** When a code has been valid; null for one that is not in ISO 4217, such as SLS. */
export const currencyLife = (code: string): CurrencyLife | null => byCode.get(code) ?? null;

/**
 * How the days of a rate relate to the life of its code. A code that is not in ISO 4217 has no
 * known life: `within`.
 * @param first the first day that the rate is about, as `YYYY-MM-DD`
 * @param last the last: of a monthly rate that of the month, because a code may begin in it
 */
export function lifeRelation(code: string, first: string, last: string): LifeRelation {
  const life = byCode.get(code);
  if (life === undefined) return 'within';
  if (life.to !== null && first > life.to) return 'outside';
  if (life.from === null || last >= life.from) return 'within';
  return life.convertedBack === true ? 'converted_back' : 'outside';
}
