import { Injectable } from '@nestjs/common';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { inTermsOf } from '../common-base.js';
import { MAX_EXPLAINED, tooManyExplained } from '../explain/explain.parameters.js';
import { PRICE_FORMULAS, valueFormula } from '../explain/price-formulas.js';
import {
  PriceExplanations,
  seriesExplanationsJson,
  type SeriesExplanation,
} from '../explain/price-explanation.js';
import { ALL_MONTHS } from '../indicators/indicators.service.js';
import { priceColumns } from '../price-columns.js';
import { SeriesLoader } from '../series-loader.js';
import type { AggregateRequest } from './aggregate.parameters.js';
import type { AggregateSettings } from './aggregate-settings.js';
import type { AggregateList, PricedGroup } from './aggregates.service.js';
import { GroupCalculation, type PeriodExplanation } from './group-calculation.js';
import { monthsPerPeriod } from './group-prices.js';

/** Series whose prices one reply explains at most. */
const MAX_EXPLAINED_SERIES = 100;

/** What the observations of a group were calculated from. */
export interface GroupExplanation {
  /** By date. */
  readonly observations: ReadonlyMap<string, PeriodExplanation>;
  /** The formulas and the prices of the series, as JSON. */
  readonly json: string;
}

/** The months of the prices that are used, by catalogue row. */
type UsedMonths = Map<number, Set<number>>;

/** Tells what aggregates were calculated from. */
@Injectable()
export class AggregateExplanations {
  constructor(
    private readonly series: SeriesLoader,
    private readonly prices: PriceExplanations,
  ) {}

  /**
   * Explains the observations of all groups of a list.
   * @throws ValidationError for more observations or series than can be explained
   */
  async of(
    list: AggregateList,
    request: AggregateRequest,
    signal: AbortSignal,
  ): Promise<Map<PricedGroup, GroupExplanation>> {
    const timeSlice = new TimeSlice();
    const observed = new Map<PricedGroup, Map<string, PeriodExplanation>>();
    const used: UsedMonths = new Map();
    let count = 0;
    for (const group of list.groups) {
      const calculation = await GroupCalculation.of(group.prices, request.settings, timeSlice);
      const observations = new Map<string, PeriodExplanation>();
      for await (const { date } of calculation.observations(request.range, null, timeSlice)) {
        if (++count > MAX_EXPLAINED) continue;
        const month = monthOf(dayFromIso(date)!);
        const { rows, ...explained } = calculation.explanation(month, (row) => list.catalogue.uuidAt(row));
        observations.set(date, explained);
        for (const row of rows) addMonths(used, row, month, request.settings);
        const { linked_from } = explained;
        if (linked_from !== null)
          for (const row of rows) addMonths(used, row, monthOf(dayFromIso(linked_from)!), request.settings);
      }
      observed.set(group, observations);
    }
    const narrow = 'Select fewer of them by filters, start_date, end_date or latest.';
    if (count > MAX_EXPLAINED) throw tooManyExplained(count, 'observations', narrow);
    if (used.size > MAX_EXPLAINED_SERIES)
      throw tooManyExplained(used.size, 'series', narrow, MAX_EXPLAINED_SERIES);
    const trees = await this.trees(list, used, request.settings, signal);
    const explained = new Map<PricedGroup, GroupExplanation>();
    for (const [group, observations] of observed) {
      const uuids = new Set(
        [...observations.values()].flatMap(({ prices }) => prices.map(({ uuid }) => uuid)),
      );
      const json = await explanationJson(
        request.settings,
        trees.filter(({ uuid }) => uuids.has(uuid)),
      );
      explained.set(group, { observations, json });
    }
    return explained;
  }

  private async trees(
    { selected, groups }: AggregateList,
    used: UsedMonths,
    { measure, per }: AggregateSettings,
    signal: AbortSignal,
  ): Promise<SeriesExplanation[]> {
    const rows = Uint32Array.from(used.keys()).sort();
    const trees: SeriesExplanation[] = [];
    const bases = new Map(groups.flatMap(({ rows: members, base }) => members.map((row) => [row, base])));
    for await (const { row, series: loaded } of this.series.load({ ...selected, rows }, ALL_MONTHS, signal)) {
      const series = inTermsOf(loaded, measure, bases.get(row)!);
      const columns = priceColumns(series, measure, per);
      const prices = { series, columns, measure, real: false, months: used.get(row)! };
      trees.push(await this.prices.read(selected.state, prices, signal));
    }
    return trees;
  }
}

function addMonths(used: UsedMonths, row: number, period: number, { periodicity }: AggregateSettings): void {
  const months = used.get(row) ?? new Set<number>();
  used.set(row, months);
  for (let month = period; month < period + monthsPerPeriod(periodicity); month++) months.add(month);
}

async function explanationJson(
  { measure, per, periodicity, aggregation }: AggregateSettings,
  trees: readonly SeriesExplanation[],
): Promise<string> {
  const formulas = {
    ...PRICE_FORMULAS,
    price: valueFormula(measure, per),
    value: periodicity === 'monthly' ? 'price of the month' : `${aggregation} of the prices of the months`,
    statistics: 'median, mean, min, max and number of value of prices',
    index:
      'linked_value × exp(Σ ln(value ÷ before) ÷ n_matched) × scale, over the prices with before; where a segment begins, 100 × scale',
  };
  return `{"formulas":${JSON.stringify(formulas)},"series":${await seriesExplanationsJson(trees)}}`;
}
