import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { StoredChangeSet } from '../../ledger/changes/stored-change-sets.js';
import type { Affected } from './affected.js';
import { endJoins, makeJoinsAgain, withReinstated } from './join-steps.js';
import { laterInputs } from './later-inputs.js';
import type { AffectedSeries } from './point-changes.js';
import type { Reader } from './reading.js';
import { note, type RevertContext, type Step, type StepResult } from './revert-context.js';
import { addCounts, noCounts, type RevertCounts } from './revert-counts.js';
import {
  recordsLeft,
  removeRecordsLeft,
  restoreRecords,
  revertCorrectionsOf,
  revertRecordAliases,
  revertSeries,
} from './revert-steps.js';

/** How much a step is given at a time. */
interface BatchSize {
  readonly points: number;
  /** Series or records. */
  readonly items: number;
}

/** A request reverts everything in one transaction. */
export const EVERYTHING: BatchSize = { points: Infinity, items: Infinity };

/** A step of a revert with what it is about; without a transaction it only counts. */
type BatchOfStep = (reader: Reader, transaction: Transaction | null) => Promise<StepResult>;

/**
 * Takes the steps of a revert in their order.
 * @param run runs a batch of a step, in a transaction or in none, after what `total` has so far
 */
export async function takeSteps(
  context: RevertContext,
  { series, records }: Affected,
  size: BatchSize,
  run: (batch: BatchOfStep, total: RevertTotal) => Promise<StepResult>,
): Promise<RevertTotal> {
  const total = new RevertTotal();
  const take = async <T>(step: Step<T>, items: readonly T[]) => {
    const result = await run((reader, transaction) => step(context, items, reader, transaction), total);
    note(context, result);
    total.add(result);
  };
  for (const batch of batchesOf(records, size.items)) await take(restoreRecords, batch);
  await take(endJoins, []);
  for (const batch of seriesBatches(withReinstated(series, context), size)) await take(revertSeries, batch);
  for (const batch of batchesOf(records, size.items)) await take(revertRecordAliases, batch);
  await take(makeJoinsAgain, []);
  await take(revertCorrectionsOf, []);
  for (const batch of batchesOf(recordsLeft(context, records), size.items))
    await take(removeRecordsLeft, batch);
  return total;
}

/** Series whose points are about as many as one transaction takes. */
function* seriesBatches(
  series: readonly AffectedSeries[],
  { points: size, items: atMost }: BatchSize,
): Generator<AffectedSeries[]> {
  let batch: AffectedSeries[] = [];
  let points = 0;
  for (const one of series) {
    batch.push(one);
    points += one.points;
    if (points < size && batch.length < atMost) continue;
    yield batch;
    [batch, points] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Adds up what the steps of a revert did. */
class RevertTotal {
  private readonly total = noCounts();
  private readonly repeatedBy = new Set<number>();
  private hasRepeatedRecords = false;

  add({ counts, repeatedBy, hasRepeatedRecords }: StepResult): void {
    addCounts(this.total, counts);
    this.hasRepeatedRecords ||= hasRepeatedRecords;
    for (const id of repeatedBy) this.repeatedBy.add(id);
  }

  /** The counts so far, with those of another step. */
  with({ counts }: StepResult): RevertCounts {
    const sum = noCounts();
    addCounts(sum, this.total);
    addCounts(sum, counts);
    return sum;
  }

  /** The counts so far, with the inputs that are to be imported again. */
  async counts(reader: Reader, target: StoredChangeSet): Promise<RevertCounts> {
    const { changed, removed } = this.total.records;
    const records = changed + removed > 0 || this.hasRepeatedRecords;
    return { ...this.total, later_inputs: await laterInputs(reader, target, this.repeatedBy, records) };
  }
}
