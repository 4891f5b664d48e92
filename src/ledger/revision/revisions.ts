import type { Reads } from '../../database/reads.js';

/** The revisions as `r` with their change sets as `c`, for a FROM clause. */
export const REVISIONS = 'revision r JOIN change_set c ON c.id = r.change_set_id';

/** The mark that tells a revision from others of its number; undefined where there is none. */
export async function markOf(reads: Pick<Reads, 'arrays'>, number: number): Promise<string | undefined> {
  const [row] = await reads.arrays<[string]>('SELECT mark FROM revision WHERE number = ?', [number]);
  return row?.[0];
}
