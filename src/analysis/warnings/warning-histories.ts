import { Injectable } from '@nestjs/common';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ExpectItems } from '../../platform/formats/listing.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { IndicatorLimits } from '../indicators/indicator-list.service.js';
import { IndicatorCalculation } from '../indicators/indicator-calculation.js';
import { DEFAULT_SETTINGS } from '../indicators/indicator-settings.js';
import { ALL_MONTHS } from '../indicators/indicators.service.js';
import { HistoryColumns } from '../indicators/store/history-columns.js';
import { IndicatorStore, type StoredIndicators } from '../indicators/store/indicator-store.js';
import { priceColumns } from '../price-columns.js';
import { requireAtMost, SeriesLoader } from '../series-loader.js';
import { SERIES_PER_YIELD } from './group-months.js';
import type { SeriesHistories } from './warning-groups.js';
import type { WarningRequest } from './warning.parameters.js';

/** Finds the histories of IFPA and ALPS from which warnings are counted. */
@Injectable()
export class WarningHistories {
  constructor(
    private readonly store: IndicatorStore,
    private readonly loader: SeriesLoader,
    private readonly limits: IndicatorLimits,
  ) {}

  /**
   * The histories of the series that match. The current ones are in memory; with `as_of` they are
   * calculated for this request, for a limited number of series.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than the limit, and a revision that does not exist
   */
  read(
    request: Pick<WarningRequest, 'criteria' | 'view'>,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<SeriesHistories> {
    return request.view.asOf === undefined ? this.current(request) : this.asOf(request, signal, expectItems);
  }

  private async current({ criteria }: Pick<WarningRequest, 'criteria'>): Promise<SeriesHistories> {
    const stored = await this.store.current();
    return historiesOf(stored, selectSeries(stored.catalogue, criteria).slice(), stored.revision);
  }

  private async asOf(
    { criteria, view }: Pick<WarningRequest, 'criteria' | 'view'>,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<SeriesHistories> {
    const selected = await this.loader.select(criteria, view, signal);
    const { catalogue, revision, rows } = selected;
    requireAtMost(this.limits.series, rows.length, ['as_of'], 'with as_of');
    // `as_of` may name a revision after which no price or rate has changed.
    const stored = this.store.of(selected);
    if (stored !== null) return historiesOf(stored, rows, revision);
    await expectItems(rows.length);
    const histories = new HistoryColumns();
    const indices: number[] = [];
    for await (const { series } of this.loader.load(selected, ALL_MONTHS, signal)) {
      const prices = priceColumns(series, 'nominal', 'unit');
      indices.push(histories.add(new IndicatorCalculation(prices, DEFAULT_SETTINGS)));
    }
    return { catalogue, revision, histories, rows: Array.from(rows), indices };
  }
}

/** Finds the histories of selected rows among those in memory. */
async function historiesOf(
  { catalogue, histories, indices: indexOfRow }: StoredIndicators,
  selected: Uint32Array,
  revision: number,
): Promise<SeriesHistories> {
  const timeSlice = new TimeSlice();
  const rows: number[] = [];
  const indices: number[] = [];
  for (const row of selected) {
    if (rows.length % SERIES_PER_YIELD === 0) await timeSlice.yield();
    rows.push(row);
    indices.push(indexOfRow[row]!);
  }
  return { catalogue, revision, histories, rows, indices };
}
