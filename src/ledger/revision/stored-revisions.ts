import type { Reads } from '../../database/reads.js';
import { selectByIds } from '../../database/select-by-ids.js';
import { placeholders } from '../../database/sql.js';
import type { ChangeSetKind } from '../changes/change-set.js';
import type { RevisionMark } from '../transaction.js';

/** The revisions as `r` with their change sets as `c`, for a FROM clause. */
export const REVISIONS = 'revision r JOIN change_set c ON c.id = r.change_set_id';

/** The numbers of the revisions of a change set, whose id is bound. */
export const REVISIONS_OF_CHANGE_SET = '(SELECT number FROM revision WHERE change_set_id = ?)';

/** The number of the first revision: what is from before versions were kept is known since then. */
export const FIRST_REVISION = '(SELECT MIN(number) FROM revision)';

/** The change set that has created a revision. @param number an expression */
export const changeSetOfRevision = (number: string): string =>
  `(SELECT change_set_id FROM revision WHERE number = ${number})`;

/** When a revision was committed. @param number an expression */
export const timeOfRevision = (number: string): string =>
  `(SELECT \`at\` FROM revision WHERE number = ${number})`;

/** The first or last revision of a change set. @param changeSet an expression */
export const revisionOf = (which: 'MIN' | 'MAX', changeSet: string): string =>
  `(SELECT ${which}(number) FROM revision r WHERE r.change_set_id = ${changeSet})`;

/** The newest revision up to a number. */
export async function lastRevisionUpTo(reads: Pick<Reads, 'arrays'>, number: number): Promise<RevisionMark> {
  const [row] = await reads.arrays<[number | string, string]>(
    'SELECT number, mark FROM revision WHERE number <= ? ORDER BY number DESC LIMIT 1',
    [number],
  );
  return { number: Number(row![0]), mark: row![1] };
}

/** The revisions of a change set. */
export async function revisionsOf(reads: Pick<Reads, 'rows'>, changeSetId: number): Promise<number[]> {
  const rows = await reads.rows<{ number: number | string }>(
    'SELECT number FROM revision WHERE change_set_id = ?',
    [changeSetId],
  );
  return rows.map(({ number }) => Number(number));
}

/** Of some revisions, those of change sets of a kind. */
export async function revisionsOfKind(
  reads: Pick<Reads, 'rows'>,
  numbers: readonly number[],
  kind: ChangeSetKind,
): Promise<Set<number>> {
  const rows = await selectByIds<{ number: number | string }>(
    reads,
    `SELECT r.number FROM ${REVISIONS} WHERE c.kind = ? AND r.number IN ({ids})`,
    numbers,
    [kind],
  );
  return new Set(rows.map(({ number }) => Number(number)));
}

/** The mark that tells a revision from others of its number; undefined where there is none. */
export async function markOf(reads: Pick<Reads, 'arrays'>, number: number): Promise<string | undefined> {
  const [row] = await reads.arrays<[string]>('SELECT mark FROM revision WHERE number = ?', [number]);
  return row?.[0];
}

/** When a revision was committed, and by which change set. */
export interface RevisionOperation {
  /** An instant in ISO 8601. */
  readonly at: string;
  readonly changeSet: { readonly id: number; readonly kind: ChangeSetKind; readonly reason: string };
}

/** Some revisions by their numbers, those that there are. @param numbers as many as can be bound */
export async function readRevisionOperations(
  reads: Pick<Reads, 'arrays'>,
  numbers: readonly number[],
): Promise<Map<number, RevisionOperation>> {
  if (numbers.length === 0) return new Map();
  type Row = [number: number | string, at: string, id: number, kind: ChangeSetKind, reason: string];
  const rows = await reads.arrays<Row>(
    `SELECT r.number, r.\`at\`, c.id, c.kind, c.reason FROM ${REVISIONS}` +
      ` WHERE r.number IN (${placeholders(numbers.length)})`,
    numbers,
  );
  return new Map(
    rows.map(([number, at, id, kind, reason]) => [Number(number), { at, changeSet: { id, kind, reason } }]),
  );
}
