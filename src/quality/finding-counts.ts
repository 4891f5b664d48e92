import type { Conditions } from '../database/newest-first.js';
import type { Reads } from '../database/reads.js';
import { FINDING_STATES, type FindingState } from '../ledger/findings/finding.js';
import { STORED_FINDINGS } from '../ledger/findings/stored-findings.js';
import { ApiSchema, OrNull } from '../platform/validation/field.js';
import { Count, Iso3, OneOf } from '../platform/validation/fields.js';
import { RULE_NAMES } from './rules/rule-table.js';
import { columnsOf } from '../platform/formats/columns.js';

/** How many findings of a rule are in a state in a country. */
@ApiSchema()
export class FindingCount {
  @OrNull(Iso3({ description: 'Null for those of no single country' }))
  iso3_country_code!: string | null;
  @OneOf(RULE_NAMES) rule!: string;
  @OneOf(FINDING_STATES) state!: FindingState;
  @Count() count!: number;
}

export const findingCountColumns = columnsOf(FindingCount);

/** Counts findings; by country, those of none first, then rule, then state. */
export async function countFindings(
  reads: Pick<Reads, 'rows'>,
  { sql, values }: Conditions,
): Promise<FindingCount[]> {
  const rows = await reads.rows<FindingCount>(
    'SELECT f.iso3_country_code, f.rule, f.state, COUNT(*) AS count' +
      ` FROM ${STORED_FINDINGS} WHERE ${sql} GROUP BY f.iso3_country_code, f.rule, f.state`,
    values,
  );
  // Servers return counts as text, and sort texts by their collation.
  return rows.map((row) => ({ ...row, count: Number(row.count) })).sort(inOrder);
}

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

const inOrder = (one: FindingCount, other: FindingCount) =>
  byText(one.iso3_country_code ?? '', other.iso3_country_code ?? '') ||
  byText(one.rule, other.rule) ||
  FINDING_STATES.indexOf(one.state) - FINDING_STATES.indexOf(other.state);
