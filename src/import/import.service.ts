import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Caller } from '../common/access/caller.js';
import { Clock } from '../common/dates/clock.js';
import { DataRevision } from '../database/data-revision.js';
import type { Database } from '../database/database.js';
import { driverErrorKind } from '../database/driver-errors.js';
import { toApiErrorFromDriver } from '../database/problem-of.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';
import type { Period } from '../price-series/periodicity.js';
import { ObservationStore } from '../prices/observation-store.js';
import type { NewPoint } from '../prices/point-merging.js';
import { ImportRejected } from './formats/batch.js';
import type { ImportOptions } from './formats/index.js';
import { ImportLock, ImportLockLost, type HeldLock } from './import-lock.js';
import { ImportRun, type DescribedSeries, type Part, type SeriesOfRun } from './import-run.js';
import { ReportBuilder, type ImportReport } from './import-report.js';
import type { Input } from './input.js';
import type { InputPart, PriceColumns } from './reading/ordered-prices.js';
import { MOST_IN_ORDER } from './reading/price-intake.js';
import { hasCalculated, hasForecast } from './reading/price-flags.js';
import { readInput } from './reading/read-input.js';
import { writeRecords } from './record-writer.js';
import { resolveSeries, type ResolvedSeries, type StoredSeries } from './series-writer.js';

/** Tries of a transaction that met a record which somebody else had just made. */
const TRIES = 3;

/** Prices that are put in order and stored at least, so that storing begins soon: more where more have been read by then. */
const LEAST_IN_ORDER = 25_000;

/** What is to be imported, and how. */
export interface ImportRequest {
  readonly format: string;
  readonly options: ImportOptions;
  readonly dryRun: boolean;
  /** Who asks, for the audit trail; null for the command. */
  readonly caller: Pick<Caller, 'accountId' | 'tokenId'> | null;
  readonly requestId: string | null;
}

/** What a transaction did. As it may be redone, the import takes note of it only once it is committed. */
interface Outcome {
  /** Adds it to a report. */
  count(report: ReportBuilder): void;
  /** Keeps what later transactions need to know of it. */
  keep?(): void;
}

/** What is done at the end of a transaction, with the counts of the report as they are once it is committed. */
type LastStep = (tx: Transaction, counts: ReportBuilder) => Promise<void>;

/** What ended an import early. */
interface Failure {
  readonly error: unknown;
  /** For the report; null for a defect. */
  readonly why: string | null;
}

/** Why an import ended early that ended by a defect: what it was is for the log alone. */
const DEFECT = 'The service has a defect that ended the import; its log says more.';

/** Ends a transaction without keeping anything of it. */
class DryRunDone extends Error {
  constructor(readonly outcomes: readonly Outcome[]) {
    super('Nothing of a dry run is kept.');
  }
}

/**
 * Files -> rows -> checked rows -> observation store. The command imports in transactions of 10,000 rows as it reads; a request
 * is read whole and stored in one transaction or not at all.
 */
@Injectable()
export class ImportService {
  /** Imports that this process has run, with the rows they have read and rejected. */
  readonly done = { imports: 0, rows: 0, rejected: 0 };

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly observations: ObservationStore,
    private readonly trail: AuditTrail,
    private readonly lock: ImportLock,
  ) {}

  /** Imports into a database outside of an application. */
  static over(database: Database): ImportService {
    const unitOfWork = new UnitOfWork(database, new DataRevision(database));
    const trail = new AuditTrail(new Clock());
    return new ImportService(unitOfWork, new ObservationStore(), trail, new ImportLock(unitOfWork));
  }

  /**
   * Imports an input as it is read. What goes wrong half-way ends it: the batches stored before stay, and the report says why.
   * @param progress told after each transaction
   * @param ended told the report, also where a defect is thrown after it
   * @throws ImportRunning
   */
  async import(
    request: ImportRequest,
    input: Input,
    progress: () => void = () => undefined,
    ended: (report: ImportReport) => void = () => undefined,
  ): Promise<ImportReport> {
    const { report, failure } = await this.run(request, input, LEAST_IN_ORDER, async (run, found, lock) => {
      // While a server stores one part, the next is read.
      let storing = Promise.resolve();
      const next = async (part: Part) => {
        await storing;
        storing = this.store(run, [part], lock);
        // It is awaited before the next part, or in the end; until then its failure is nobody's.
        storing.catch(() => undefined);
      };
      try {
        for await (const one of found) {
          for (const part of run.accept(one)) {
            await next(part);
            progress();
          }
        }
        for (const part of run.rest()) await next(part);
      } finally {
        await storing;
      }
      return null;
    });
    ended(report);
    if (failure?.why === null) throw failure.error;
    return report;
  }

  /**
   * Imports an input that is read and checked whole before its one transaction opens. That leaves the audit row and gives the lock
   * back, too: else whoever is told of a failure there could not know that the data are stored.
   * @throws ImportRunning; ImportRefused where the input is not of the format; else the database's error: nothing is stored then
   */
  async importWhole(request: ImportRequest, input: Input): Promise<ImportReport> {
    const { report, failure } = await this.run(request, input, MOST_IN_ORDER, async (run, found, lock) => {
      const parts: Part[] = [];
      for await (const one of found) parts.push(...run.accept(one));
      parts.push(...run.rest());
      let report: ImportReport | null = null;
      await this.store(run, parts, lock, async (tx, counts) => {
        report = counts.finish(input.digest(), input.bytesRead(), null);
        if (lock !== null) await this.close(tx, request, lock, report);
      });
      return report;
    });
    if (failure !== null) throw failure.error;
    return report;
  }

  /** @param work gives the report where it has closed the import with it; else null */
  private async run(
    request: ImportRequest,
    input: Input,
    least: number,
    work: (
      run: ImportRun,
      parts: AsyncIterable<InputPart>,
      lock: HeldLock | null,
    ) => Promise<ImportReport | null>,
  ): Promise<{ report: ImportReport; failure: Failure | null }> {
    const { format, options, dryRun } = request;
    const run = new ImportRun(new ReportBuilder(format, input.name, dryRun), dryRun);
    let lock: HeldLock | null = null;
    let closed: ImportReport | null = null;
    let failure: Failure | null = null;
    try {
      if (!dryRun) lock = await this.lock.take();
      closed = await work(run, readInput(format, input, options, least), lock);
    } catch (error) {
      // Without the lock nothing has begun.
      if (!dryRun && lock === null) throw error;
      failure = { error, why: whyFailed(error) };
    } finally {
      lock?.stop();
      await input.close();
    }
    const why = failure && (failure.why ?? DEFECT);
    const report = closed ?? run.report.finish(input.digest(), input.bytesRead(), why);
    this.done.imports++;
    this.done.rows += report.read;
    this.done.rejected += report.rejected;
    if (lock !== null && closed === null) {
      const held = lock;
      const closing = this.unitOfWork.run((tx) => this.close(tx, request, held, report));
      // Where the database is away, so are the trail and the lock; the lock is taken over once it has been silent for a while.
      await (failure === null ? closing : closing.catch(() => undefined));
    }
    return { report, failure };
  }

  /** Leaves the audit row and gives the lock back. */
  private async close(
    tx: Transaction,
    { caller, requestId }: ImportRequest,
    lock: HeldLock,
    report: ImportReport,
  ): Promise<void> {
    await this.trail.record(tx, {
      caller,
      requestId,
      table: 'import',
      recordId: null,
      action: 'import',
      columns: AUDITED,
      before: null,
      after: { ...report },
    });
    await lock.giveBack(tx);
  }

  /** Stores parts in one transaction. */
  private async store(
    run: ImportRun,
    parts: readonly Part[],
    lock: HeldLock | null,
    last?: LastStep,
  ): Promise<void> {
    const note = (outcomes: readonly Outcome[]) => {
      for (const outcome of outcomes) {
        outcome.count(run.report);
        outcome.keep?.();
      }
    };
    for (let attempt = 1; ; attempt++) {
      try {
        const outcomes = await this.unitOfWork.run(async (tx) => {
          const done: Outcome[] = [];
          for (const part of parts) done.push(await this.write(tx, run, part));
          if (run.dryRun) throw new DryRunDone(done);
          await lock?.confirm(tx);
          if (last !== undefined) {
            const counts = run.report.copy();
            for (const outcome of done) outcome.count(counts);
            await last(tx, counts);
          }
          return done;
        });
        return note(outcomes);
      } catch (error) {
        if (error instanceof DryRunDone) return note(error.outcomes);
        // Somebody else has made a record that was looked for and made here: now it is found.
        if (attempt === TRIES || driverErrorKind(error) !== 'duplicate') throw error;
      }
    }
  }

  private async write(tx: Transaction, run: ImportRun, part: Part): Promise<Outcome> {
    if (part.kind === 'records') {
      const written = await writeRecords(tx, part.table.name, part.rows);
      const count = (report: ReportBuilder) => {
        report.stored(written);
        report.hsCodesKept(written.hsCodesKept);
      };
      return { count };
    }
    return part.kind === 'series' ? this.writeSeries(tx, run, part.series) : this.writePrices(tx, run, part);
  }

  /** Makes the series that are not stored yet; of those that are, what their source derives may have changed. */
  private async writeSeries(
    tx: Transaction,
    run: ImportRun,
    described: readonly DescribedSeries[],
  ): Promise<Outcome> {
    const marks = new Map(described.map(({ series, markedPeriods }) => [series.uuid, markedPeriods]));
    const resolved = await resolveSeries(
      tx,
      described.map(({ series }) => series),
      ({ uuid }) => marks.get(uuid) ?? 0,
    );
    const changed: SeriesOfRun[] = [];
    for (const { series, markedPeriods } of described) {
      const stored = resolved.stored.get(series.uuid)!;
      if (stored.markedPeriods === markedPeriods) continue;
      await tx.execute('UPDATE price_serie SET marked_periods = ? WHERE id = ?', [markedPeriods, stored.id]);
      changed.push(series);
    }
    tx.touchSeries(changed.map(({ uuid }) => resolved.stored.get(uuid)!.id));
    const keep = () => {
      const gone = new Set(run.dryRun ? resolved.made : []);
      for (const { series, markedPeriods } of described) {
        if (!gone.has(series.uuid))
          series.stored = { id: resolved.stored.get(series.uuid)!.id, markedPeriods };
      }
    };
    const count = (report: ReportBuilder) => {
      const added = resolved.made.length;
      report.stored({ added, changed: changed.length, unchanged: described.length - added - changed.length });
      noteMade(report, resolved);
    };
    return { count, keep };
  }

  private async writePrices(tx: Transaction, run: ImportRun, prices: PriceColumns): Promise<Outcome> {
    const groups = seriesIn(prices).map((group) => ({ ...group, series: run.series(group.number) }));
    const unresolved = groups.map(({ series }) => series).filter((series) => series.stored === null);
    const resolved = await resolveSeries(tx, unresolved);
    const points: NewPoint[] = [];
    const unknown: (typeof groups)[number][] = [];
    for (const group of groups) {
      const stored = group.series.stored ?? resolved.stored.get(group.series.uuid);
      if (stored === undefined) unknown.push(group);
      else for (let at = group.from; at < group.to; at++) points.push(pointAt(prices, at, stored));
    }
    const counts = await this.observations.write(tx, points, run.periods);
    const keep = () => {
      run.periods?.keep();
      // What a dry run has made is gone again.
      const gone = new Set(run.dryRun ? resolved.made : []);
      for (const series of unresolved) {
        if (!gone.has(series.uuid)) series.stored = resolved.stored.get(series.uuid) ?? null;
      }
    };
    const count = (report: ReportBuilder) => {
      report.stored(counts);
      report.skip('less_than_stored', counts.kept);
      noteMade(report, resolved);
      for (const { series, from, to } of unknown) {
        const detail = `There is no series ${series.uuid}: import the list of series first.`;
        for (const line of prices.line.subarray(from, to))
          report.reject({ line, field: 'uuid', reason: 'unknown_uuid', detail });
      }
    };
    return { count, keep };
  }
}

/** The series of prices that are in their order, by their numbers, and where the prices of each are. */
function seriesIn({ series }: PriceColumns): { number: number; from: number; to: number }[] {
  const found: { number: number; from: number; to: number }[] = [];
  for (let at = 0; at < series.length; at++) {
    const number = series[at]!;
    const last = found.at(-1);
    if (last?.number === number) last.to = at + 1;
    else found.push({ number, from: at, to: at + 1 });
  }
  return found;
}

function noteMade(report: ReportBuilder, { made, records, hsCodesKept }: ResolvedSeries): void {
  report.madeSeries(made);
  report.madeRecords(records);
  report.hsCodesKept(hsCodesKept);
}

/** The point that a price of a series becomes. */
function pointAt(columns: PriceColumns, at: number, { id, markedPeriods }: StoredSeries): NewPoint {
  const period = columns.period[at] as Period;
  const flags = columns.flags[at]!;
  return {
    serieId: id,
    period,
    day: columns.day[at]!,
    value: columns.value[at]!,
    calculated: hasCalculated(flags) || (markedPeriods & (1 << period)) !== 0,
    comment: columns.comments[columns.comment[at]!]!,
    forecast: hasForecast(flags),
  };
}

/** Fields of the report that the audit trail keeps. */
const AUDITED = [
  'format',
  'input',
  'digest',
  'bytes',
  'error',
  'read',
  'new',
  'changed',
  'unchanged',
  'skipped',
  'rejected',
  'rejected_by_reason',
  'series',
  'records',
  'rounded',
  'hs_codes_kept',
  'seconds',
] as const satisfies readonly (keyof ImportReport)[];

/** Why an import ended early, for its report; null for what is no failure but a defect. */
function whyFailed(error: unknown): string | null {
  if (error instanceof ImportRejected || error instanceof ImportLockLost) return error.message;
  return toApiErrorFromDriver(error)?.detail ?? null;
}
