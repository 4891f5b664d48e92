import type { FoundFinding } from '../../ledger/findings/finding.js';
import { RULES, type RuleName } from '../rules/rule-table.js';

/** What a rule has found. What is left out is null or empty. */
export const foundFinding = (
  rule: RuleName,
  found: Pick<FoundFinding, 'subject' | 'detail'> & Partial<FoundFinding>,
): FoundFinding => ({
  rule,
  severity: RULES[rule].severity,
  scope: RULES[rule].scope,
  about: '',
  country: null,
  period: null,
  day: null,
  value: null,
  expected: null,
  ratio: null,
  series: [],
  ...found,
});
