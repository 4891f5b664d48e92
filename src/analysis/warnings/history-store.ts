import { Injectable } from '@nestjs/common';
import { type CalculatedSeries, SeriesCalculationStore } from '../indicators/series-calculation-store.js';
import type { PriceColumns } from '../price-columns.js';
import { HistoryColumns } from './history-columns.js';

/** Keeps the IFPA and the class of ALPS of every month of each series in memory. */
@Injectable()
export class HistoryStore extends SeriesCalculationStore<HistoryColumns> {
  /** The histories, with every write whose revision this process has seen. */
  current(): Promise<CalculatedSeries<HistoryColumns>> {
    return this.refreshed();
  }

  protected override empty(): HistoryColumns {
    return new HistoryColumns();
  }

  protected override add(histories: HistoryColumns, prices: PriceColumns): number {
    return histories.add(prices);
  }
}
