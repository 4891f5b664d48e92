import type { Reads } from '../../database/reads.js';
import {
  JOIN_COLUMNS,
  type JoinRow,
  PLACED_JOINS,
  SeriesJoins,
} from '../../price-series/joins/series-joins.js';

/** A join, with the revisions from which and until which it was in force. */
type KnownJoin = JoinRow & { readonly since: number; readonly until: number | null };

/** All joins of series, in the order in which they were made, also those that have ended. */
export class JoinHistory {
  constructor(private readonly joins: readonly KnownJoin[]) {}

  /** The joins that were in force at a revision. */
  at(revision: number): SeriesJoins {
    return new SeriesJoins(
      this.joins.filter(({ since, until }) => since <= revision && (until === null || until > revision)),
    );
  }

  /** The series and all whose points it has shown at any time. */
  everShown(serieId: number): number[] {
    const found = new Set([serieId]);
    for (const id of found)
      for (const { from_id, into_id } of this.joins) if (into_id === id) found.add(from_id);
    return [...found];
  }

  /** The revisions at which a join into one of these series began or ended. */
  changesOf(serieIds: readonly number[]): number[] {
    return this.joins
      .filter(({ into_id }) => serieIds.includes(into_id))
      .flatMap(({ since, until }) => (until === null ? [since] : [since, until]));
  }
}

/** Reads the joins; there are few, because maintainers make them. */
export async function readJoinHistory(reads: Reads): Promise<JoinHistory> {
  return new JoinHistory(
    await reads.rows<KnownJoin>(
      `SELECT ${JOIN_COLUMNS}, since, until FROM ${PLACED_JOINS} ORDER BY place, id`,
    ),
  );
}
