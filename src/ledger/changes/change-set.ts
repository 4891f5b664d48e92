import type { SqlValue } from '../../database/database.js';
import { assignments } from '../../database/sql.js';
import type { Transaction } from '../unit-of-work.js';

/** The kinds of change sets: what kind of operation changed data. */
export const CHANGE_SET_KINDS = [
  'import',
  'correction',
  'record',
  'merge',
  'revert',
  'sample',
  'findings',
  'migration',
] as const;
export type ChangeSetKind = (typeof CHANGE_SET_KINDS)[number];

export const CHANGE_SET_STATES = ['running', 'done', 'failed', 'interrupted'] as const;
type ChangeSetState = (typeof CHANGE_SET_STATES)[number];

/** Most characters of a reason. */
export const MAX_REASON_LENGTH = 500;

/** A change set that consists of one transaction. */
export interface NewChangeSet {
  readonly kind: Exclude<ChangeSetKind, 'import' | 'migration'>;
  /** Why, in the words of whoever changes the data; public. */
  readonly reason: string;
  /** The import format that it changes, if it is about one. */
  readonly format?: string;
  /** True where it may take more than a few milliseconds: then it has a commit for itself. */
  readonly alone?: boolean;
}

/** A new change set, or the id of one that more transactions belong to. */
export type ChangeSetReference = NewChangeSet | number;

/** A row of `change_set` that is about to be inserted. */
export interface ChangeSetRow {
  readonly kind: ChangeSetKind;
  readonly state: ChangeSetState;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly reason: string;
  readonly input?: string;
  readonly format?: string;
  readonly source?: string;
}

/** @returns its id */
export async function insertChangeSet(transaction: Transaction, row: ChangeSetRow): Promise<number> {
  const { kind, state, startedAt, endedAt, reason, input = '', format = '', source = '' } = row;
  const { insertId } = await transaction.execute(
    'INSERT INTO change_set (kind, state, started_at, ended_at, reason, input, format, source)' +
      ' VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    [kind, state, startedAt, endedAt, reason, input, format, source],
  );
  return insertId;
}

/** Columns of a change set that get other values. */
interface ChangeSetChanges {
  readonly state?: ChangeSetState;
  /** An instant, or null while it runs. */
  readonly ended_at?: string | null;
  readonly digest?: string;
  /** Of what it has done, as its report has them. */
  readonly counts?: object;
  /** The change set that it reverts, or the one that reverts it. */
  readonly reverts?: number;
  readonly reverted_by?: number | null;
}

/** Changes a change set that is stored. */
export async function updateChangeSet(
  transaction: Transaction,
  id: number,
  changes: ChangeSetChanges,
): Promise<void> {
  const set = assignments(Object.keys(changes));
  const values = Object.entries(changes).map(([column, value]) =>
    column === 'counts' ? JSON.stringify(value) : (value as SqlValue),
  );
  await transaction.execute(`UPDATE change_set SET ${set} WHERE id = ?`, [...values, id]);
}

/** What kind of change set one is that is stored. */
export async function readChangeSetKind(transaction: Transaction, id: number): Promise<ChangeSetKind> {
  const [row] = await transaction.rows<{ kind: ChangeSetKind }>('SELECT kind FROM change_set WHERE id = ?', [
    id,
  ]);
  return row!.kind;
}
