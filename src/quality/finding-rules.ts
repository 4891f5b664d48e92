import type { Column, ColumnType } from '../platform/formats/listing.js';
import { pageParameters } from '../platform/listing/page.js';
import { QuerySchema } from '../platform/validation/query-schema.js';
import { RULES, type Rule } from './rules/rule-table.js';

/** A rule, as responses show it. */
export interface RuleRecord extends Rule {
  readonly rule: string;
}

export const ruleColumns: readonly Column[] = [
  { name: 'rule', type: 'string' },
  { name: 'severity', type: 'string' },
  { name: 'scope', type: 'string' },
  { name: 'description', type: 'string' },
  { name: 'thresholds', type: 'string' },
] satisfies { name: keyof RuleRecord; type: ColumnType }[];

/** The rules, in the order of their table. */
export const ruleRecords: readonly RuleRecord[] = Object.entries(RULES).map(([rule, values]) => ({
  rule,
  severity: values.severity,
  scope: values.scope,
  description: values.description,
  thresholds: values.thresholds,
}));

export const ruleQuery = new QuerySchema(pageParameters);
