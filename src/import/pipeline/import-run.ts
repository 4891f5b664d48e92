import { batchesOf } from '../../lib/collections/batches.js';
import type { ImportMode } from '../../ledger/corrections/correction.js';
import { FormerRecords } from '../../reference/base/former-records.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { BackdatedPoints } from '../../prices/store/backdated-points.js';
import { NewestDays } from '../../prices/store/newest-days.js';
import { PeriodicityCache } from '../../prices/store/periodicity-cache.js';
import type { SeriesDescriptor, InputSeries } from '../formats/series.js';
import { PARALLEL_RATES } from '../formats/unread-columns.js';
import type { TableRecord } from '../formats/table-rows.js';
import type { ReportBuilder } from './import-report.js';
import { firstRecords } from './reading/first-rows.js';
import { ROWS_PER_TRANSACTION, type OrderedBatch, type OrderedPrices } from './reading/ordered-prices.js';
import { naturalKey } from './series-uuid.js';
import { SharedSeries } from './shared-series.js';
import type { StoredSeries } from '../../price-series/stored-series.js';
import type { ImportedSeries } from './series-writer.js';

/** The state of a series within an import. */
export interface SeriesState extends ImportedSeries {
  /** Null while the input has only the uuid: prices may come before their series' description. */
  descriptor: SeriesDescriptor | null;
  /** Null until a transaction has found or created it. */
  stored: StoredSeries | null;
  /** Whether the input may have points of the stored series under further uuids. */
  isShared: boolean;
}

/** A series that the input describes without prices. */
export interface DescribedSeries {
  readonly series: SeriesState;
  readonly markedPeriods: number;
}

/** Rows that are stored together, at most `ROWS_PER_TRANSACTION`. */
export type WriteBatch =
  | OrderedPrices
  | { readonly kind: 'series'; readonly series: readonly DescribedSeries[] }
  | { readonly kind: 'records'; readonly table: ReferenceTable; readonly rows: readonly TableRecord[] };

/** The state of a running import: the series and records so far, and the rows not yet stored. */
export class ImportRun {
  /** Null in a dry run. */
  readonly periods: PeriodicityCache | null;
  readonly shared = new SharedSeries();
  readonly former = new FormerRecords();
  /** Of the observed prices of stored series, also of those that are not to be stored. */
  readonly newestDays = new NewestDays();
  /** Null unless it is a dry run, which warns of them. */
  readonly backdated: BackdatedPoints | null;
  private readonly byUuid = new Map<string, SeriesState>();
  private readonly byNumber: SeriesState[] = [];
  private readonly seenRecords = new Map<string, TableRecord>();
  private readonly seenSeries = new Map<string, string>();
  private pendingSeries: DescribedSeries[] = [];
  private pendingRecords: { table: ReferenceTable; rows: TableRecord[] } | null = null;

  constructor(
    readonly report: ReportBuilder,
    readonly dryRun: boolean,
    readonly mode: ImportMode = 'merge',
    /** Whether it may change rates and indices of other sources. */
    readonly replace = false,
  ) {
    this.periods = dryRun ? null : new PeriodicityCache();
    this.backdated = dryRun ? new BackdatedPoints() : null;
  }

  /** Adds a batch of the input, and yields the batches that are ready to be stored. */
  *add(batch: OrderedBatch): Generator<WriteBatch> {
    this.report.addBatch(batch);
    if (batch.kind === 'records' && batch.rows.some(({ values }) => values.rate_type === 'parallel'))
      this.report.addNote(PARALLEL_RATES);
    if (batch.kind === 'records') this.report.addFirstRows(firstRecords(batch));
    if (batch.kind === 'prices') {
      this.report.addFirstRows(batch.firstRows);
      this.report.addUnchanged(batch.unchanged);
      for (const { number, uuid, descriptor } of batch.newSeries)
        this.byNumber[number] = this.findOrAddSeries(uuid, descriptor);
      // The series and records that the prices refer to are stored first.
      yield* this.flush();
      if (batch.line.length > 0) yield batch;
    } else if (batch.kind === 'series') {
      for (const row of batch.rows) this.addSeries(row);
      if (this.pendingSeries.length >= ROWS_PER_TRANSACTION) yield* this.flush();
    } else {
      if (this.pendingRecords?.table !== batch.table) yield* this.flushRecords();
      this.pendingRecords ??= { table: batch.table, rows: [] };
      for (const row of batch.rows) this.addRecord(batch.table, row);
      if (this.pendingRecords.rows.length >= ROWS_PER_TRANSACTION) yield* this.flushRecords();
    }
  }

  /** Yields all pending rows, records before the series that refer to them. */
  *flush(): Generator<WriteBatch> {
    yield* this.flushRecords();
    const series = this.pendingSeries;
    this.pendingSeries = [];
    for (const batch of batchesOf(series, ROWS_PER_TRANSACTION)) {
      yield { kind: 'series', series: batch };
    }
  }

  /** A series by its number in `PriceColumns`. */
  series(number: number): SeriesState {
    return this.byNumber[number]!;
  }

  private *flushRecords(): Generator<WriteBatch> {
    const pending = this.pendingRecords;
    this.pendingRecords = null;
    if (pending === null) return;
    const { table, rows } = pending;
    for (const batch of batchesOf(rows, ROWS_PER_TRANSACTION)) {
      yield { kind: 'records', table, rows: batch };
    }
  }

  private findOrAddSeries(uuid: string, descriptor: SeriesDescriptor | null): SeriesState {
    let series = this.byUuid.get(uuid);
    if (series === undefined)
      this.byUuid.set(uuid, (series = { uuid, descriptor: null, stored: null, isShared: false }));
    if (series.descriptor === null && descriptor !== null) {
      series.descriptor = descriptor;
      this.report.addSeriesOf(descriptor.market.iso3_country_code, descriptor.currency);
    }
    return series;
  }

  private addSeries({ line, series: descriptor, markedPeriods }: InputSeries): void {
    const description = JSON.stringify([naturalKey(descriptor), markedPeriods]);
    const earlier = this.seenSeries.get(descriptor.uuid);
    if (earlier === description) return this.report.addUnchanged();
    if (earlier !== undefined) {
      const detail = `An earlier line describes the series ${descriptor.uuid} differently.`;
      return this.report.reject({ line, field: 'uuid', reason: 'conflict', detail });
    }
    this.seenSeries.set(descriptor.uuid, description);
    this.pendingSeries.push({ series: this.findOrAddSeries(descriptor.uuid, descriptor), markedPeriods });
  }

  private addRecord(table: ReferenceTable, row: TableRecord): void {
    const key = [table.name, ...table.statements.uniqueKey.map((name) => row.values[name])].join('\n');
    const earlier = this.seenRecords.get(key);
    if (earlier === undefined) {
      this.seenRecords.set(key, row);
      if (typeof row.values.currency === 'string') this.report.addCurrency(row.values.currency);
      this.pendingRecords!.rows.push(row);
      return;
    }
    const differing = Object.keys(row.values).find((name) => row.values[name] !== earlier.values[name]);
    if (differing === undefined) return this.report.addUnchanged();
    const detail = `Line ${earlier.line} has a different ${differing} for the same record.`;
    this.report.reject({ line: row.line, field: differing, reason: 'conflict', detail });
  }
}
