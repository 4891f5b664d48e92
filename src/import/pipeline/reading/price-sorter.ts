import type { RejectedRow } from '../../formats/batch.js';
import type { FoundConvention } from '../../formats/convention/convention.js';
import type { ReaderBatch } from '../../formats/index.js';
import { ReplacedValues } from '../../formats/replaced-values.js';
import type { PriceBatch, PriceRow, SeriesDescriptor } from '../../formats/series.js';
import { naturalKey, seriesUuid } from '../series-uuid.js';
import {
  ROWS_PER_TRANSACTION,
  splitPrices,
  type NumberedSeries,
  type OrderedBatch,
  type OrderedPrices,
} from './ordered-prices.js';
import { type FirstRow, firstPrice, MAX_FIRST_ROWS } from './first-rows.js';
import { SeenPoints } from './seen-points.js';
import { PriceBuffer, type BufferedPrice } from './price-buffer.js';

/**
 * Maximum prices to buffer for sorting. A file ordered by date has one or two prices of every
 * series in each 10,000 lines; without sorting every transaction would change every series.
 */
export const MAX_BUFFERED_PRICES = 400_000;
/** Maximum rejected rows to buffer. */
const MAX_BUFFERED_REJECTS = 10_000;

/** A series that has appeared in the input. */
interface TrackedSeries {
  readonly number: number;
  isDescribed: boolean;
  /** Number of the batch with its latest price. */
  batch: number;
  /** Its points so far, by period. */
  readonly points: SeenPoints[];
}

/** Counts since the last batch. */
class BatchCounts {
  read = 0;
  unchanged = 0;
  rounded = 0;
  readonly replaced = new ReplacedValues();
  readonly skipped = new Map<string, number>();
  readonly rejects: RejectedRow[] = [];
  readonly newSeries: NumberedSeries[] = [];
  readonly firstRows: FirstRow[] = [];

  skip(reason: string, count: number): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
  }
}

/**
 * Buffers the prices of an input: numbers their series, sorts them by series, and then drops or
 * rejects rows for the same point. Doing this in file order would take twice as long: in a file
 * ordered by date each row is of a different series.
 */
export class PriceSorter {
  private readonly byUuid = new Map<string, TrackedSeries>();
  private readonly byDescriptor = new Map<PriceRow['series'], TrackedSeries>();
  /** Index is the series number. */
  private readonly byNumber: TrackedSeries[] = [];
  private readonly buffer = new PriceBuffer();
  private counts = new BatchCounts();
  private batchNumber = 1;
  private seriesInBatch = 0;
  private convention: FoundConvention | null = null;
  private notes: readonly string[] = [];
  /** Of those that the input begins with. */
  private shownRows = 0;
  /** Name of the price column, for rejected rows. */
  private valueColumn = '';

  /** Buffered prices, including duplicates. */
  get bufferedPrices(): number {
    return this.buffer.length;
  }

  /** Series of the buffered prices. */
  get bufferedSeries(): number {
    return this.seriesInBatch;
  }

  /** Whether the buffer must be drained before more is added. */
  get isFull(): boolean {
    return this.bufferedPrices >= MAX_BUFFERED_PRICES || this.counts.rejects.length >= MAX_BUFFERED_REJECTS;
  }

  add(batch: PriceBatch): void {
    const { counts, buffer } = this;
    this.valueColumn = batch.valueColumn;
    this.convention = batch.convention;
    this.notes = batch.notes;
    counts.read += batch.read;
    counts.rounded += batch.rounded;
    if (batch.replaced.cells > 0) counts.replaced.addCounted(batch.replaced);
    for (const [reason, count] of batch.skipped) counts.skip(reason, count);
    for (const reject of batch.rejects) counts.rejects.push(reject);
    const first = batch.rows.slice(0, MAX_FIRST_ROWS - this.shownRows);
    this.shownRows += first.length;
    for (const row of first) counts.firstRows.push(firstPrice(row));
    for (const row of batch.rows) {
      const series = this.findSeries(row.series);
      if (series.batch !== this.batchNumber) {
        series.batch = this.batchNumber;
        this.seriesInBatch++;
      }
      buffer.add(series.number, row);
    }
  }

  /** Returns all buffered prices in order, and empties the buffer. */
  drain(): OrderedPrices {
    const columns = this.buffer.drain((row) => this.shouldKeep(row));
    const { read, unchanged, rounded, skipped, rejects, newSeries, firstRows } = this.counts;
    const { cells, list } = this.counts.replaced;
    const replaced = { cells, list };
    this.counts = new BatchCounts();
    this.batchNumber++;
    this.seriesInBatch = 0;
    const { convention, notes } = this;
    return {
      kind: 'prices',
      ...columns,
      read,
      unchanged,
      rounded,
      replaced,
      skipped,
      rejects,
      newSeries,
      firstRows,
      convention,
      notes,
    };
  }

  /** Whether a row is stored. A later row for the same point is a duplicate or a conflict. */
  private shouldKeep({ series: number, period, day, value, line }: BufferedPrice): boolean {
    const points = (this.byNumber[number]!.points[period] ??= new SeenPoints());
    const earlier = points.add(day, value);
    if (earlier === null) return true;
    if (earlier === value) this.counts.unchanged++;
    else {
      const detail = `An earlier line has ${earlier} for the same series and date.`;
      this.counts.rejects.push({ line, field: this.valueColumn, reason: 'conflict', detail });
    }
    return false;
  }

  /** A reader has one object per series, but several objects may have the same uuid. */
  private findSeries(description: PriceRow['series']): TrackedSeries {
    let series = this.byDescriptor.get(description);
    if (series === undefined) {
      series = this.addSeries('market' in description ? description : null, description.uuid);
      this.byDescriptor.set(description, series);
    }
    return series;
  }

  private addSeries(descriptor: SeriesDescriptor | null, declaredUuid: string | null): TrackedSeries {
    const uuid = declaredUuid ?? seriesUuid(naturalKey(descriptor!), descriptor!.status);
    const existing = this.byUuid.get(uuid);
    if (existing?.isDescribed || (existing && descriptor === null)) return existing;
    const series = existing ?? { number: this.byUuid.size + 1, isDescribed: false, batch: 0, points: [] };
    series.isDescribed = descriptor !== null;
    this.byUuid.set(uuid, series);
    this.byNumber[series.number] = series;
    this.counts.newSeries.push({ number: series.number, uuid, descriptor });
    return series;
  }
}

/**
 * Orders the prices of an input by series. Other batches pass through unchanged.
 * @param minPrices minimum prices to sort at once, except for the last ones
 */
export async function* orderBySeries(
  batches: AsyncIterable<ReaderBatch>,
  minPrices: number,
): AsyncGenerator<OrderedBatch> {
  const sorter = new PriceSorter();
  for await (const batch of batches) {
    if (batch.kind !== 'prices') {
      yield batch;
      continue;
    }
    sorter.add(batch);
    if (sorter.bufferedPrices >= minPrices || sorter.isFull)
      yield* splitPrices(sorter.drain(), ROWS_PER_TRANSACTION);
  }
  yield* splitPrices(sorter.drain(), ROWS_PER_TRANSACTION);
}
