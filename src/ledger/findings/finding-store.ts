import { createHash } from 'node:crypto';
import { assignments, placeholders, rowPlaceholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../unit-of-work.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { FindingState, FoundFinding, ShownMember } from './finding.js';
import type { FindingRow } from './finding.entity.js';

/** Values of one statement. */
const BATCH = 500;
/** Characters of a detail. */
const MAX_DETAIL = 1000;

/** The columns that follow the data; the others say what became of a finding. */
const CONTENT = [
  'severity',
  'scope',
  'serie_id',
  'iso3_country_code',
  'period',
  'day',
  'value',
  'expected',
  'ratio',
  'members',
  'detail',
] as const satisfies readonly (keyof FindingRow)[];

type Content = Pick<FindingRow, (typeof CONTENT)[number]>;

/** Subjects that were checked together, and what was found about them. */
export interface CheckedSubjects {
  readonly subjects: readonly string[];
  readonly found: readonly FoundFinding[];
  /**
   * Of one that has ended and is not about series: whether a standing correction affects it.
   * Undefined for checks of series.
   */
  readonly isCorrected: ((transaction: Transaction, finding: FindingRow) => Promise<boolean>) | undefined;
}

/**
 * Makes the stored findings about some subjects those that were found: new ones open; those that
 * are no longer there end, as `corrected` or `gone`; those that are back open again, with their
 * ids. A dismissed one stays so as long as its members and values are the same.
 * @param checked what was checked: other findings are left
 * @returns what became of them
 */
export async function saveFindings(
  transaction: Transaction,
  checked: readonly CheckedSubjects[],
): Promise<SavedFindings> {
  const saved = { opened: [] as string[], ended: [] as string[], unchanged: [] as string[] };
  const stored = await storedFindings(
    transaction,
    checked.flatMap(({ subjects }) => subjects),
  );
  for (const { subjects, found, isCorrected } of checked) {
    const before = new Map(subjects.flatMap((subject) => [...(stored.get(subject) ?? [])]));
    for (const finding of found) {
      const key = keyOf(finding);
      const id = identityOf(finding.subject, key);
      const row = before.get(id);
      before.delete(id);
      const opens =
        row === undefined ? await insert(transaction, key, finding) : await update(transaction, row, finding);
      (opens ? saved.opened : saved.unchanged).push(finding.rule);
    }
    const ended = [...before.values()];
    await endFindings(transaction, ended, isCorrected);
    for (const { state, rule } of ended)
      if (state === 'open' || state === 'dismissed') saved.ended.push(rule);
  }
  return saved;
}

/** What became of the findings about some subjects: their rules, one entry for each finding. */
export interface SavedFindings {
  /** New, or open again. */
  readonly opened: readonly string[];
  /** No longer there. */
  readonly ended: readonly string[];
  /** Open or dismissed as before, if with other numbers. */
  readonly unchanged: readonly string[];
}

/** A text of fixed length, whatever the finding is about. */
const keyOf = ({ rule, about }: Pick<FoundFinding, 'rule' | 'about'>) =>
  createHash('sha256').update(`${rule} ${about}`).digest('hex').slice(0, 32);

/** Whether a stored finding is the one of its rule about something. */
export const isAbout = ({ rule, finding_key }: FindingRow, about: string): boolean =>
  finding_key === keyOf({ rule, about });

/** Identifies a finding: a key is unique within its subject. */
const identityOf = (subject: string, key: string) => `${subject} ${key}`;

/** The findings about some subjects, by subject, and there by subject and key. */
async function storedFindings(
  transaction: Transaction,
  subjects: readonly string[],
): Promise<Map<string, Map<string, FindingRow>>> {
  const stored = new Map<string, Map<string, FindingRow>>();
  for (const batch of batchesOf(subjects, BATCH)) {
    const rows = await transaction.rows<FindingRow>(
      `SELECT * FROM finding WHERE subject IN (${placeholders(batch.length)})`,
      batch,
    );
    for (const row of rows) {
      const id = identityOf(row.subject, row.finding_key);
      const ofSubject = stored.get(row.subject);
      if (ofSubject === undefined) stored.set(row.subject, new Map([[id, row]]));
      else ofSubject.set(id, row);
    }
  }
  return stored;
}

async function insert(transaction: Transaction, key: string, finding: FoundFinding): Promise<true> {
  const values: Partial<FindingRow> = {
    subject: finding.subject,
    finding_key: key,
    rule: finding.rule,
    state: 'open',
    ...contentOf(finding),
    change_set_id: await transaction.changeSetId(),
    since: transaction.revision,
  };
  // Not by `transaction.insert`: commands run without entities.
  const columns = Object.keys(values);
  const { insertId } = await transaction.execute(
    `INSERT INTO finding (${columns.join(', ')}) VALUES (${placeholders(columns.length)})`,
    Object.values(values),
  );
  await insertMembers(transaction, insertId, finding);
  transaction.markModified('findings');
  return true;
}

/** @returns whether it was not open before */
async function update(transaction: Transaction, row: FindingRow, finding: FoundFinding): Promise<boolean> {
  const content = contentOf(finding);
  const sameMembers =
    isSame(row, content, ['serie_id', 'day', 'members']) &&
    (finding.series.length < NAMED_MEMBERS || (await hasMembers(transaction, row.id, finding)));
  const isBack = row.state === 'corrected' || row.state === 'gone';
  const opens = isBack || (row.state === 'dismissed' && !(sameMembers && isSame(row, content, ['value'])));
  if (!opens && sameMembers && isSame(row, content, CONTENT)) return false;
  const values: Partial<FindingRow> = { ...content, since: transaction.revision };
  if (opens) {
    Object.assign(values, { state: 'open', reason: '', change_set_id: await transaction.changeSetId() });
  }
  const set = assignments(Object.keys(values));
  await transaction.execute(`UPDATE finding SET ${set} WHERE id = ?`, [
    ...(Object.values(values) as SqlValue[]),
    row.id,
  ]);
  if (!sameMembers) {
    await transaction.execute('DELETE FROM finding_member WHERE finding_id = ?', [row.id]);
    await insertMembers(transaction, row.id, finding);
  }
  transaction.markModified('findings');
  return opens;
}

const isSame = (row: FindingRow, content: Content, columns: readonly (keyof Content)[]) =>
  columns.every((name) => row[name] === content[name]);

function contentOf(finding: FoundFinding): Content {
  const { severity, scope, country, period, day, value, expected, ratio, series, detail } = finding;
  const single = scope === 'point' || scope === 'series' ? series[0] : undefined;
  return {
    severity,
    scope,
    serie_id: single?.serieId ?? null,
    iso3_country_code: country,
    period,
    day,
    value,
    expected: rounded(expected),
    ratio: rounded(ratio),
    members: single === undefined ? membersText(finding) : null,
    detail: shortened(detail),
  };
}

/** As every number of the service; the engines would round the others differently. */
const rounded = (value: number | null) => (value === null ? null : toSignificantDigits(value));

/** A detail as it is stored: names may be long. */
const shortened = (detail: string) =>
  detail.length <= MAX_DETAIL
    ? detail
    : `${detail.slice(0, MAX_DETAIL - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Members that are named: more may not fit into a server's `text` of 64 kB. */
const NAMED_MEMBERS = 600;

/** The first members of a group as JSON, in a fixed order; null where there are none. */
function membersText({ series, records = [] }: FoundFinding): string | null {
  const members: ShownMember[] = [
    ...records,
    ...series
      .slice(0, NAMED_MEMBERS)
      .map(({ uuid, day, value }) => (day === null ? { uuid } : { uuid, date: isoFromDay(day), value })),
  ];
  return members.length === 0 ? null : JSON.stringify(members);
}

/** Whether the stored members are those of a finding: with so many, the text does not name all. */
async function hasMembers(
  transaction: Transaction,
  findingId: number,
  { series }: FoundFinding,
): Promise<boolean> {
  const stored = await transaction.arrays<[serieId: number, day: number]>(
    'SELECT serie_id, day FROM finding_member WHERE finding_id = ?',
    [findingId],
  );
  const keys = new Set(stored.map(([serieId, day]) => `${serieId} ${day}`));
  return (
    keys.size === series.length && series.every(({ serieId, day }) => keys.has(`${serieId} ${day ?? 0}`))
  );
}

async function insertMembers(
  transaction: Transaction,
  findingId: number,
  { series }: FoundFinding,
): Promise<void> {
  for (const batch of batchesOf(series, BATCH)) {
    await transaction.execute(
      `INSERT INTO finding_member (serie_id, day, finding_id) VALUES ${rowPlaceholders(batch.length, 3)}`,
      batch.flatMap(({ serieId, day }) => [serieId, day ?? 0, findingId]),
    );
  }
}

/** Sets what a maintainer makes of a finding. @param changeSetId that has opened it */
export async function setFindingState(
  transaction: Transaction,
  id: number,
  { state, reason, changeSetId }: { state: FindingState; reason: string; changeSetId: number | null },
): Promise<void> {
  await transaction.execute(
    'UPDATE finding SET state = ?, reason = ?, change_set_id = ?, since = ? WHERE id = ?',
    [state, reason, changeSetId, transaction.revision, id],
  );
  transaction.markModified('findings');
}

/** Sets what becomes of findings that are no longer there. */
async function endFindings(
  transaction: Transaction,
  findings: readonly FindingRow[],
  isCorrected: CheckedSubjects['isCorrected'],
): Promise<void> {
  const corrected = await correctedAmong(transaction, findings, isCorrected);
  for (const state of ['corrected', 'gone'] as const satisfies FindingState[]) {
    const ids = findings
      .filter((row) => row.state !== state && corrected.has(row.id) === (state === 'corrected'))
      .map(({ id }) => id);
    for (const batch of batchesOf(ids, BATCH)) {
      await transaction.execute(
        `UPDATE finding SET state = ?, reason = '', since = ? WHERE id IN (${placeholders(batch.length)})`,
        [state, transaction.revision, ...batch],
      );
      transaction.markModified('findings');
    }
  }
}

/** The ids of the findings of which a standing correction affects a member. */
async function correctedAmong(
  transaction: Transaction,
  findings: readonly FindingRow[],
  isCorrected: CheckedSubjects['isCorrected'],
): Promise<Set<number>> {
  const corrected = new Set<number>();
  if (isCorrected !== undefined) {
    for (const row of findings) if (await isCorrected(transaction, row)) corrected.add(row.id);
    return corrected;
  }
  for (const batch of batchesOf(findings, BATCH)) {
    const ids = batch.map(({ id }) => id);
    const rows = await transaction.rows<{ id: number }>(
      'SELECT DISTINCT m.finding_id AS id FROM finding_member m JOIN correction c ON c.serie_id = m.serie_id' +
        ` WHERE m.finding_id IN (${placeholders(ids.length)}) AND c.state = 'standing'` +
        ' AND (m.day = 0 OR m.day = c.day)',
      ids,
    );
    for (const { id } of rows) corrected.add(id);
  }
  return corrected;
}
