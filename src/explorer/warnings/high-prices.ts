import { highShare } from '../../analysis/warnings/group-months.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { html, type Html } from '../../web/html.js';
import { share, wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';

/** What the counts of a warning say. */
type Counts = Pick<WarningRow, 'fresh' | 'rated' | 'high' | 'reason'>;
type Shares = Omit<Counts, 'reason'>;

/** The share of high prices in a few words. */
export function highText(counts: Shares): string {
  const found = highShare(counts);
  const { rated, high } = counts;
  if (found === null) return counts.fresh === 0 ? texts.warnings.noneFresh : texts.warnings.tooFew;
  return high === 0
    ? texts.warnings.noneHigh(wholeNumber(rated))
    : texts.warnings.someHigh(share(found), wholeNumber(high), wholeNumber(rated));
}

/** The same with the number for programs. */
export function highCell(counts: Shares): Html {
  const found = highShare(counts);
  return found === null ? html`${highText(counts)}` : html`<data value="${found}">${highText(counts)}</data>`;
}

/** The same as a sentence about a month: a share, that none is high, or why nothing can be said. */
export function highSentence(counts: Counts, month: string): string {
  const found = highShare(counts);
  const { fresh, rated, high, reason } = counts;
  const numbers = [wholeNumber(high), wholeNumber(rated)] as const;
  if (found !== null) return texts.warnings.sentence(month, found === 0 ? null : share(found), ...numbers);
  if (fresh === 0) return texts.warnings.noFreshSentence(month);
  return texts.warnings.unratedSentence(
    month,
    wholeNumber(fresh),
    fresh === 1,
    reason === null ? null : texts.reason[reason],
  );
}

/** The counts of groups that have no series in common, of one month. */
export function sumOf(rows: readonly WarningRow[]): Counts {
  const reasons = new Map<WarningRow['reason'], number>();
  const sum: Counts = { fresh: 0, rated: 0, high: 0, reason: null };
  for (const { fresh, rated, high, reason } of rows) {
    sum.fresh += fresh;
    sum.rated += rated;
    sum.high += high;
    // Those of a group stand for all its series that are not rated.
    if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + fresh - rated);
  }
  let largest = 0;
  for (const [reason, count] of reasons) if (count > largest) [largest, sum.reason] = [count, reason];
  return sum;
}
