import type { FoundFinding } from '../../findings/finding.js';
import type { Transaction } from '../../database/unit-of-work.js';
import type { ChangedData } from './changed-data.js';

/** Rules that are evaluated together, because they need the same data. */
export interface Check {
  /** The first word of its subjects; unique. */
  readonly name: string;
  /**
   * Whether it compares series, or records, with each other. Then an import of many transactions
   * runs it in the last one only.
   */
  readonly overGroups: boolean;
  /** Subjects that are checked at a time. */
  readonly batch: number;
  /**
   * What to check after a change: names of subjects, such as the uuid of a series or the code of a
   * country. Subjects of existing findings about a changed series are added to these.
   */
  subjectsOf(changed: ChangedData): Promise<Iterable<string>>;
  /** Subjects whose findings have changed by time alone: checked at the end of each import. */
  overdueSubjects?(transaction: Transaction): Promise<Iterable<string>>;
  /** Every subject that there is. */
  allSubjects(transaction: Transaction): Promise<Iterable<string>>;
  /** What the rules find about some subjects, each with its subject from `subjectText`. */
  check(transaction: Transaction, names: readonly string[]): Promise<FoundFinding[]>;
}

/** A subject of a check as findings store it. */
export const subjectText = ({ name }: Pick<Check, 'name'>, subject: string) => `${name} ${subject}`;
