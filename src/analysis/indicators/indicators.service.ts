import { Injectable } from '@nestjs/common';
import { firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { entryJson } from '../../price-series/price-serie.view.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { PricesService } from '../../prices/prices.service.js';
import { PointWindow } from '../../prices/read/point-window.js';
import { columnsSerializer, priceColumns } from '../price-columns.js';
import { type AnnualObservation, IndicatorCalculation, type Observation } from './indicator-calculation.js';
import { IndicatorListing } from './indicator-listing.js';
import type { IndicatorRequest } from './indicator.parameters.js';

/** Whole months: an indicator may need any month before its own. */
export const ALL_MONTHS = new PointWindow([MONTHLY]);

/** The indicators of series, calculated on read from the prices as they are served. */
@Injectable()
export class IndicatorsService {
  constructor(private readonly prices: PricesService) {}

  /**
   * The indicators of one series, newest first.
   * @throws NotFound where there is no such series, or the text is no uuid
   * @throws ValidationError for a revision that does not exist
   */
  async read(uuid: string, request: IndicatorRequest, signal: AbortSignal): Promise<IndicatorListing> {
    const { settings, annual, fields, view } = request;
    const past = await this.prices.past(view);
    const loaded = await this.prices.read(uuid, ALL_MONTHS, columnsSerializer, past, signal);
    const series = loaded.points(0);
    const { catalogue, row } = series.context;
    const calculation = new IndicatorCalculation(
      priceColumns(series, settings.measure, settings.per),
      settings,
    );
    return new IndicatorListing({
      uuid: catalogue.uuidAt(row),
      entry: entryJson(catalogue, row),
      settings,
      annual,
      fields,
      seasonal: calculation.seasonal(),
      observations: annual
        ? await years(calculation, request)
        : await observations(calculation, request, signal),
      revision: loaded.snapshot.revision,
    });
  }
}

async function observations(
  calculation: IndicatorCalculation,
  { fields, from, to, latest }: IndicatorRequest,
  signal: AbortSignal,
): Promise<Observation[]> {
  const timeSlice = new TimeSlice();
  const shown: Observation[] = [];
  for (const month of calculation.months()) {
    const day = firstDayOfMonth(month);
    if (day > to) continue;
    if (day < from || shown.length >= latest) break;
    shown.push(calculation.observation(month, fields));
    await timeSlice.yield();
    signal.throwIfAborted();
  }
  return shown;
}

/** The years with a price whose 1 January is in the range. */
async function years(
  calculation: IndicatorCalculation,
  { from, to, latest }: IndicatorRequest,
): Promise<AnnualObservation[]> {
  const timeSlice = new TimeSlice();
  const shown: AnnualObservation[] = [];
  for (const year of new Set(calculation.months().map((month) => Math.floor(month / 12)))) {
    const day = firstDayOfMonth(year * 12);
    if (day > to) continue;
    if (day < from || shown.length >= latest) break;
    shown.push(calculation.year(year));
    await timeSlice.yield();
  }
  return shown;
}
