import type { MonthlySeries } from './monthly-values.js';
import { RULES } from './rule-table.js';

/** Months in a row in which a rate hardly moves. */
interface StillMonths {
  readonly first: number;
  readonly last: number;
}

/** Months in which a rate is the same while prices rise. */
interface FrozenMonths extends StillMonths {
  readonly country: string;
  /** Of the index, at its steepest: last ÷ first of as many months as the rule asks. */
  readonly rise: number;
}

/** The spans of as many months as the rule asks, each with a rate, in which it hardly moves. */
export function stillSpans({ months, values }: MonthlySeries): StillMonths[] {
  const { rates: count, within } = RULES.rate_frozen.thresholds;
  const spans: StillMonths[] = [];
  for (let to = count - 1; to < months.length; to++) {
    const first = months[to - count + 1]!;
    if (months[to]! - first !== count - 1) continue;
    const span = values.slice(to - count + 1, to + 1);
    if (Math.max(...span) / Math.min(...span) <= 1 + within) spans.push({ first, last: months[to]! });
  }
  return spans;
}

/**
 * The months in which a rate hardly moves while a general index rises. Spans that overlap are one.
 * @param spans from `stillSpans`, oldest first
 * @param indices general indices of the countries that use the currency; of each base period one
 */
export function frozenMonths(
  spans: readonly StillMonths[],
  indices: readonly { readonly country: string; readonly index: MonthlySeries }[],
): FrozenMonths[] {
  const byMonth = indices.map(({ country, index: { months, values } }) => ({
    country,
    values: new Map(months.map((month, at) => [month, values[at]!])),
  }));
  const found: FrozenMonths[] = [];
  for (const { first, last } of spans) {
    let steepest: { country: string; rise: number } | null = null;
    for (const { country, values } of byMonth) {
      const rise = values.get(last)! / values.get(first)!;
      if (rise >= 1 + RULES.rate_frozen.thresholds.index_rise && rise < Infinity) {
        if (steepest === null || rise > steepest.rise) steepest = { country, rise };
      }
    }
    if (steepest === null) continue;
    const before = found.at(-1);
    if (before === undefined || before.last < first) found.push({ first, last, ...steepest });
    else
      found[found.length - 1] = {
        ...(steepest.rise > before.rise ? steepest : before),
        first: before.first,
        last,
      };
  }
  return found;
}
