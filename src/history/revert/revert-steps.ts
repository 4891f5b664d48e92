import { aliasStatements } from '../../reference/base/alias-key.js';
import { revertAliases } from './alias-changes.js';
import { correctedHistories, pointOf } from './corrected-histories.js';
import { revertCorrections } from './correction-changes.js';
import { endsOf } from './join-steps.js';
import { laterRepeats, laterWrites } from './later-inputs.js';
import { MergedReferences } from './merged-references.js';
import { planPoints, type AffectedSeries } from './point-changes.js';
import { changeRecords, keyOf, planRemovedRecords, planRestoredRecords } from './record-changes.js';
import { planRecordAliases } from './record-alias-changes.js';
import type { RecordTable } from './record-histories.js';
import { ReinstatedRecords } from './reinstated-records.js';
import { nothing, type RevertContext, type Step } from './revert-context.js';
import { removePlannedSeries, restoreSeries } from './series-changes.js';
import { planKeptSeries, planRemovedSeries, planReinstatedSeries, planSeries } from './series-plans.js';
import { isReferred, recordKeyText, referencesOf, type RecordKey } from './series-references.js';

/** Records that come back or get former values. Before the series, which refer to them. */
export const restoreRecords: Step<RecordKey> = async (context, keys, reader, transaction) => {
  const { operation, tables } = context;
  const result = nothing();
  const merged = new MergedReferences(reader, context);
  const restored: RecordKey[] = [];
  for (const [table, ids] of byTable(tables, keys.filter(isNoAlias))) {
    const changes = await planRestoredRecords(reader, table, ids, operation, merged, result.counts);
    if (transaction !== null) await changeRecords(transaction, changes);
    for (const change of changes) restored.push(keyOf(change));
  }
  return { ...result, restored };
};

/** Series and their points, and records that went because nothing used them. */
export const revertSeries: Step<AffectedSeries> = async (context, series, reader, transaction) => {
  const { operation, store, before } = context;
  const result = nothing();
  const { counts } = result;
  const joined = new Set(before.joins.flatMap(endsOf));
  const records = new ReinstatedRecords(reader, context);
  const merged = new MergedReferences(reader, context);
  const ids = series.map(({ id }) => id);
  const plan = await planSeries(reader, ids, operation, records, merged, counts);
  const points = await planPoints(reader, series, operation, plan.canHavePoints, counts);
  const reinstated = planReinstatedSeries(plan.reinstated, points, joined, counts);
  const removed = await planRemovedSeries(reader, operation.target.id, plan.made, points, joined, counts);
  const changed = [...plan.restored, ...reinstated, ...planKeptSeries(plan, removed, counts)];
  const returned = records.changesOf(referencesOf(changed.map(({ values }) => values!)));
  counts.records.added += returned.length;
  const repeatedBy = await laterRepeats(reader, operation.target, [...points.points, ...points.done]);
  if (transaction !== null) {
    await changeRecords(transaction, returned);
    await restoreSeries(transaction, changed);
    if (points.points.length > 0) await store.restore(transaction, points.points);
    await removePlannedSeries(transaction, removed);
  }
  const restored = returned.map(keyOf);
  return { ...result, restored, removed: [...removed, ...plan.gone], changed, repeatedBy };
};

/** Corrections, and other uuids of series. After the series, which have their points then. */
export const revertCorrectionsOf: Step<never> = async (context, _, reader, transaction) => {
  const { operation, tables, before } = context;
  const result = nothing();
  const histories = await correctedHistories(reader, operation, tables);
  const corrections = await revertCorrections(context, histories, transaction, result.counts);
  const points = corrections.flatMap((row) => (row.serie_id === null ? [] : [pointOf(row)]));
  const merged = new MergedReferences(reader, context);
  const aliases = await merged.mergedAliases(await merged.aliasesSince());
  const repeatedBy = await laterWrites(reader, operation.target, aliases);
  for (const id of await laterRepeats(reader, operation.target, points)) repeatedBy.add(id);
  if (transaction !== null) {
    const changed = before.changed.map(({ id }) => id);
    const uuids = aliases.map(({ uuid }) => uuid);
    await revertAliases(transaction, operation, changed, uuids, merged);
  }
  return { ...result, repeatedBy, hasRepeatedRecords: points.length < corrections.length };
};

/** Aliases of records. After the series, with which records come back. */
export const revertRecordAliases: Step<RecordKey> = async (context, keys, reader, transaction) => {
  const result = nothing();
  const merged = new MergedReferences(reader, context);
  const ids = keys.filter((key) => !isNoAlias(key)).map(({ id }) => id);
  const changes = await planRecordAliases(reader, ids, context, merged, result.counts);
  if (transaction !== null) await changeRecords(transaction, changes);
  return result;
};

const isNoAlias = ({ table }: RecordKey): boolean => table !== aliasStatements.name;

/** Records that go because nothing uses them. After the series. */
export const removeRecordsLeft: Step<RecordKey> = async (context, keys, reader, transaction) => {
  const { operation, tables, before } = context;
  const result = nothing();
  const merged = new MergedReferences(reader, context);
  // In a dry run the series are as they were.
  const planned = transaction === null ? [...before.removed, ...before.changed] : [];
  const isUsed = ({ statements }: RecordTable, id: number) =>
    isReferred(reader, { table: statements.name, id }, planned);
  const left = keys.filter((key) => isNoAlias(key) && !before.restored.has(recordKeyText(key)));
  for (const [table, ids] of byTable(tables, left)) {
    const changes = await planRemovedRecords(reader, table, ids, operation, merged, isUsed, result.counts);
    if (transaction !== null) await changeRecords(transaction, changes);
  }
  return result;
};

/**
 * The records that may go: those that the change set affected, and those of series that went or
 * have other records now. Each once: a dry run removes none, so it would count it in each batch.
 */
export function recordsLeft({ before }: RevertContext, affected: readonly RecordKey[]): RecordKey[] {
  const left = [...before.removed, ...before.changed].flatMap(({ stored }) => stored ?? []);
  const keys = [...affected, ...referencesOf(left)];
  return [...new Map(keys.map((key) => [recordKeyText(key), key])).values()];
}

function byTable(
  tables: ReadonlyMap<string, RecordTable>,
  keys: readonly RecordKey[],
): Map<RecordTable, number[]> {
  const ids = new Map<RecordTable, number[]>();
  for (const { table: name, id } of keys) {
    const table = tables.get(name);
    if (table === undefined) continue;
    const found = ids.get(table);
    if (found === undefined) ids.set(table, [id]);
    else found.push(id);
  }
  return ids;
}
