import { Injectable } from '@nestjs/common';
import { grouped } from '../../lib/collections/grouped.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ExpectItems } from '../../platform/formats/listing.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { PointWindow } from '../../prices/read/point-window.js';
import { currencyOf } from '../aggregates/dimensions.js';
import { commonBases, inTermsOf } from '../common-base.js';
import type { Transformation } from '../methods/transformations.js';
import { estimatedPoints, requireAtMost, type SelectedSeries, SeriesLoader } from '../series-loader.js';
import { seriesLabels } from '../series-label.js';
import { type TableSeries, seriesValues, type ValueSettings } from './series-values.js';
import type { TableRequest } from './table.parameters.js';
import type { TimeAxis } from './time-axis.js';

/** Most series of a table. */
export const MAX_SERIES = 500;
/** Days before the first date of a table that its values may need: those of a year and a week. */
const DAYS_BEFORE = 366 + 7;
/** Periods that are marked between two looks at the time. */
const MARKED_PER_YIELD = 5000;

/** The values of several series, by date and series. */
export interface PriceTable {
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  /** Catalogue rows, in the order of the lists. */
  readonly rows: Uint32Array;
  /** The base period of the real prices of each series; null where its values have none. */
  readonly bases: readonly (string | null)[];
  /** The label of each series. */
  readonly labels: readonly string[];
  readonly axis: TimeAxis;
  /** The periods in which a series has a price, newest first. */
  readonly numbers: readonly number[];
  /** The values of each series. */
  readonly series: readonly TableSeries[];
}

/** Puts the prices of series side by side. */
@Injectable()
export class PriceTableService {
  constructor(private readonly loader: SeriesLoader) {}

  /**
   * The series of a table.
   * @throws ValidationError for more series than the limit, and a revision that does not exist
   */
  async select({ criteria, filters, view }: TableRequest, signal: AbortSignal): Promise<SelectedSeries> {
    const selected = await this.loader.select(criteria, view, signal);
    // Without filters, a list of series is what is missing.
    requireAtMost(MAX_SERIES, selected.rows.length, filters.length > 0 ? filters : ['uuid__in']);
    return selected;
  }

  /**
   * Makes a table.
   * @param expectItems awaited with the number of points that are read
   * @throws ValidationError as `select`
   */
  async read(request: TableRequest, signal: AbortSignal, expectItems: ExpectItems): Promise<PriceTable> {
    const { settings } = request;
    const selected = await this.select(request, signal);
    const { catalogue, revision, rows } = selected;
    const window = windowOf(request);
    await expectItems(estimateAll(catalogue, rows, window));
    const bases = await this.bases(selected, settings, signal);
    const series: TableSeries[] = [];
    for await (const { series: points } of this.loader.load(selected, window, signal)) {
      const base = bases[series.length]!;
      series.push(seriesValues(inTermsOf(points, settings.measure, base), settings));
    }
    return {
      catalogue,
      revision,
      rows,
      bases,
      labels: seriesLabels(catalogue, rows, settings.measure, settings.per),
      axis: settings.axis,
      numbers: await periodsOf(series, request),
      series,
    };
  }

  /** Real prices in one currency are in terms of one base period, whatever country they are of. */
  private async bases(
    selected: SelectedSeries,
    { measure, transformation }: ValueSettings,
    signal: AbortSignal,
  ): Promise<(string | null)[]> {
    const { catalogue, rows } = selected;
    if (!IN_TERMS_OF_BASE.includes(transformation)) return Array.from(rows, () => null);
    const byCurrency = grouped(rows, (row) => currencyOf(catalogue, row, measure));
    const bases = await commonBases(this.loader, selected, measure, [...byCurrency.values()], signal);
    const baseOf = new Map([...byCurrency.keys()].map((currency, index) => [currency, bases[index]!]));
    return Array.from(rows, (row) => baseOf.get(currencyOf(catalogue, row, measure))!);
  }
}

/** The transformations whose values are in terms of the base period of real prices. */
const IN_TERMS_OF_BASE: readonly Transformation[] = ['lin', 'chg', 'log'];

/** The points that the values of a table need. */
function windowOf({ settings, from, to }: TableRequest): PointWindow {
  const { axis, base } = settings;
  // Whether a quarter or a year is the first or the last of its series takes the whole series.
  if (axis.coarser !== null) return new PointWindow([axis.period]);
  const [first, last] =
    base === null ? [from, to] : axis.periodsOfMonth(base).map((number) => axis.dayOf(number));
  return new PointWindow(
    [axis.period],
    Math.max(0, Math.min(from - DAYS_BEFORE, first! - 6)),
    Math.max(to, last!),
  );
}

const estimateAll = (catalogue: CatalogueSnapshot, rows: Uint32Array, window: PointWindow): number =>
  rows.reduce((points, row) => points + estimatedPoints(catalogue, row, window), 0);

/** The requested periods in which a series has a price, newest first. */
async function periodsOf(
  series: readonly TableSeries[],
  { settings: { axis }, from, to, latest }: TableRequest,
): Promise<number[]> {
  const timeSlice = new TimeSlice();
  const numbers = new Set<number>();
  let marked = 0;
  for (const one of series) {
    for (const number of one.numbers) numbers.add(number);
    marked += one.numbers.length;
    if (marked < MARKED_PER_YIELD) continue;
    marked = 0;
    await timeSlice.yield();
  }
  return [...numbers]
    .filter((number) => axis.dayOf(number) >= from && axis.dayOf(number) <= to)
    .sort((one, other) => other - one)
    .slice(0, latest);
}
