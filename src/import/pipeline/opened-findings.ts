import type { Transaction } from '../../ledger/unit-of-work.js';
import { SEVERITIES, type Severity } from '../../ledger/findings/finding.js';
import { STORED_FINDINGS } from '../../ledger/findings/stored-findings.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, Id, OneOf, Text, Uuid } from '../../platform/validation/fields.js';
import { uuidOf } from '../../price-series/series-views.js';

/** Findings listed in a report; all of them are counted. */
const MAX_LISTED = 100;

/** A finding that an import has opened, as its report shows it. */
export class OpenedFinding {
  @OrNull(Id({ description: 'Null in a dry run' })) readonly id!: number | null;
  @Text() readonly rule!: string;
  @OneOf(SEVERITIES) readonly severity!: Severity;
  /** Of a point or a series. */
  @OrNull(Uuid()) readonly uuid!: string | null;
  @OrNull(CalendarDate()) readonly date!: string | null;
  @OrNull(Decimal({ description: 'The value that was found' })) readonly value!: number | null;
  @OrNull(Decimal({ description: 'The value that would fit' })) readonly expected!: number | null;
  @Text({ description: 'A sentence with the numbers in it' }) readonly detail!: string;
}

/** The findings that an import has opened. */
export interface OpenedFindings {
  /** Numbers by rule. */
  readonly counts: Record<string, number>;
  /** The first of them, errors before others. */
  readonly first: readonly OpenedFinding[];
}

type Row = Omit<OpenedFinding, 'date'> & { day: number | null };

/**
 * Reads the findings that a change set has opened and that are open at the end of it.
 * @param changeSetId null in the transaction of a dry run, whose findings have none
 */
export async function readOpenedFindings(
  transaction: Transaction,
  changeSetId: number | null,
): Promise<OpenedFindings> {
  const condition = changeSetId === null ? 'f.change_set_id IS NULL AND f.since = 0' : 'f.change_set_id = ?';
  const values = changeSetId === null ? [] : [changeSetId];
  const from = `FROM ${STORED_FINDINGS} WHERE ${condition} AND f.state = 'open'`;
  const counts = await transaction.rows<{ rule: string; findings: number | string }>(
    `SELECT f.rule, COUNT(*) AS findings ${from} GROUP BY f.rule ORDER BY f.rule`,
    values,
  );
  const rows = await transaction.rows<Row>(
    `SELECT f.id, f.rule, f.severity, ${uuidOf('f.serie_id')} AS uuid, f.day, f.value, f.expected, f.detail ${from}` +
      " ORDER BY CASE f.severity WHEN 'error' THEN 1 WHEN 'look' THEN 2 ELSE 3 END, f.id" +
      ` LIMIT ${MAX_LISTED}`,
    values,
  );
  return {
    counts: Object.fromEntries(counts.map(({ rule, findings }) => [rule, Number(findings)])),
    first: rows.map(({ id, rule, severity, uuid, day, value, expected, detail }) => ({
      id: changeSetId === null ? null : id,
      rule,
      severity,
      uuid,
      date: day === null ? null : isoFromDay(day),
      value,
      expected,
      detail,
    })),
  };
}
