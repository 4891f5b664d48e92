import { Injectable } from '@nestjs/common';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { PriceColumns } from '../price-columns.js';
import { IndicatorCalculation, type Observation } from './indicator-calculation.js';
import { IndicatorColumns } from './indicator-columns.js';
import { INDICATOR_FIELDS } from './indicator-fields.js';
import { DEFAULT_SETTINGS } from './indicator-settings.js';
import { SeriesCalculationStore } from './series-calculation-store.js';

/** The newest observation of each series of a catalogue. */
export interface NewestIndicators {
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  /** The newest month of a row that is over and has a price; 0 where there is none. */
  monthAt(row: number): number;
  /** The observation of a row in that month; null where there is none. */
  at(row: number): Observation | null;
}

/** Keeps the newest observation of each series in memory, with the default settings. */
@Injectable()
export class NewestIndicatorStore extends SeriesCalculationStore<IndicatorColumns> {
  /** The newest observations, with every write whose revision this process has seen. */
  async current(): Promise<NewestIndicators> {
    const { catalogue, revision, results, places } = await this.refreshed();
    const monthAt = (row: number) => results.monthAt(places[row]!);
    const at = (row: number) => (monthAt(row) === 0 ? null : results.get(places[row]!));
    return { catalogue, revision, monthAt, at };
  }

  protected override empty(): IndicatorColumns {
    return new IndicatorColumns();
  }

  protected override add(results: IndicatorColumns, prices: PriceColumns): number {
    const month = prices.nominal.lastValue();
    const calculation = new IndicatorCalculation(prices, DEFAULT_SETTINGS);
    const observation = month === null ? null : calculation.observation(month, INDICATOR_FIELDS);
    const place = results.add();
    results.set(place, month ?? 0, observation);
    return place;
  }
}
