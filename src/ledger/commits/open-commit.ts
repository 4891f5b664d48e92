import type { Revisions } from '../../database/revisions.js';
import { NewerSchemaError } from '../../database/errors/driver-errors.js';
import { SCHEMA_VERSION } from '../../database/migrations/index.js';
import { rowPlaceholders } from '../../database/sql.js';
import type { Statements } from '../../database/write-transaction.js';
import { instantText, type Clock } from '../../platform/clock/clock.js';
import { saveChanges } from '../changes/change-list.js';
import type { RevisionArea } from '../revision/data-revision.js';
import type { CommitFollower, RevisionMark } from '../transaction.js';
import { FollowedOperations, type Operation } from './operation.js';

/** The columns of areas in `data_revision`. */
const AREA_COLUMNS = {
  references: 'reference_revision',
  series: 'series_revision',
  rates: 'rates_revision',
  findings: 'findings_revision',
} as const satisfies Record<RevisionArea, keyof RevisionRow>;
const AREAS = Object.keys(AREA_COLUMNS) as RevisionArea[];

/**
 * A commit that is being made: its operations one after the other, then the followers of all of
 * them, then a revision for each that has changed published data.
 */
export class OpenCommit {
  /** What the commit has created, once it has ended; null if no published data were changed. */
  revisions: Revisions | null = null;
  /** Those that have changed published data. */
  private readonly operations: Operation[] = [];

  private constructor(
    readonly statements: Statements,
    /** The data revision before it, locked; null where no published data are to be changed. */
    private readonly locked: RevisionRow | null,
    private readonly followers: readonly CommitFollower[],
    private readonly clock: Clock,
  ) {}

  /**
   * @param locks whether the data revision is locked. As the first statement of the transaction,
   * which makes deadlocks between writers impossible, and its reads as new as the lock.
   * @throws NewerSchemaError
   */
  static async begin(
    statements: Statements,
    locks: boolean,
    followers: readonly CommitFollower[],
    clock: Clock,
  ): Promise<OpenCommit> {
    const lock = statements.embedded ? '' : ' FOR UPDATE';
    const locked = locks ? await readRevision(statements, lock) : null;
    return new OpenCommit(statements, locked, followers, clock);
  }

  /** The newest revision, of this commit or of those before it. */
  get newest(): RevisionMark | null {
    if (this.locked === null) return null;
    const mark = this.operations.at(-1)?.mark ?? this.locked.mark;
    return mark === null ? null : { number: this.nextRevision - 1, mark };
  }

  /** The number of the next one; 0 where there will be none. */
  get nextRevision(): number {
    return this.locked === null ? 0 : Number(this.locked.revision) + this.operations.length + 1;
  }

  /** Adds an operation whose statements have been executed. */
  add(operation: Operation): void {
    if (operation.changesData) this.operations.push(operation);
  }

  /** Has each operation answered after the other workers have seen what the commit has created. */
  setPublished(published: Promise<void>): void {
    for (const operation of this.operations) operation.published = published;
  }

  /**
   * Calls the followers, stamps the changed series, lists what has changed and increments the
   * revision: a reader that has seen revision n has seen every series stamped up to n.
   * @throws NewerSchemaError
   */
  async finish(): Promise<void> {
    const { locked, operations, statements } = this;
    if (operations.length === 0) {
      // The statements before may have waited: whether the release may write is decided now.
      if (locked === null) await readRevision(statements, '');
      return;
    }
    if (locked === null) throw new Error('Published data change in change sets only.');
    const isFollowed = operations.every((operation) => operation.isFollowed) && this.followers.length > 0;
    if (isFollowed) {
      const followed = new FollowedOperations(this, operations, this.clock);
      for (const follower of this.followers) await follower.beforeCommit(followed, followed.changes);
    }
    await saveChanges(statements, operations);
    const now = instantText(this.clock.now());
    const at = now > locked.at ? now : locked.at;
    const rows = [];
    for (const operation of operations)
      rows.push([operation.revision, at, await operation.changeSetId(), operation.mark]);
    await statements.executeWithNext(
      `INSERT INTO revision (number, \`at\`, change_set_id, mark) VALUES ${rowPlaceholders(rows.length, 4)}`,
      rows.flat(),
    );
    const revisions = this.revisionsOf(locked);
    // What an import or an older release has left is not for a single write to follow.
    const followsAll = isFollowed && Number(locked.checked_revision) >= Number(locked.revision);
    const { all, references, series, rates, findings } = revisions;
    await statements.executeWithNext(
      'UPDATE data_revision SET revision = ?, reference_revision = ?, series_revision = ?, rates_revision = ?,' +
        ` findings_revision = ?, \`at\` = ?${followsAll ? ', checked_revision = ?' : ''} WHERE id = 1`,
      [all, references, series, rates, findings, at, ...(followsAll ? [all] : [])],
    );
    this.revisions = revisions;
  }

  private revisionsOf(locked: RevisionRow): Revisions {
    const revisions = Object.fromEntries(
      AREAS.map((area) => {
        const last = this.operations.findLast(({ areas }) => areas.has(area));
        return [area, last?.revision ?? Number(locked[AREA_COLUMNS[area]])];
      }),
    ) as Record<RevisionArea, number>;
    return {
      all: this.operations.at(-1)!.revision,
      ...revisions,
      oldestWriter: Number(locked.oldest_writer),
    };
  }
}

/** The row of `data_revision`: servers return big integers as text. */
type RevisionRow = Record<
  | 'revision'
  | 'reference_revision'
  | 'series_revision'
  | 'rates_revision'
  | 'findings_revision'
  | 'checked_revision'
  | 'oldest_writer',
  number | string
> & { at: string; mark: string | null };

/** @throws NewerSchemaError */
async function readRevision(statements: Statements, lock: string): Promise<RevisionRow> {
  const [row] = await statements.rows<RevisionRow>(
    `SELECT d.*, r.mark FROM data_revision d LEFT JOIN revision r ON r.number = d.revision WHERE d.id = 1${lock}`,
  );
  if (Number(row!.oldest_writer) > SCHEMA_VERSION) throw new NewerSchemaError();
  return row!;
}
