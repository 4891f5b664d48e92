import { LRUCache } from 'lru-cache';
import { ValidationError } from '../../platform/errors/api-error.js';
import type { Database } from '../../database/database.js';
import type { AsOf } from './as-of.js';
import type { DataRevision } from './data-revision.js';

/** Before the first revision: nothing was known, not even what is older than versions. */
const NO_DATA = -1;

const SELECT_FIRST = 'SELECT number, `at` FROM revision ORDER BY number LIMIT 1';
/** The newest revision up to a number. */
const SELECT_UP_TO = 'SELECT number, `at` FROM revision WHERE number <= ? ORDER BY number DESC LIMIT 1';

type RevisionTime = [number: number | string, at: string];

/** Finds the revision that a request asks for. */
export class PastRevisions {
  /** By instant, of instants that no later commit can change. */
  private readonly final = new LRUCache<string, number>({ max: 1000 });

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
  ) {}

  /**
   * The number of the revision; null where none is asked for, and -1 before the first one.
   * @param name of the parameter, for errors
   * @throws ValidationError where the revision does not exist yet
   */
  async resolve(asOf: AsOf | undefined, name = 'as_of'): Promise<number | null> {
    if (asOf === undefined) return null;
    if (asOf === 'now') return this.newest();
    if ('instant' in asOf) return this.final.get(asOf.instant) ?? this.atInstant(asOf.instant);
    let newest = await this.newest();
    // Another process may have committed it.
    if (asOf.revision > newest) newest = (await this.revision.refresh()).all;
    if (asOf.revision > newest) throw unknownRevision(name, asOf.revision);
    const first = await this.first();
    return asOf.revision < first ? NO_DATA : asOf.revision;
  }

  /** The newest revision. */
  async newest(): Promise<number> {
    return (await this.revision.fresh()).all;
  }

  /** The number of the first revision: what has no other is known since then. */
  async first(): Promise<number> {
    const [row] = await this.database.anyServer.arrays<RevisionTime>(SELECT_FIRST);
    return Number(row![0]);
  }

  /** The last revision that was committed by an instant: times never decrease. */
  private async atInstant(instant: string): Promise<number> {
    const [row] = await this.database.anyServer.arrays<RevisionTime>(SELECT_FIRST);
    let [from, to] = [Number(row![0]), await this.newest()];
    if (row![1] > instant) return NO_DATA;
    const last = await this.upTo(to);
    if (last.at <= instant) return last.number;
    // `from` was committed by the instant, `to` after it.
    while (to - from > 1) {
      const { number, at } = await this.upTo(Math.floor((from + to) / 2));
      if (at <= instant) from = Math.floor((from + to) / 2);
      else to = number;
    }
    this.final.set(instant, from);
    return from;
  }

  private async upTo(number: number): Promise<{ number: number; at: string }> {
    const [row] = await this.database.anyServer.arrays<RevisionTime>(SELECT_UP_TO, [number]);
    return { number: Number(row![0]), at: row![1] };
  }
}

function unknownRevision(name: string, number: number): ValidationError {
  const detail = `${name} names revision ${number}, which does not exist.`;
  return new ValidationError([{ in: 'query', name, code: 'unknown_revision', detail }]);
}

/** The revision as answers name it: 0 before the first one, undefined for the newest state. */
export const shownRevision = (revision: number | null): number | undefined =>
  revision === null ? undefined : Math.max(revision, 0);
