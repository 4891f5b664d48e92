import type { FoundFinding } from '../../../ledger/findings/finding.js';
import { toSignificantDigits } from '../../../lib/numbers/significant-digits.js';
import { isoFromDay } from '../../../lib/dates/calendar-date.js';
import { MONTHLY, type Period } from '../../../price-series/periodicity.js';
import { RULES, type RuleName } from '../../rules/rule-table.js';
import type { SeriesFacts } from '../series-facts.js';

/** What a rule says about a point. */
export interface FindingCandidate {
  readonly rule: RuleName;
  readonly day: number;
  readonly value: number;
  /** Monthly by default. */
  readonly period?: Period;
  /** What distinguishes it from others of the rule in the series; its date by default. */
  readonly about?: string;
  readonly expected?: number;
  readonly ratio?: number;
  /** A sentence with the numbers in it. */
  readonly detail: string;
}

/** @param subject what was checked */
export function pointFinding(
  subject: string,
  { id, uuid, country }: Pick<SeriesFacts, 'id' | 'uuid' | 'country'>,
  { rule, day, value, period = MONTHLY, about = isoFromDay(day), expected, ratio, detail }: FindingCandidate,
): FoundFinding {
  const { severity, scope } = RULES[rule];
  return {
    rule,
    severity,
    scope,
    subject,
    about,
    country,
    period,
    day,
    value,
    expected: expected === undefined ? null : toSignificantDigits(expected),
    ratio: ratio ?? null,
    series: [{ serieId: id, uuid, day, value }],
    detail,
  };
}
