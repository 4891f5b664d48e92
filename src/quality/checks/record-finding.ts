import type { FoundFinding } from '../../ledger/findings/finding.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { MONTHLY, type Period } from '../../price-series/periodicity.js';
import type { RuleName } from '../rules/rule-table.js';
import { foundFinding } from './found-finding.js';

/** What a rule has found about a rate or an index. */
interface RecordFinding {
  readonly rule: RuleName;
  readonly subject: string;
  readonly about: string;
  readonly country?: string;
  readonly period?: Period;
  /** Day number. */
  readonly day: number;
  readonly value?: number;
  readonly expected?: number;
  readonly ratio?: number;
  readonly detail: string;
}

/** A finding about monthly values of a table, which has no series. */
export function recordFinding({ rule, value, expected, ratio, ...found }: RecordFinding): FoundFinding {
  const rounded = (number?: number) => (number === undefined ? null : toSignificantDigits(number));
  return foundFinding(rule, {
    period: MONTHLY,
    ...found,
    value: rounded(value),
    expected: rounded(expected),
    ratio: rounded(ratio),
  });
}

/** A number as per cent, without its sign. */
export const shownPercent = (share: number) => `${Number(Math.abs(share * 100).toPrecision(3))} %`;
