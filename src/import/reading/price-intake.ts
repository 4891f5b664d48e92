import { pointId } from '../../prices/point-id.js';
import type { Reject } from '../formats/batch.js';
import type { ImportBatch } from '../formats/index.js';
import type { PriceBatch, PriceRow, SeriesDescriptor } from '../formats/series.js';
import { keyOf, seriesUuid } from '../series-uuid.js';
import {
  cut,
  ROWS_PER_TRANSACTION,
  type InputPart,
  type NumberedSeries,
  type OrderedPrices,
} from './ordered-prices.js';
import { SeenPoints } from './seen-points.js';
import { WaitingPrices, type WaitingPrice } from './waiting-prices.js';

/**
 * Prices that wait to be put in the order of their series. A file in the order of its dates has a price or two of every series
 * in each 10,000 lines; stored like that, every transaction would change every series.
 */
export const MOST_IN_ORDER = 400_000;
/** Rejected rows that wait to be told of. */
const MOST_REJECTS = 10_000;

/** A series as it was met. */
interface MetSeries {
  readonly number: number;
  described: boolean;
  /** The part that its latest price is in. */
  part: number;
  /** What was met of it, by the code of the frequency. */
  readonly seen: SeenPoints[];
}

/** What was found since the last part was given out. */
class Findings {
  read = 0;
  unchanged = 0;
  rounded = 0;
  readonly skipped = new Map<string, number>();
  readonly rejects: Reject[] = [];
  readonly newSeries: NumberedSeries[] = [];

  skip(reason: string, count: number): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
  }
}

/**
 * Takes in the prices of one input as they are read: numbers their series, puts them in the order of these, and then finds out which
 * speak of the same point. In the order of the file that would take twice as long: each row of a daily file is of another series.
 */
export class PriceIntake {
  private readonly byUuid = new Map<string, MetSeries>();
  private readonly byDescriptor = new Map<PriceRow['series'], MetSeries>();
  /** By number. */
  private readonly met: MetSeries[] = [];
  private readonly forecasts = new Set<number>();
  private readonly waiting = new WaitingPrices();
  private found = new Findings();
  private part = 1;
  private seriesInPart = 0;
  /** What the input calls the price. */
  private valueColumn = '';

  /** Prices that wait; some of them may turn out to say what is known. */
  get waits(): number {
    return this.waiting.length;
  }

  /** Series that they are of. */
  get waitingSeries(): number {
    return this.seriesInPart;
  }

  /** Nothing more may wait. */
  get isFull(): boolean {
    return this.waits >= MOST_IN_ORDER || this.found.rejects.length >= MOST_REJECTS;
  }

  accept(batch: PriceBatch): void {
    const { found, waiting } = this;
    this.valueColumn = batch.valueColumn;
    found.read += batch.read;
    found.rounded += batch.rounded;
    for (const [reason, count] of batch.skipped) found.skip(reason, count);
    for (const reject of batch.rejects) found.rejects.push(reject);
    for (const row of batch.rows) {
      const series = this.seriesOf(row.series);
      if (series.part !== this.part) {
        series.part = this.part;
        this.seriesInPart++;
      }
      waiting.add(series.number, row);
    }
  }

  /** All that waits, in order. */
  take(): OrderedPrices {
    const columns = this.waiting.take((row) => this.isWanted(row));
    const { read, unchanged, rounded, skipped, rejects, newSeries } = this.found;
    this.found = new Findings();
    this.part++;
    this.seriesInPart = 0;
    return { kind: 'prices', ...columns, read, unchanged, rounded, skipped, rejects, newSeries };
  }

  /** The first row of a point counts: another is the same, or a conflict. */
  private isWanted({ series: number, period, day, value, forecast, line }: WaitingPrice): boolean {
    const { seen } = this.met[number]!;
    const points = (seen[period] ??= new SeenPoints());
    const known = points.note(day, value);
    const key = () => pointId(number, period, day);
    if (known === null) {
      if (forecast) this.forecasts.add(key());
      return true;
    }
    if (this.forecasts.has(key()) !== forecast) {
      // Between a forecast and a price the price counts, whichever comes first.
      if (forecast) this.found.skip('less_than_stored', 1);
      else {
        this.forecasts.delete(key());
        points.replace(day, value);
      }
      return !forecast;
    }
    if (known === value) this.found.unchanged++;
    else {
      const detail = `An earlier line gives ${known} for the same series and date.`;
      this.found.rejects.push({ line, field: this.valueColumn, reason: 'conflict', detail });
    }
    return false;
  }

  /** A reader has one object for each series, but several may speak of the same. */
  private seriesOf(described: PriceRow['series']): MetSeries {
    let series = this.byDescriptor.get(described);
    if (series === undefined) {
      series = this.meet('market' in described ? described : null, described.uuid);
      this.byDescriptor.set(described, series);
    }
    return series;
  }

  private meet(descriptor: SeriesDescriptor | null, given: string | null): MetSeries {
    const uuid = given ?? seriesUuid(keyOf(descriptor!));
    const known = this.byUuid.get(uuid);
    if (known?.described || (known && descriptor === null)) return known;
    const series = known ?? { number: this.byUuid.size + 1, described: false, part: 0, seen: [] };
    series.described = descriptor !== null;
    this.byUuid.set(uuid, series);
    this.met[series.number] = series;
    this.found.newSeries.push({ number: series.number, uuid, descriptor });
    return series;
  }
}

/**
 * Puts the prices of an input in the order of their series; all else is passed on as it comes.
 * @param least prices that are put in order at least, but for the last
 */
export async function* inOrder(
  batches: AsyncIterable<ImportBatch>,
  least: number,
): AsyncGenerator<InputPart> {
  const intake = new PriceIntake();
  for await (const batch of batches) {
    if (batch.kind !== 'prices') {
      yield batch;
      continue;
    }
    intake.accept(batch);
    if (intake.waits >= least || intake.isFull) yield* cut(intake.take(), ROWS_PER_TRANSACTION);
  }
  yield* cut(intake.take(), ROWS_PER_TRANSACTION);
}
