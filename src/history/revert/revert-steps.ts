import type { Transaction } from '../../database/unit-of-work.js';
import { takeBackAliases } from '../../price-series/series-aliases.js';
import { takeBackJoins } from '../../prices/joins/join-reverts.js';
import type { ObservationStore } from '../../prices/store/observation-store.js';
import { correctedHistories } from './corrected-histories.js';
import { takeBackCorrections } from './correction-changes.js';
import { laterRepeats } from './later-inputs.js';
import { planPoints, type TouchedSeries } from './point-changes.js';
import type { Reader } from './reading.js';
import {
  changeRecords,
  planRemovedRecords,
  planRestoredRecords,
  type RecordTable,
} from './record-changes.js';
import type { RevertAct } from './revert-act.js';
import { noCounts, type RevertCounts } from './revert-counts.js';
import {
  planRemovedSeries,
  planSeries,
  REFERENCES,
  removePlannedSeries,
  restoreSeries,
  type SeriesAttributes,
  type SeriesChange,
} from './series-changes.js';

/** A record by its table and id. */
export interface RecordKey {
  readonly table: string;
  readonly id: number;
}

/** What a step has found out, for those after it. Applied once its transaction is committed. */
export interface StepResult {
  readonly counts: RevertCounts;
  readonly restored: readonly RecordKey[];
  readonly removed: readonly SeriesChange[];
  /** Series that come back or get former attributes. */
  readonly changed: readonly SeriesChange[];
  readonly repeatedBy: ReadonlySet<number>;
}

const nothing = (): StepResult => ({
  counts: noCounts(),
  restored: [],
  removed: [],
  changed: [],
  repeatedBy: new Set(),
});

/** What the steps of a revert have in common. */
export interface RevertContext {
  readonly act: RevertAct;
  readonly tables: ReadonlyMap<string, RecordTable>;
  readonly store: ObservationStore;
  /** Of the steps before. */
  readonly before: {
    readonly restored: Set<string>;
    readonly removed: SeriesChange[];
    readonly changed: SeriesChange[];
  };
}

const nameOf = (table: string, id: number) => `${table} ${id}`;

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

/** Records that come back or get former values. Before the series, which refer to them. */
export const restoreRecords: Step<RecordKey> = async ({ act, tables }, keys, reader, transaction) => {
  const result = nothing();
  const restored: RecordKey[] = [];
  for (const [table, ids] of byTable(tables, keys)) {
    const changes = await planRestoredRecords(reader, table, ids, act, result.counts);
    if (transaction !== null) await changeRecords(transaction, changes);
    restored.push(...changes.map(({ id }) => ({ table: table.statements.name, id })));
  }
  return { ...result, restored };
};

/** Series and their points. */
export const takeBackSeries: Step<TouchedSeries> = async (context, series, reader, transaction) => {
  const { act, store, before } = context;
  const result = nothing();
  const { counts } = result;
  const comesBack = (table: string, id: number) => before.restored.has(nameOf(table, id));
  const ids = series.map(({ id }) => id);
  const { restored, made, gone, isThere } = await planSeries(reader, ids, act, comesBack, counts);
  const plan = await planPoints(reader, series, act, isThere, counts);
  const removed = await planRemovedSeries(reader, act.target.id, made, plan, counts);
  const repeatedBy = await laterRepeats(reader, act.target, [...plan.points, ...plan.done]);
  if (transaction !== null) {
    await restoreSeries(transaction, restored);
    if (plan.points.length > 0) await store.restore(transaction, plan.points);
    await removePlannedSeries(transaction, removed);
  }
  return { ...result, removed: [...removed, ...gone], changed: restored, repeatedBy };
};

/** Joins of series: a series that is listed again has come back, one that is not has gone. */
export const takeBackJoinsOf: Step<never> = async ({ act, store }, _, reader, transaction) => {
  const result = nothing();
  const { counts } = result;
  const { parted, joined, changed_since } = await takeBackJoins(reader, transaction, store, act.target.id);
  counts.series.added = parted;
  counts.series.removed = joined;
  counts.changed_since = changed_since;
  return result;
};

/** Corrections, and other uuids of series. After the series, which have their points then. */
export const takeBackCorrectionsOf: Step<never> = async ({ act, tables }, _, reader, transaction) => {
  const result = nothing();
  const histories = await correctedHistories(reader, act.target, tables);
  await takeBackCorrections(act, histories, transaction, result.counts);
  if (transaction !== null) await takeBackAliases(transaction, act.target.id);
  return result;
};

/** Records that go because nothing uses them. After the series. */
export const removeRecordsLeft: Step<RecordKey> = async (context, keys, reader, transaction) => {
  const { act, tables, before } = context;
  const result = nothing();
  // In a dry run the series are as they were.
  const planned = transaction === null ? [...before.removed, ...before.changed] : [];
  const isUsed = ({ statements }: RecordTable, id: number) =>
    isReferred(reader, statements.name, id, planned);
  for (const [table, ids] of byTable(tables, keys)) {
    const changes = await planRemovedRecords(reader, table, ids, act, isUsed, result.counts);
    if (transaction !== null) await changeRecords(transaction, changes);
  }
  return result;
};

/** Keeps what later steps need of a step's result. */
export function note({ before }: RevertContext, { restored, removed, changed }: StepResult): void {
  for (const { table, id } of restored) before.restored.add(nameOf(table, id));
  before.removed.push(...removed);
  before.changed.push(...changed);
}

/** The records that removed series referred to. */
export function referredBy(series: readonly SeriesChange[]): RecordKey[] {
  const keys = series.flatMap(({ stored }) =>
    Object.entries(REFERENCES).map(([column, table]) => ({
      table,
      id: stored![column as keyof typeof REFERENCES],
    })),
  );
  return [...new Map(keys.map((key) => [nameOf(key.table, key.id), key])).values()];
}

/** Whether series refer to a record, when some are changed as planned. */
async function isReferred(
  reader: Reader,
  table: string,
  id: number,
  planned: readonly SeriesChange[],
): Promise<boolean> {
  for (const [column, referred] of Object.entries(REFERENCES)) {
    if (referred !== table) continue;
    const [row] = await reader.rows<{ uses: number }>(
      `SELECT COUNT(*) AS uses FROM price_serie WHERE ${column} = ?`,
      [id],
    );
    const refers = (series: SeriesAttributes | null) =>
      series?.[column as keyof typeof REFERENCES] === id ? 1 : 0;
    const more = planned.reduce((sum, { stored, values }) => sum + refers(values) - refers(stored), 0);
    if (Number(row!.uses) + more > 0) return true;
  }
  return false;
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
