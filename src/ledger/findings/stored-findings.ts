import { Conditions, inIds } from '../../database/newest-first.js';
import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { FindingRow } from './finding.entity.js';

/** Values of one statement. */
const BATCH = 500;

/** The findings as `f`, for the FROM clause of lists and counts. */
export const STORED_FINDINGS = 'finding f';

/** The condition that a finding `f` names no series, neither alone nor as the member of a group. */
export const NAMES_NO_SERIES = 'NOT EXISTS (SELECT 1 FROM finding_member m WHERE m.finding_id = f.id)';

/** The condition that a finding `f` names one of some series. */
export function namesSeries(serieIds: readonly number[]): ReturnType<typeof inIds> {
  const { sql, values } = inIds('serie_id', serieIds);
  return { sql: `f.id IN (SELECT finding_id FROM finding_member WHERE ${sql})`, values };
}

/** The subjects of findings that begin with a text. */
export async function findingSubjects(
  reads: Pick<Reads, 'rows'>,
  prefix: string,
  { sql, values } = new Conditions(),
): Promise<string[]> {
  const rows = await reads.rows<{ subject: string }>(
    `SELECT DISTINCT subject FROM ${STORED_FINDINGS} WHERE ${sql} AND subject LIKE ?`,
    [...values, `${prefix}%`],
  );
  return rows.map(({ subject }) => subject);
}

/** What the findings about subjects that begin with a text say, open ones and dismissed ones. */
export const standingFindings = (
  reads: Pick<Reads, 'rows'>,
  prefix: string,
): Promise<Pick<FindingRow, 'subject' | 'rule' | 'detail'>[]> =>
  reads.rows(
    `SELECT subject, rule, detail FROM ${STORED_FINDINGS}` +
      " WHERE state IN ('open', 'dismissed') AND subject LIKE ?",
    [`${prefix}%`],
  );

/** Whether there is a finding that meets conditions. */
export async function anyFinding(reads: Pick<Reads, 'rows'>, { sql, values }: Conditions): Promise<boolean> {
  return (await reads.rows(`SELECT 1 FROM ${STORED_FINDINGS} WHERE ${sql} LIMIT 1`, values)).length > 0;
}

/** A subject of findings, and a series that one of them names. */
type SubjectOfSeries = [subject: string, serieId: number];

/** The subjects of all findings that name some series. */
export async function subjectsOfSeries(
  reads: Pick<Reads, 'arrays'>,
  serieIds: readonly number[],
): Promise<SubjectOfSeries[]> {
  const subjects: SubjectOfSeries[] = [];
  for (const batch of batchesOf(serieIds, BATCH)) {
    const found = await reads.arrays<SubjectOfSeries>(
      'SELECT DISTINCT f.subject, m.serie_id FROM finding_member m JOIN finding f ON f.id = m.finding_id' +
        ` WHERE m.serie_id IN (${placeholders(batch.length)})`,
      batch,
    );
    for (const row of found) subjects.push(row);
  }
  return subjects;
}

/** The ids of the series that findings name. */
export async function seriesWithFindings(reads: Pick<Reads, 'rows'>): Promise<number[]> {
  const rows = await reads.rows<{ serie_id: number }>('SELECT DISTINCT serie_id FROM finding_member');
  return rows.map(({ serie_id }) => serie_id);
}
