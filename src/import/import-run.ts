import { PeriodMemory } from '../prices/period-memory.js';
import type { SeriesDescriptor, SeriesRow } from './formats/series.js';
import type { ImportTable, TableRow } from './formats/table-rows.js';
import type { ReportBuilder } from './import-report.js';
import { ROWS_PER_TRANSACTION, type InputPart, type OrderedPrices } from './reading/ordered-prices.js';
import { keyOf } from './series-uuid.js';
import type { ImportedSeries, StoredSeries } from './series-writer.js';

/** A series as an import knows it. */
export interface SeriesOfRun extends ImportedSeries {
  /** Null as long as the input has given no more than the uuid: prices may come before what describes their series. */
  descriptor: SeriesDescriptor | null;
  /** Null until a transaction has found or made it. */
  stored: StoredSeries | null;
}

/** A series that the input describes, with or without prices. */
export interface DescribedSeries {
  readonly series: SeriesOfRun;
  readonly markedPeriods: number;
}

/** Rows that are stored together: at most so many as a transaction may have. */
export type Part =
  | OrderedPrices
  | { readonly kind: 'series'; readonly series: readonly DescribedSeries[] }
  | { readonly kind: 'records'; readonly table: ImportTable; readonly rows: readonly TableRow[] };

/** One import under way: what it has met so far, and the rows that wait for their transaction. */
export class ImportRun {
  /** Null where nothing is stored. */
  readonly periods: PeriodMemory | null;
  private readonly byUuid = new Map<string, SeriesOfRun>();
  private readonly byNumber: SeriesOfRun[] = [];
  private readonly seenRecords = new Map<string, TableRow>();
  private readonly seenSeries = new Map<string, string>();
  private waitingSeries: DescribedSeries[] = [];
  private waitingRecords: { table: ImportTable; rows: TableRow[] } | null = null;

  constructor(
    readonly report: ReportBuilder,
    readonly dryRun: boolean,
  ) {
    this.periods = dryRun ? null : new PeriodMemory();
  }

  /** Takes in a part of the input. Rows are given out when there are enough of them to be stored. */
  *accept(part: InputPart): Generator<Part> {
    this.report.found(part);
    if (part.kind === 'prices') {
      this.report.unchanged(part.unchanged);
      for (const { number, uuid, descriptor } of part.newSeries)
        this.byNumber[number] = this.seriesOf(uuid, descriptor);
      // First what they refer to.
      yield* this.rest();
      if (part.line.length > 0) yield part;
    } else if (part.kind === 'series') {
      for (const row of part.rows) this.acceptSeries(row);
      if (this.waitingSeries.length >= ROWS_PER_TRANSACTION) yield* this.rest();
    } else {
      if (this.waitingRecords?.table !== part.table) yield* this.records();
      this.waitingRecords ??= { table: part.table, rows: [] };
      for (const row of part.rows) this.acceptRecord(part.table, row);
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
  }

  /** A series by its number in the columns of prices. */
  series(number: number): SeriesOfRun {
    return this.byNumber[number]!;
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

  private seriesOf(uuid: string, descriptor: SeriesDescriptor | null): SeriesOfRun {
    let series = this.byUuid.get(uuid);
    if (series === undefined) this.byUuid.set(uuid, (series = { uuid, descriptor, stored: null }));
    series.descriptor ??= descriptor;
    return series;
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
    this.waitingSeries.push({ series: this.seriesOf(descriptor.uuid, descriptor), markedPeriods });
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
