import type { FindingRow } from '../../ledger/findings/finding.entity.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { findingSubjects } from '../../ledger/findings/stored-findings.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { ChangedData } from './changed-data.js';
import type { CheckedSeriesReader } from './checked-series-reader.js';

/** Changes that a check is asked about. */
interface FollowedChanges {
  /** Of series: all, all but those of which only values of points have changed, or none. */
  readonly series: 'all' | 'all but values' | 'none';
  /**
   * Tables whose new and removed records matter, and changed ones: with other values of its
   * `attributes`, of any column where it names none.
   */
  readonly tables: readonly string[];
}

/** Rules that are evaluated together, because they need the same data. */
export interface Check {
  /** The first word of its subjects; unique. */
  readonly name: string;
  /**
   * The columns of records that its findings depend on, by the name of the table: other values of
   * others leave them as they are.
   */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** The changes that it is asked about, besides other `attributes` of series. */
  readonly follows: FollowedChanges;
  /** Subjects that are checked at a time. */
  readonly batch: number;
  /**
   * What to check after a change that it follows: names of subjects, such as the uuid of a series
   * or the code of a country. Subjects of existing findings about a changed series are added.
   */
  subjectsOf(changed: ChangedData): Promise<Iterable<string>>;
  /** Subjects whose findings have changed by time alone: checked at the end of each import. */
  overdueSubjects?(transaction: Transaction): Promise<Iterable<string>>;
  /** Every subject that there is. */
  allSubjects(transaction: Transaction): Promise<Iterable<string>>;
  /**
   * Whether a standing correction affects what a finding about records that has ended was about;
   * those about series name their points.
   */
  isCorrected?(transaction: Transaction, finding: FindingRow): Promise<boolean>;
  /**
   * What the rules find about some subjects, each with its subject from `subjectText`.
   * @param points reads those of series, for all checks of the transaction
   */
  check(
    transaction: Transaction,
    names: readonly string[],
    points: CheckedSeriesReader,
  ): Promise<FoundFinding[]>;
}

/** A subject of a check as findings store it. */
export const subjectText = ({ name }: Pick<Check, 'name'>, subject: string) => `${name} ${subject}`;

/** Every subject of a check: those that there are, and those of stored findings. */
export async function everySubject(
  transaction: Transaction,
  check: Pick<Check, 'name' | 'allSubjects'>,
): Promise<Set<string>> {
  const names = new Set(await check.allSubjects(transaction));
  const prefix = subjectText(check, '');
  for (const subject of await findingSubjects(transaction, prefix)) names.add(subject.slice(prefix.length));
  return names;
}
