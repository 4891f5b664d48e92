import { randomInt } from 'node:crypto';

/**
 * A part of the data: the reference tables, series with their points, exchange rates and CPI, or
 * findings about all of these.
 */
export type RevisionArea = 'references' | 'series' | 'rates' | 'findings';

/** The data revision, and the revision at which each area last changed. */
export interface Revisions {
  readonly all: number;
  readonly references: number;
  readonly series: number;
  readonly rates: number;
  readonly findings: number;
  /** The version of the schema that a release must know to write. */
  readonly oldestWriter: number;
}

export const SELECT_REVISIONS =
  'SELECT revision, reference_revision, series_revision, rates_revision, findings_revision, oldest_writer FROM data_revision WHERE id = 1';

/** @param rows the result of `SELECT_REVISIONS`, as arrays */
export function parseRevisions(rows: readonly unknown[][]): Revisions {
  const [row] = rows;
  if (row === undefined) throw new Error('The data revision is missing: run `npm run migrate`.');
  const [all, references, series, rates, findings, oldestWriter] = row.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { all, references, series, rates, findings, oldestWriter };
}

const MARK_BYTES = 6;

/**
 * A random mark of a revision: two databases with the same history until a backup was restored have
 * the same numbers afterwards, but not the same marks.
 */
export function newMark(): string {
  const mark = Buffer.allocUnsafe(MARK_BYTES);
  // Node takes random integers from bytes that it has in store, which costs a tenth.
  mark.writeUIntBE(randomInt(2 ** (8 * MARK_BYTES) - 1), 0, MARK_BYTES);
  return mark.toString('base64url');
}
