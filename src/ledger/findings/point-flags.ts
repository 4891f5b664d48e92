import { Injectable } from '@nestjs/common';
import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { Database } from '../../database/database.js';

/** Series of one statement. */
const BATCH = 500;

/** A row: the first one has the revision, the others have none. */
type FlagRow = [revision: number, serieId: number, period: number, day: number, rule: string];

/** In one statement, so that the state of the findings that it reads is certain. */
const selectFlags = (count: number) =>
  "SELECT findings_revision, 0, 0, 0, '' FROM data_revision WHERE id = 1" +
  ' UNION ALL SELECT 0, m.serie_id, COALESCE(f.period, 0), m.day, f.rule' +
  ' FROM finding_member m JOIN finding f ON f.id = m.finding_id' +
  ` WHERE m.serie_id IN (${placeholders(count)}) AND m.day > 0 AND f.state = 'open'`;

/** The rules with open findings about the points of one series. */
export class PointFlags {
  static readonly none = new PointFlags();

  private readonly rules = new Map<string, Set<string>>();

  /** @param period 0 for points of every frequency */
  add(period: number, day: number, rule: string): void {
    const key = `${period} ${day}`;
    const known = this.rules.get(key);
    if (known === undefined) this.rules.set(key, new Set([rule]));
    else known.add(rule);
  }

  /** The names of the rules about a point, in order. */
  of(period: number, day: number): readonly string[] {
    if (this.rules.size === 0) return [];
    const ofPeriod = this.rules.get(`${period} ${day}`) ?? [];
    const ofAll = this.rules.get(`0 ${day}`) ?? [];
    return [...new Set([...ofPeriod, ...ofAll])].sort();
  }
}

/** Reads which points open findings are about: alone, or as members of groups. */
@Injectable()
export class PointFlagReader {
  constructor(private readonly database: Database) {}

  /**
   * The flags of some series, by their ids; series without any are left out.
   * @param revision of the findings
   * @returns null where the database is at another revision
   */
  async read(ids: readonly number[], revision: number): Promise<Map<number, PointFlags> | null> {
    const flags = new Map<number, PointFlags>();
    for (const batch of batchesOf(ids, BATCH)) {
      const [state, ...rows] = await this.database.anyServer.arrays<FlagRow>(
        selectFlags(batch.length),
        batch,
      );
      if (Number(state![0]) !== revision) return null;
      for (const [, serieId, period, day, rule] of rows) {
        let ofSeries = flags.get(serieId);
        if (ofSeries === undefined) flags.set(serieId, (ofSeries = new PointFlags()));
        ofSeries.add(period, day, rule);
      }
    }
    return flags;
  }
}
