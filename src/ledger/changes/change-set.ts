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
export type ChangeSetState = (typeof CHANGE_SET_STATES)[number];

/** Most characters of a reason. */
export const MAX_REASON_LENGTH = 500;

/** A change set that consists of one transaction. */
export interface NewChangeSet {
  readonly kind: Exclude<ChangeSetKind, 'import' | 'migration'>;
  /** Why, in the words of whoever changes the data; public. */
  readonly reason: string;
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

/** What kind of change set one is that is stored. */
export async function readChangeSetKind(transaction: Transaction, id: number): Promise<ChangeSetKind> {
  const [row] = await transaction.rows<{ kind: ChangeSetKind }>('SELECT kind FROM change_set WHERE id = ?', [
    id,
  ]);
  return row!.kind;
}
