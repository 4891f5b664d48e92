import type { Transaction } from '../../ledger/unit-of-work.js';
import type { StoredJoin } from '../../price-series/joins/stored-joins.js';
import type { ObservationStore } from '../../prices/store/observation-store.js';
import type { MergeAliases } from './merge-aliases.js';
import type { RecordMerge } from './merges.js';
import type { Reader } from './reading.js';
import type { RecordTable } from './record-histories.js';
import type { RevertOperation } from './revert-operation.js';
import { noCounts, type RevertCounts } from './revert-counts.js';
import type { SeriesRevert } from './series-revert.js';
import { recordKeyText, type RecordKey } from './series-references.js';

/** What a step has found out, for those after it. Applied once its transaction is committed. */
export interface StepResult {
  readonly counts: RevertCounts;
  readonly restored: readonly RecordKey[];
  readonly removed: readonly SeriesRevert[];
  /** Series that come back or get former attributes. */
  readonly changed: readonly SeriesRevert[];
  /** Joins that are to be made again, once their series are there. */
  readonly joins: readonly StoredJoin[];
  /** The series that come back for these joins. */
  readonly reinstated: readonly number[];
  readonly repeatedBy: ReadonlySet<number>;
  /** Whether later imports may have repeated rates or indices that stand corrected. */
  readonly hasRepeatedRecords: boolean;
}

/** The result of a step that has done nothing yet. */
export const nothing = (): StepResult => ({
  counts: noCounts(),
  restored: [],
  removed: [],
  changed: [],
  joins: [],
  reinstated: [],
  repeatedBy: new Set(),
  hasRepeatedRecords: false,
});

/** What the steps of a revert have in common. */
export interface RevertContext {
  readonly operation: RevertOperation;
  readonly tables: ReadonlyMap<string, RecordTable>;
  readonly store: ObservationStore;
  /** All merges of records, oldest first. */
  readonly merges: readonly RecordMerge[];
  readonly mergeAliases: MergeAliases;
  /** Of the steps before. */
  readonly before: {
    /** By name. */
    readonly restored: Set<string>;
    readonly removed: SeriesRevert[];
    readonly changed: SeriesRevert[];
    readonly joins: StoredJoin[];
    readonly reinstated: number[];
  };
}

/**
 * Each step reads what is to be done, and does it in the transaction; in a dry run there is none.
 * A step that is repeated does nothing more, but counts the same.
 */
export type Step<T> = (
  context: RevertContext,
  items: readonly T[],
  reader: Reader,
  transaction: Transaction | null,
) => Promise<StepResult>;

/** The context of a revert that has not taken a step yet. */
export const newContext = (
  operation: RevertOperation,
  tables: ReadonlyMap<string, RecordTable>,
  store: ObservationStore,
  merges: readonly RecordMerge[],
  mergeAliases: MergeAliases,
): RevertContext => ({
  operation,
  tables,
  store,
  merges,
  mergeAliases,
  before: { restored: new Set(), removed: [], changed: [], joins: [], reinstated: [] },
});

/** Keeps what later steps need of a step's result. */
export function note({ before }: RevertContext, result: StepResult): void {
  for (const key of result.restored) before.restored.add(recordKeyText(key));
  for (const each of result.removed) before.removed.push(each);
  for (const each of result.changed) before.changed.push(each);
  for (const each of result.joins) before.joins.push(each);
  for (const each of result.reinstated) before.reinstated.push(each);
}
