import type { FoundFinding } from '../../findings/finding.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { MONTHLY, type Period } from '../../price-series/periodicity.js';
import { RULES, type RuleName } from '../rules/rule-table.js';

/** What a rule has found about a rate or an index. */
export interface RecordFinding {
  readonly rule: RuleName;
  readonly severity?: FoundFinding['severity'];
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
export function recordFinding({ rule, ...found }: RecordFinding): FoundFinding {
  const { severity = RULES[rule].severity, subject, about, country, period = MONTHLY, day } = found;
  const { value = null, expected = null, ratio, detail } = found;
  return {
    rule,
    severity,
    scope: RULES[rule].scope,
    subject,
    about,
    country: country ?? null,
    period,
    day,
    value: value === null ? null : toSignificantDigits(value),
    expected: expected === null ? null : toSignificantDigits(expected),
    ratio: ratio === undefined ? null : toSignificantDigits(ratio),
    series: [],
    detail,
  };
}

/** A number as per cent, without its sign. */
export const shownPercent = (share: number) => `${Number(Math.abs(share * 100).toPrecision(3))} %`;
