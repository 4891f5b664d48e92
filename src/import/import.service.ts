import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditTrail, type AuditedCaller } from '../ledger/audit/audit-trail.js';
import { Clock, instantText } from '../platform/clock/clock.js';
import type { ImportMode } from '../ledger/corrections/correction.js';
import { driverErrorKind } from '../database/errors/driver-errors.js';
import { toApiErrorFromDriver } from '../database/errors/driver-api-errors.js';
import { LeaseLost } from '../database/lease.js';
import { UnitOfWork, type Transaction } from '../ledger/unit-of-work.js';
import { isoFromDay } from '../lib/dates/calendar-date.js';
import { PERIOD_NAMES, type Period } from '../price-series/periodicity.js';
import { updateChangeSet } from '../ledger/changes/change-set.js';
import { changeSeries } from '../price-series/series-versions.js';
import { mergeWithCorrections, type SupersededPoint } from '../prices/store/correction-merging.js';
import { ObservationStore } from '../prices/store/observation-store.js';
import type { PointKey } from '../prices/store/point-id.js';
import type { NewPoint } from '../prices/store/point-merging.js';
import { RepeatedPoints } from '../prices/store/repeated-points.js';
import { FindingsFollower } from '../quality/findings-follower.js';
import { recordReleases } from '../releases/released-periods.js';
import { ImportRejected, type RowViolation } from './formats/batch.js';
import type { ImportOptions } from './formats/index.js';
import { withMapping } from './mappings/shipped-mappings.js';
import { ImportLock, type HeldLock, type ImportChangeSet } from '../ledger/import-lock/import-lock.js';
import { ImportRun, type DescribedSeries, type SeriesState, type WriteBatch } from './pipeline/import-run.js';
import { nameCreatedRecords } from './pipeline/created-records.js';
import { ReportBuilder, changeSetCounts } from './pipeline/import-report.js';
import type { ImportReport } from './pipeline/import-report.dto.js';
import type { Input } from './pipeline/input.js';
import { readOpenedFindings, type OpenedFindings } from './pipeline/opened-findings.js';
import type { OrderedBatch, PriceColumns } from './pipeline/reading/ordered-prices.js';
import { MAX_FIRST_ROWS, SHOWN_ROWS } from './pipeline/reading/first-rows.js';
import { MAX_BUFFERED_PRICES } from './pipeline/reading/price-sorter.js';
import { readInput } from './pipeline/reading/read-input.js';
import { writeRecords } from './pipeline/record-writer.js';
import { otherStatus } from './formats/series.js';
import { SERIES_STATUSES } from '../price-series/series-status.js';
import type { StoredSeries } from '../price-series/stored-series.js';
import { resolveSeries, type ResolvedSeries } from './pipeline/series-writer.js';

/** Attempts of a transaction that conflicts with a record created concurrently. */
const MAX_ATTEMPTS = 3;

/**
 * Longest pause after a transaction on the embedded database. Writers of other processes retry more
 * often than this, so that they get their turn during an import and not only after it.
 */
const MAX_PAUSE_MS = 30;

/** Prices to buffer before the first are stored: few, so that writing starts early. */
const MIN_BUFFERED_PRICES = 25_000;

/**
 * Most rows of a dry run by the command that share one transaction, without which no findings can
 * be computed. More would keep other writers waiting.
 */
const MAX_DRY_RUN_ROWS = 100_000;

/** What to import, and how. */
export interface ImportRequest {
  readonly format: string;
  readonly options: ImportOptions;
  /** Version of the mapping in the options if it is a stored one, for the report. */
  readonly mappingVersion?: number;
  readonly dryRun: boolean;
  /** Kind of the change set; by default an ordinary import. */
  readonly kind?: ImportChangeSet['kind'];
  /** What the report and the change set call the input; by default its own name. */
  readonly inputName?: string;
  /** The reason that the change set states. */
  readonly reason?: string;
  /** Whether stored values and corrections may be changed; by default they are merged with. */
  readonly mode?: ImportMode;
  /** Whether it may change rates and indices of other sources. */
  readonly replace?: boolean;
  /** Who imports, for the audit trail; null for the command. */
  readonly caller: AuditedCaller | null;
  readonly requestId: string | null;
}

/**
 * What a write changes in the report and the run. It is applied after the commit, because the
 * transaction may be retried.
 */
interface WriteResult {
  /** Adds its counts to a report. */
  addTo(report: ReportBuilder): void;
  /** Updates the state of the run for later transactions. */
  updateRun?(): void;
}

/** What is special about a transaction. */
interface StoreOptions {
  /** Whether it has all rows of the input, so that findings can be computed in a dry run. */
  readonly isWholeInput?: boolean;
  /** Runs at its end, with the report as it will be after the commit; not in a dry run. */
  readonly beforeCommit?: (transaction: Transaction, report: ReportBuilder) => Promise<void>;
}

/** The rows of one series among ordered prices. */
interface SeriesRows {
  /** Of the series in the input. */
  readonly number: number;
  readonly series: SeriesState;
  readonly from: number;
  /** After the last one. */
  readonly to: number;
}

/** Prices to be stored together, by what becomes of them. */
interface SortedPrices {
  readonly points: NewPoint[];
  /** The uuid in the input of each series that has points, by its id. */
  readonly uuids: Map<number, string>;
  /** Prices for which an earlier line has one already, under another uuid of the series. */
  readonly duplicates: { readonly line: number; readonly value: number; readonly earlier: number }[];
  readonly ofUnknownSeries: SeriesRows[];
  /** Those of another status than their stored series. */
  readonly ofOtherStatus: (SeriesRows & { readonly stored: StoredSeries })[];
}

/** Why an import ended early. */
interface Failure {
  readonly error: unknown;
  /** For the report; null for an internal error. */
  readonly message: string | null;
}

/** The message of an unexpected error, whose details are only logged. */
const INTERNAL_ERROR = 'The import ended with an internal error. See the log for details.';

/** Thrown to roll back the transaction of a dry run. */
class DryRunRollback extends Error {
  constructor(
    readonly results: readonly WriteResult[],
    /** Null where the transaction has a part of the input only. */
    readonly findings: OpenedFindings | null,
  ) {
    super('A dry run is rolled back.');
  }
}

/**
 * Imports inputs: reads rows, validates them and stores them. The command stores transactions of
 * 10,000 rows while it reads. An HTTP request is read completely and stored in one transaction.
 */
@Injectable()
export class ImportService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly observations: ObservationStore,
    private readonly trail: AuditTrail,
    private readonly importLock: ImportLock,
    private readonly findings: FindingsFollower,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports an input while it is read. An error ends the import: batches stored before it stay, and
   * the report has the reason.
   * @param onProgress called for each batch, with the number of its rows
   * @param onReport called with the report, also if an internal error is thrown after it
   * @throws ImportRunning
   */
  async import(
    request: ImportRequest,
    input: Input,
    onProgress: (rows: number) => void = () => undefined,
    onReport: (report: ImportReport) => void = () => undefined,
  ): Promise<ImportReport> {
    const { report, failure } = await this.run(
      request,
      input,
      MIN_BUFFERED_PRICES,
      async (run, batches, lock) => {
        if (run.dryRun) {
          await this.tryOut(run, batches, onProgress);
          return null;
        }
        // The next batch is read while one is stored.
        let storing = Promise.resolve();
        const storeNext = async (batch: WriteBatch) => {
          await storing;
          storing = this.store(run, [batch], lock);
          // It is awaited before the next batch or at the end; until then a rejection must not be
          // unhandled.
          storing.catch(() => undefined);
        };
        try {
          for await (const batch of batches) {
            for (const writeBatch of run.add(batch)) {
              await storeNext(writeBatch);
              onProgress(rowsOf(writeBatch));
            }
          }
          for (const writeBatch of run.flush()) await storeNext(writeBatch);
        } finally {
          await storing;
        }
        return null;
      },
    );
    onReport(report);
    if (failure?.message === null) throw failure.error;
    return report;
  }

  /**
   * Reads and validates an input completely, then stores it in one transaction. The transaction
   * includes the audit row and the release of the lock: if either failed after the commit, the
   * caller would get an error although the data are stored. If this throws, nothing is stored.
   * @throws ImportRunning
   * @throws ImportRejected if the input is not in the format
   */
  async importAtomically(request: ImportRequest, input: Input): Promise<ImportReport> {
    const { report, failure } = await this.run(
      request,
      input,
      MAX_BUFFERED_PRICES,
      async (run, batches, lock) => {
        const writeBatches: WriteBatch[] = [];
        for await (const batch of batches) writeBatches.push(...run.add(batch));
        writeBatches.push(...run.flush());
        let report: ImportReport | null = null;
        const beforeCommit = async (transaction: Transaction, builder: ReportBuilder) => {
          await this.findings.followPending(transaction);
          builder.setFindings(await readOpenedFindings(transaction, lock?.changeSetId ?? null));
          await addStoredData(transaction, run, builder);
          report = builder.finish(input.digest(), input.bytesRead(), null);
          if (lock !== null) await this.recordAndRelease(transaction, request, lock, report);
        };
        await this.store(run, writeBatches, lock, { isWholeInput: true, beforeCommit });
        return report;
      },
    );
    if (failure !== null) throw failure.error;
    return report;
  }

  /**
   * Runs an import: acquires the lock, reads and stores, records the report and releases the lock.
   * @param minPrices prices to read before the first are stored, in order of their series
   * @param store returns the report if it has recorded it and released the lock; else null
   */
  private async run(
    request: ImportRequest,
    input: Input,
    minPrices: number,
    store: (
      run: ImportRun,
      batches: AsyncIterable<OrderedBatch>,
      lock: HeldLock | null,
    ) => Promise<ImportReport | null>,
  ): Promise<{ report: ImportReport; failure: Failure | null }> {
    const { format, options, mappingVersion, dryRun, mode, replace } = request;
    const shownRows = withMapping(format, options).mapping === undefined ? SHOWN_ROWS : MAX_FIRST_ROWS;
    const builder = new ReportBuilder(
      { format, mappingVersion },
      request.inputName ?? input.name,
      dryRun,
      shownRows,
    );
    const run = new ImportRun(builder, dryRun, mode, replace);
    let lock: HeldLock | null = null;
    let recorded: ImportReport | null = null;
    let failure: Failure | null = null;
    try {
      if (!dryRun) {
        lock = await this.importLock.acquire(changeSetOf(request, input));
        run.report.setChangeSet(lock.changeSetId);
      }
      recorded = await store(run, readInput(format, input, options, minPrices), lock);
      if (recorded === null) {
        await this.unitOfWork.run((transaction) => addStoredData(transaction, run, run.report));
      }
    } catch (error) {
      // Without the lock nothing has started.
      if (!dryRun && lock === null) throw error;
      failure = { error, message: failureMessage(error) };
    } finally {
      lock?.stopHeartbeat();
      await input.close();
    }
    const errorMessage = failure && (failure.message ?? INTERNAL_ERROR);
    const finish = () => run.report.finish(input.digest(), input.bytesRead(), errorMessage);
    if (recorded !== null) return { report: recorded, failure };
    if (lock === null) return { report: finish(), failure };
    let report = finish();
    try {
      report = await this.recordEnd(run, request, lock, finish);
    } catch (error) {
      // If the database is unavailable this fails as well.
      lock.abandon();
      if (failure === null) throw error;
    }
    return { report, failure };
  }

  /** Ends an import after its last transaction: computes its findings and records its report. */
  private recordEnd(
    run: ImportRun,
    request: ImportRequest,
    lock: HeldLock,
    finish: () => ImportReport,
  ): Promise<ImportReport> {
    return this.unitOfWork.change(lock.changeSetId, async (transaction) => {
      const written = run.periods?.writtenBefore(transaction);
      await this.findings.followPending(transaction, { written });
      run.report.setFindings(await readOpenedFindings(transaction, lock.changeSetId));
      const report = finish();
      await this.recordAndRelease(transaction, request, lock, report);
      return report;
    });
  }

  /**
   * Tries an input out: in one transaction as long as it is not too large, else in one for each
   * batch, without findings.
   */
  private async tryOut(
    run: ImportRun,
    batches: AsyncIterable<OrderedBatch>,
    onProgress: (rows: number) => void,
  ): Promise<void> {
    let rows = 0;
    const pending: WriteBatch[] = [];
    const storePending = async () => {
      for (const batch of pending.splice(0)) await this.store(run, [batch], null);
    };
    const add = async (batch: WriteBatch) => {
      rows += rowsOf(batch);
      pending.push(batch);
      if (rows > MAX_DRY_RUN_ROWS) await storePending();
      onProgress(rowsOf(batch));
    };
    try {
      for await (const batch of batches) for (const writeBatch of run.add(batch)) await add(writeBatch);
      for (const writeBatch of run.flush()) await add(writeBatch);
    } catch (error) {
      // The report counts the rows before it.
      await storePending();
      throw error;
    }
    if (rows <= MAX_DRY_RUN_ROWS) await this.store(run, pending, null, { isWholeInput: true });
  }

  /** Writes the audit row, ends the change set and releases the lock. */
  private async recordAndRelease(
    transaction: Transaction,
    { caller, requestId }: ImportRequest,
    lock: HeldLock,
    report: ImportReport,
  ): Promise<void> {
    await this.trail.record(transaction, {
      caller,
      requestId,
      table: 'import',
      recordId: null,
      action: 'import',
      columns: AUDITED_FIELDS.filter((name) => name in report),
      before: null,
      after: { ...report },
    });
    const { error, digest } = report;
    await updateChangeSet(transaction, lock.changeSetId, {
      state: error === null ? 'done' : 'failed',
      ended_at: instantText(this.clock.now()),
      digest,
      counts: changeSetCounts(report),
    });
    await lock.release(transaction);
  }

  /** Stores batches in one transaction, which a dry run rolls back, and applies their results. */
  private async store(
    run: ImportRun,
    batches: readonly WriteBatch[],
    lock: HeldLock | null,
    options: StoreOptions = {},
  ): Promise<void> {
    const begunAt = performance.now();
    let isEmbedded = false;
    const results = await withAttempts(() =>
      this.transact(lock, (transaction) => {
        isEmbedded = transaction.embedded;
        return this.writeBatches(transaction, run, batches, lock, options);
      }).catch((error: unknown) => {
        if (!(error instanceof DryRunRollback)) throw error;
        if (error.findings !== null) run.report.setFindings(error.findings);
        return error.results;
      }),
    );
    for (const result of results) {
      result.addTo(run.report);
      result.updateRun?.();
    }
    // No other transaction of the import follows one with the whole input.
    if (isEmbedded && options.isWholeInput !== true)
      await sleep(Math.min(MAX_PAUSE_MS, performance.now() - begunAt));
  }

  /** @throws DryRunRollback in a dry run */
  private async writeBatches(
    transaction: Transaction,
    run: ImportRun,
    batches: readonly WriteBatch[],
    lock: HeldLock | null,
    { isWholeInput = false, beforeCommit }: StoreOptions,
  ): Promise<WriteResult[]> {
    const results: WriteResult[] = [];
    for (const batch of batches) results.push(await this.write(transaction, run, batch));
    if (run.dryRun) {
      if (!isWholeInput) throw new DryRunRollback(results, null);
      await this.findings.followPending(transaction);
      throw new DryRunRollback(results, await readOpenedFindings(transaction, null));
    }
    await lock?.renew(transaction);
    const report = run.report.copy();
    for (const result of results) result.addTo(report);
    if (beforeCommit !== undefined) await beforeCommit(transaction, report);
    else if (lock !== null) {
      // The list of change sets shows how far a running import is; its digest is known at the end.
      const counts = changeSetCounts(report.finish('', 0, null));
      await updateChangeSet(transaction, lock.changeSetId, { counts });
    }
    return results;
  }

  /** A transaction of the change set; in a dry run, which is rolled back, of none. */
  private transact<T>(lock: HeldLock | null, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return lock === null ? this.unitOfWork.run(work) : this.unitOfWork.change(lock.changeSetId, work);
  }

  private async write(transaction: Transaction, run: ImportRun, batch: WriteBatch): Promise<WriteResult> {
    if (batch.kind === 'records') {
      const written = await writeRecords(transaction, batch.table, batch.rows, run);
      const addTo = (report: ReportBuilder) => {
        report.addWritten(written);
        report.skip('already_stored', written.alreadyStored);
        report.addCorrections(written.corrections, written.corrections.superseded);
        report.addKeptHsCodes(written.keptHsCodes);
        report.addStoredAsOthers(written.replaced);
        report.addKeptOtherSource(written.keptOtherSource);
      };
      return { addTo };
    }
    return batch.kind === 'series'
      ? this.writeSeries(transaction, run, batch.series)
      : this.writePrices(transaction, run, batch);
  }

  /** Creates missing series, and updates `marked_periods` of the others. */
  private async writeSeries(
    transaction: Transaction,
    run: ImportRun,
    described: readonly DescribedSeries[],
  ): Promise<WriteResult> {
    const markedPeriodsByUuid = new Map(
      described.map(({ series, markedPeriods }) => [series.uuid, markedPeriods]),
    );
    const resolved = await resolveSeries(
      transaction,
      described.map(({ series }) => series),
      ({ uuid }) => markedPeriodsByUuid.get(uuid) ?? 0,
    );
    const changed: SeriesState[] = [];
    for (const { series, markedPeriods } of described) {
      const stored = resolved.stored.get(series.uuid)!;
      if (stored.markedPeriods === markedPeriods) continue;
      await changeSeries(transaction, stored.id, { marked_periods: markedPeriods });
      changed.push(series);
    }
    transaction.markSeriesModified(changed.map(({ uuid }) => resolved.stored.get(uuid)!.id));
    const updateRun = () => {
      const rolledBack = rolledBackSeries(run, resolved);
      for (const { series, markedPeriods } of described) {
        if (rolledBack.has(series.uuid)) continue;
        series.stored = { ...resolved.stored.get(series.uuid)!, markedPeriods };
        series.isShared = resolved.renamed.has(series.uuid);
      }
    };
    const addTo = (report: ReportBuilder) => {
      const added = resolved.created.length;
      report.addWritten({
        added,
        changed: changed.length,
        unchanged: described.length - added - changed.length,
      });
      addCreated(report, resolved);
    };
    return { addTo, updateRun };
  }

  private async writePrices(
    transaction: Transaction,
    run: ImportRun,
    prices: PriceColumns,
  ): Promise<WriteResult> {
    const groups = groupBySeries(prices, run);
    const unresolved = groups.map(({ series }) => series).filter((series) => series.stored === null);
    const resolved = await resolveSeries(transaction, unresolved);
    const sorted = sortPrices(run, prices, groups, resolved);
    const repeated = new RepeatedPoints();
    const merged = await mergeWithCorrections(transaction, sorted.points, run.mode, repeated);
    await run.backdated?.load(transaction, [...sorted.uuids.keys()]);
    let backdated = 0;
    const onAdded = (point: PointKey) => {
      if (run.backdated?.includes(point)) backdated++;
    };
    const notes = { repeated, onAdded };
    const counts = await this.observations.write(transaction, merged.points, run.periods, notes);
    await repeated.save(transaction);
    if (!run.dryRun) await recordReleases(transaction, merged.points);
    const updateRun = () => {
      run.periods?.commit();
      const rolledBack = rolledBackSeries(run, resolved);
      for (const series of unresolved) {
        if (rolledBack.has(series.uuid)) continue;
        series.stored = resolved.stored.get(series.uuid) ?? null;
        series.isShared = resolved.renamed.has(series.uuid);
      }
    };
    const addTo = (report: ReportBuilder) => {
      report.addWritten(counts);
      report.addBackdated(backdated);
      report.skip(run.mode === 'fill_only' ? 'already_stored' : 'less_than_stored', counts.superseded);
      const superseded = merged.superseded.map((point) => supersededCorrection(point, sorted.uuids));
      report.addCorrections(merged, superseded);
      addCreated(report, resolved);
      addUnstoredPrices(report, prices, sorted);
    };
    return { addTo, updateRun };
  }
}

/**
 * Calls a transaction again when it conflicts with a record that was created concurrently: the next
 * attempt finds that record.
 */
async function withAttempts<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || driverErrorKind(error) !== 'duplicate') throw error;
    }
  }
}

/** Adds to a report what only the database tells once all rows are stored. */
async function addStoredData(transaction: Transaction, run: ImportRun, report: ReportBuilder): Promise<void> {
  report.setOlderThanStored(await run.newestDays.countOlder(transaction));
  report.setCreatedRecords(await nameCreatedRecords(transaction, report.createdKeys));
}

/** What the change set of an import says from its start. */
function changeSetOf(
  { kind = 'import', format, options, reason = '', inputName }: ImportRequest,
  input: Input,
): ImportChangeSet {
  return {
    kind,
    format,
    reason,
    input: truncated(inputName ?? input.name, 255),
    source: truncated(options.source ?? '', 200),
  };
}

function rowsOf(batch: WriteBatch): number {
  if (batch.kind === 'records') return batch.rows.length;
  return batch.kind === 'series' ? batch.series.length : batch.line.length;
}

/** Counted in characters, as databases count: half of a surrogate pair could not be stored. */
const truncated = (text: string, length: number) => Array.from(text).slice(0, length).join('');

/** The uuids of series that do not outlive the transaction: those that a dry run has created. */
const rolledBackSeries = (run: ImportRun, { created }: ResolvedSeries): ReadonlySet<string> =>
  new Set(run.dryRun ? created : []);

/** The series of ordered prices, with the range of rows of each. */
function groupBySeries({ series }: PriceColumns, run: ImportRun): SeriesRows[] {
  const ranges: { number: number; from: number; to: number }[] = [];
  for (let index = 0; index < series.length; index++) {
    const number = series[index]!;
    const last = ranges.at(-1);
    if (last?.number === number) last.to = index + 1;
    else ranges.push({ number, from: index, to: index + 1 });
  }
  return ranges.map((range) => ({ ...range, series: run.series(range.number) }));
}

/** Sorts prices into those that are stored, as points of their series, and those that are not. */
function sortPrices(
  run: ImportRun,
  prices: PriceColumns,
  groups: readonly SeriesRows[],
  resolved: ResolvedSeries,
): SortedPrices {
  const sorted: SortedPrices = {
    points: [],
    uuids: new Map(),
    duplicates: [],
    ofUnknownSeries: [],
    ofOtherStatus: [],
  };
  for (const group of groups) {
    const { uuid, descriptor } = group.series;
    const stored = group.series.stored ?? resolved.stored.get(uuid);
    if (stored === undefined) {
      sorted.ofUnknownSeries.push(group);
      continue;
    }
    if (descriptor !== null && SERIES_STATUSES[stored.status] !== descriptor.status) {
      sorted.ofOtherStatus.push({ ...group, stored });
      continue;
    }
    sorted.uuids.set(stored.id, uuid);
    updateNewestDays(run.newestDays.of(stored.id), prices, group);
    const isShared = group.series.isShared || resolved.renamed.has(uuid);
    for (let index = group.from; index < group.to; index++) {
      const point = toPoint(prices, index, stored);
      const earlier = isShared ? run.shared.add(group.number, point) : null;
      if (earlier === null) sorted.points.push(point);
      else sorted.duplicates.push({ line: prices.line[index]!, value: point.value, earlier });
    }
  }
  return sorted;
}

/** Reports the prices that are not stored, as unchanged or rejected. */
function addUnstoredPrices(report: ReportBuilder, prices: PriceColumns, sorted: SortedPrices): void {
  for (const { line, value, earlier } of sorted.duplicates) {
    const detail = `An earlier line has ${earlier} for the same series and date.`;
    if (value === earlier) report.addUnchanged();
    else report.reject({ line, field: '', reason: 'conflict', detail });
  }
  const rejectAll = ({ from, to }: SeriesRows, violation: RowViolation) => {
    for (const line of prices.line.subarray(from, to)) report.reject({ line, ...violation });
  };
  for (const rows of sorted.ofUnknownSeries) {
    const detail = `There is no series ${rows.series.uuid}: import the list of series first.`;
    rejectAll(rows, { field: 'uuid', reason: 'unknown_uuid', detail });
  }
  for (const rows of sorted.ofOtherStatus) {
    const { uuid, descriptor } = rows.series;
    rejectAll(rows, otherStatus(uuid, SERIES_STATUSES[rows.stored.status]!, descriptor!.status));
  }
}

/** A correction that the value of an input has superseded, for the report. */
function supersededCorrection({ correction, value }: SupersededPoint, uuids: ReadonlyMap<number, string>) {
  const { id, serieId, period, day, base, ours } = correction;
  return {
    id,
    uuid: uuids.get(serieId)!,
    periodicity: PERIOD_NAMES[period as Period],
    date: isoFromDay(day),
    table: null,
    record_id: null,
    value: ours?.value ?? null,
    base: base?.value ?? null,
    source_value: value,
  };
}

/**
 * Updates the newest days of a series with the days of its prices.
 * @param newest of each frequency, by its code
 */
function updateNewestDays(
  newest: number[],
  { period, day }: PriceColumns,
  { from, to }: Pick<SeriesRows, 'from' | 'to'>,
): void {
  for (let index = from; index < to; index++) {
    const code = period[index]!;
    if (day[index]! > (newest[code] ?? 0)) newest[code] = day[index]!;
  }
}

function addCreated(report: ReportBuilder, resolved: ResolvedSeries): void {
  const { created, createdRecords, filledRecords, keptHsCodes } = resolved;
  report.addCreatedSeries(created);
  report.addCreatedRecords(createdRecords);
  report.addFilled(filledRecords);
  report.addKeptHsCodes(keptHsCodes);
}

/** The point to store for a price: calculated if its row or the list of series marks it so. */
function toPoint(columns: PriceColumns, index: number, { id, markedPeriods }: StoredSeries): NewPoint {
  const period = columns.period[index] as Period;
  const isMarked = (markedPeriods & (1 << period)) !== 0;
  return {
    serieId: id,
    period,
    day: columns.day[index]!,
    value: columns.value[index]!,
    calculated: columns.calculated[index] === 1 || isMarked,
    comment: columns.comments[columns.comment[index]!]!,
    provisional: columns.provisional[index] === 1,
  };
}

/** Fields of the report that the audit trail keeps. */
const AUDITED_FIELDS = [
  'format',
  'mapping_version',
  'input',
  'digest',
  'bytes',
  'convention',
  'notes',
  'error',
  'read',
  'new',
  'changed',
  'unchanged',
  'skipped',
  'rejected',
  'rejected_by_reason',
  'countries',
  'series',
  'records',
  'rounded',
  'inverted',
  'replaced',
  'hs_codes_kept',
  'filled',
  'attribute_conflicts',
  'corrections_kept',
  'corrections_confirmed',
  'corrections_superseded',
  'kept_other_source',
  'older_than_stored',
  'findings',
  'seconds',
] as const satisfies readonly (keyof ImportReport)[];

/** The message of an expected error, for the report; null for an internal error. */
function failureMessage(error: unknown): string | null {
  if (error instanceof ImportRejected || error instanceof LeaseLost) return error.message;
  return toApiErrorFromDriver(error)?.detail ?? null;
}
