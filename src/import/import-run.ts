import { pointId } from '../prices/point-id.js';
import type { ImportBatch } from './formats/index.js';
import type { PriceRow, SeriesDescriptor, SeriesRow } from './formats/series.js';
import type { ImportTable, TableRow } from './formats/table-rows.js';
import type { ReportBuilder } from './import-report.js';
import { SeenPoints } from './seen-points.js';
import { keyOf, seriesUuid } from './series-uuid.js';
import type { ImportedSeries, StoredSeries } from './series-writer.js';
import { WaitingPrices, type WaitedPrice } from './waiting-prices.js';

/** Rows that one transaction stores at most. */
const ROWS_PER_TRANSACTION = 10_000;
/**
 * Prices that wait to be put in the order of their series. A file in the order of its dates has a price or two of every series
 * in each 10,000 lines; stored like that, every transaction would change every series.
 */
const ROWS_IN_ORDER = 400_000;
/** The first part in order is smaller, so that storing begins soon; each next is twice as large. */
const FIRST_ROWS_IN_ORDER = 25_000;

/** A series as an import knows it, numbered from 1 in the order of the input. */
export interface SeriesOfRun extends ImportedSeries {
  /** Null as long as the input has given no more than the uuid: prices may come before what describes their series. */
  descriptor: SeriesDescriptor | null;
  readonly number: number;
  /** Null until a transaction has found or made it. */
  stored: StoredSeries | null;
  /** What was met of it, by the code of the frequency. */
  readonly seen: SeenPoints[];
}

/** Prices of one series. */
export interface PriceGroup {
  readonly series: SeriesOfRun;
  readonly rows: readonly WaitedPrice[];
}

/** A series that the input describes, with or without prices. */
export interface DescribedSeries {
  readonly series: SeriesOfRun;
  readonly markedPeriods: number;
}

/** Rows that are stored together: at most so many as a transaction may have. */
export type Part =
  | { readonly kind: 'prices'; readonly groups: readonly PriceGroup[] }
  | { readonly kind: 'series'; readonly series: readonly DescribedSeries[] }
  | { readonly kind: 'records'; readonly table: ImportTable; readonly rows: readonly TableRow[] };

/** One import under way: what it has met so far, and the rows that wait for their transaction. */
export class ImportRun {
  private readonly byUuid = new Map<string, SeriesOfRun>();
  private readonly byNumber: SeriesOfRun[] = [];
  private readonly byDescriptor = new Map<PriceRow['series'], SeriesOfRun>();
  private readonly forecasts = new Set<number>();
  private readonly seenRecords = new Map<string, TableRow>();
  private readonly waitingPrices = new WaitingPrices();
  private rowsInOrder = FIRST_ROWS_IN_ORDER;
  private readonly seenSeries = new Map<string, string>();
  private waitingSeries: DescribedSeries[] = [];
  private waitingRecords: { table: ImportTable; rows: TableRow[] } | null = null;

  constructor(
    readonly report: ReportBuilder,
    readonly dryRun: boolean,
  ) {}

  /** Takes in a batch. Rows are given out when there are enough of them to be stored. */
  *accept(batch: ImportBatch): Generator<Part> {
    this.report.batch(batch);
    if (batch.kind === 'prices') {
      for (const row of batch.rows) this.acceptPrice(row, batch.valueColumn);
      if (this.waitingPrices.length >= this.rowsInOrder) {
        this.rowsInOrder = Math.min(this.rowsInOrder * 2, ROWS_IN_ORDER);
        yield* this.rest();
      }
    } else if (batch.kind === 'series') {
      for (const row of batch.rows) this.acceptSeries(row);
      if (this.waitingSeries.length >= ROWS_PER_TRANSACTION) yield* this.rest();
    } else {
      if (this.waitingRecords?.table !== batch.table) yield* this.records();
      this.waitingRecords ??= { table: batch.table, rows: [] };
      for (const row of batch.rows) this.acceptRecord(batch.table, row);
      if (this.waitingRecords.rows.length >= ROWS_PER_TRANSACTION) yield* this.records();
    }
  }

  /** The rows that still wait: first what others refer to. */
  *rest(): Generator<Part> {
    yield* this.records();
    const series = this.waitingSeries;
    this.waitingSeries = [];
    for (let from = 0; from < series.length; from += ROWS_PER_TRANSACTION) {
      yield { kind: 'series', series: series.slice(from, from + ROWS_PER_TRANSACTION) };
    }
    yield* this.prices();
  }

  private *prices(): Generator<Part> {
    for (const prices of this.waitingPrices.take(ROWS_PER_TRANSACTION)) {
      const groups: { series: SeriesOfRun; rows: WaitedPrice[] }[] = [];
      for (const row of prices) {
        const group = groups.at(-1);
        if (group?.series.number === row.series) group.rows.push(row);
        else groups.push({ series: this.byNumber[row.series - 1]!, rows: [row] });
      }
      yield { kind: 'prices', groups };
    }
  }

  private *records(): Generator<Part> {
    const waiting = this.waitingRecords;
    this.waitingRecords = null;
    if (waiting === null) return;
    const { table, rows } = waiting;
    for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION) {
      yield { kind: 'records', table, rows: rows.slice(from, from + ROWS_PER_TRANSACTION) };
    }
  }

  private seriesOf(described: PriceRow['series']): SeriesOfRun {
    let series = this.byDescriptor.get(described);
    if (series !== undefined) return series;
    const descriptor = 'market' in described ? described : null;
    const uuid = descriptor === null ? described.uuid! : (descriptor.uuid ?? seriesUuid(keyOf(descriptor)));
    series = this.byUuid.get(uuid);
    if (series === undefined) {
      series = { uuid, descriptor, number: this.byNumber.length + 1, stored: null, seen: [] };
      this.byUuid.set(uuid, series);
      this.byNumber.push(series);
    }
    series.descriptor ??= descriptor;
    this.byDescriptor.set(described, series);
    return series;
  }

  /** The first row of a point counts: another is the same, or a conflict. */
  private acceptPrice(row: PriceRow, column: string): void {
    const series = this.seriesOf(row.series);
    const seen = (series.seen[row.period] ??= new SeenPoints());
    const known = seen.note(row.day, row.value);
    const key = () => pointId(series.number, row.period, row.day);
    if (known === null) {
      if (row.forecast) this.forecasts.add(key());
    } else if (this.forecasts.has(key()) !== row.forecast) {
      // Between a forecast and a price the price counts, whichever comes first.
      if (row.forecast) return this.report.skip('less_than_stored', 1);
      this.forecasts.delete(key());
      seen.replace(row.day, row.value);
    } else if (known === row.value) {
      return this.report.unchanged();
    } else {
      const detail = `An earlier line gives ${known} for the same series and date.`;
      return this.report.reject({ line: row.line, field: column, reason: 'conflict', detail });
    }
    this.waitingPrices.add(series.number, row);
  }

  private acceptSeries({ line, series: descriptor, markedPeriods }: SeriesRow): void {
    const text = JSON.stringify([keyOf(descriptor), markedPeriods]);
    const known = this.seenSeries.get(descriptor.uuid);
    if (known === text) return this.report.unchanged();
    if (known !== undefined) {
      const detail = `An earlier line describes the series ${descriptor.uuid} otherwise.`;
      return this.report.reject({ line, field: 'uuid', reason: 'conflict', detail });
    }
    this.seenSeries.set(descriptor.uuid, text);
    this.waitingSeries.push({ series: this.seriesOf(descriptor), markedPeriods });
  }

  private acceptRecord(table: ImportTable, row: TableRow): void {
    const key = [table.name, ...table.unique.map((name) => row.values[name])].join('\n');
    const known = this.seenRecords.get(key);
    if (known === undefined) {
      this.seenRecords.set(key, row);
      this.waitingRecords!.rows.push(row);
      return;
    }
    const differing = Object.keys(row.values).find((name) => row.values[name] !== known.values[name]);
    if (differing === undefined) return this.report.unchanged();
    const detail = `Line ${known.line} gives another ${differing} for the same record.`;
    this.report.reject({ line: row.line, field: differing, reason: 'conflict', detail });
  }
}
