import { Injectable } from '@nestjs/common';
import { firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { entryJson } from '../../price-series/price-serie.view.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { PricesService } from '../../prices/prices.service.js';
import { PointWindow } from '../../prices/read/point-window.js';
import { MAX_EXPLAINED, tooManyExplained } from '../explain/explain.parameters.js';
import { PriceExplanations, seriesExplanationsJson } from '../explain/price-explanation.js';
import { columnsSerializer, priceColumns } from '../price-columns.js';
import { IndicatorCalculation } from './indicator-calculation.js';
import { IndicatorExplanation } from './indicator-explanation.js';
import { indicatorFormulas } from './indicator-formulas.js';
import { IndicatorListing, sortedIndicators } from './indicator-listing.js';
import type { IndicatorRequest } from './indicator.parameters.js';
import type { AnnualObservation, Observation } from './indicator-fields.js';

/** Whole months: an indicator may need any month before its own. */
export const ALL_MONTHS = new PointWindow([MONTHLY]);

/** The indicators of series, calculated on read from the prices as they are served. */
@Injectable()
export class IndicatorsService {
  constructor(
    private readonly prices: PricesService,
    private readonly explanations: PriceExplanations,
  ) {}

  /**
   * The indicators of one series, newest first.
   * @throws NotFound where there is no such series, or the text is no uuid
   * @throws ValidationError for a revision that does not exist, and for more observations than can
   * be explained
   */
  async read(uuid: string, request: IndicatorRequest, signal: AbortSignal): Promise<IndicatorListing> {
    const { settings, annual, fields, view, explain, sort = [] } = request;
    // What explains the numbers is read after them, so it must be of the same state.
    const state = await this.prices.past(explain ? { ...view, asOf: view.asOf ?? 'now' } : view);
    const loaded = await this.prices.read(uuid, ALL_MONTHS, columnsSerializer, state, signal);
    const series = loaded.points(0);
    const { catalogue, row } = series.context;
    const columns = priceColumns(series, settings.measure, settings.per);
    const calculation = new IndicatorCalculation(columns, settings);
    const periods = selectedPeriods(calculation, request);
    if (explain && periods.length > MAX_EXPLAINED)
      throw tooManyExplained(
        periods.length,
        'observations',
        'Select fewer of them by start_date, end_date or latest.',
      );
    const explanation = explain ? new IndicatorExplanation(columns, settings) : null;
    const observations = await observationsOf(calculation, explanation, periods, request, signal);
    let explained: string | null = null;
    if (explanation !== null) {
      const real = fields.includes('ifpa');
      const seasonal =
        !annual && fields.includes('seasonal_index') && calculation.seasonal().years !== null
          ? explanation.seasonal()
          : null;
      const { months } = explanation;
      const prices = { series, columns, measure: settings.measure, real, months };
      const trees = [await this.explanations.read(state!, prices, signal)];
      const shown = { formulas: indicatorFormulas(fields, settings, annual), seasonal };
      explained = `${JSON.stringify(shown).slice(0, -1)},"series":${await seriesExplanationsJson(trees)}}`;
    }
    const indicators = {
      uuid: catalogue.uuidAt(row),
      entry: entryJson(catalogue, row),
      settings,
      annual,
      fields,
      seasonal: calculation.seasonal(),
      observations,
      explained,
      revision: loaded.snapshot.revision,
    };
    return new IndicatorListing(sort.length === 0 ? indicators : await sortedIndicators(indicators, sort));
  }
}

/** The months or years with a price that are requested, newest first. */
function selectedPeriods(
  calculation: IndicatorCalculation,
  { annual, from, to, latest }: IndicatorRequest,
): number[] {
  const months = calculation.months();
  const periods = annual ? [...new Set(months.map((month) => Math.floor(month / 12)))] : months;
  return periods
    .filter((period) => {
      const day = firstDayOfMonth(annual ? period * 12 : period);
      return day >= from && day <= to;
    })
    .slice(0, latest);
}

async function observationsOf(
  calculation: IndicatorCalculation,
  explanation: IndicatorExplanation | null,
  periods: readonly number[],
  { annual, fields }: IndicatorRequest,
  signal: AbortSignal,
): Promise<(Observation | AnnualObservation)[]> {
  const timeSlice = new TimeSlice();
  const observations: (Observation | AnnualObservation)[] = [];
  for (const period of periods) {
    if (annual) {
      const year = calculation.year(period);
      observations.push(explanation === null ? year : { ...year, ...explanation.year(year) });
    } else {
      const month = calculation.observation(period, fields);
      observations.push(
        explanation === null ? month : { ...month, ...explanation.observation(period, month) },
      );
    }
    await timeSlice.yield();
    signal.throwIfAborted();
  }
  return observations;
}
