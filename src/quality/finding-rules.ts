import { listQuery } from '../platform/listing/list-parameters.js';
import { pageParameters } from '../platform/listing/page.js';
import { QuerySchema } from '../platform/validation/query-schema.js';
import { FINDING_SCOPES, type FindingScope, SEVERITIES, type Severity } from '../ledger/findings/finding.js';
import { ApiSchema, MapOf } from '../platform/validation/field.js';
import { Decimal, OneOf, Text } from '../platform/validation/fields.js';
import { RULE_NAMES, RULES, type Rule } from './rules/rule-table.js';
import { columnsOf } from '../platform/formats/columns.js';

/** A rule, as responses show it. */
@ApiSchema()
export class FindingRule implements Rule {
  @OneOf(RULE_NAMES) readonly rule!: string;
  @OneOf(SEVERITIES) readonly severity!: Severity;
  @OneOf(FINDING_SCOPES) readonly scope!: FindingScope;
  @Text({ description: 'When it holds, with the names of its thresholds' })
  readonly description!: string;
  @MapOf(Decimal()) readonly thresholds!: Readonly<Record<string, number>>;
}

export const ruleColumns = columnsOf(FindingRule);

/** The rules, in the order of their table. */
export const ruleRecords: readonly FindingRule[] = Object.entries(RULES).map(([rule, values]) => ({
  rule,
  severity: values.severity,
  scope: values.scope,
  description: values.description,
  thresholds: values.thresholds,
}));

export const ruleQuery = listQuery(new QuerySchema(pageParameters), ruleColumns);
