import { dayFromIso, isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import type { Chart } from '../../web/chart/chart.js';
import type { SmallChart } from '../../web/chart/figure.js';
import { monthText } from '../../web/numbers.js';
import { calculatedChart, groupUnit, indexPoints, medianChartOf } from '../groups/group-chart.js';
import type { GroupView } from '../groups/group-views.js';
import { type DateRange, isInRange } from '../layout/range-links.js';
import { texts } from '../texts.js';
import type { CountryCommodityPrices, CountryCommodityView } from './country-commodity-view.js';

const words = texts.countryCommodity;

/** Years of which markets with most months are chosen, in months. */
const RECENT_MONTHS = 60;

/** What prices are in, with the base period of real ones. */
const chartUnit = ({ state: { measure } }: CountryCommodityPrices, group: GroupView): string => {
  const base = group.fields.index_base;
  const unit = groupUnit(measure, group);
  return typeof base === 'string' ? `${unit} (${texts.indexBase(base)})` : unit;
};

export const pageTitle = ({ commodity, country }: CountryCommodityPrices): string =>
  words.title(commodity, country);

/**
 * The points of a chart in the time that the page shows. Its title, unit and the base of an index
 * are those of all.
 */
export function inRange(chart: Chart, range: DateRange): Chart {
  if (range.start_date === undefined && range.end_date === undefined) return chart;
  const lines = chart.lines.map((line) => ({
    ...line,
    points: line.points.filter(({ day }) => isInRange(isoFromDay(day), range)),
  }));
  return { ...chart, lines, empty: texts.chart.noneInTime };
}

/** The median by month; null where nothing can be shown in the measure. */
export function medianChart(view: CountryCommodityPrices): Chart | null {
  const { shown, isAverage } = view;
  if (shown === null) return null;
  const priceType = String(shown.fields.price_type).toLowerCase();
  const title = (isAverage ? words.averages : words.median)(pageTitle(view), priceType);
  return inRange(medianChartOf(title, chartUnit(view, shown), view.revision, shown), view.state.range);
}

/** The index of the same markets, since its chain was last broken; null without one. */
export function groupIndexChart(view: CountryCommodityPrices): Chart | null {
  const points = view.shown === null ? [] : indexPoints(view.shown);
  if (points.length === 0) return null;
  const unit = texts.indexBase(monthText(monthOf(points[0]!.day)));
  const title = words.index(pageTitle(view));
  return inRange(calculatedChart(title, unit, view.revision, [{ name: title, points }]), view.state.range);
}

/**
 * The prices of markets beside each other: of those with most months in five years, by name.
 * @param maxMarkets that are shown
 */
export function marketCharts(view: CountryCommodityView, maxMarkets: number): SmallChart[] {
  const { markets, shown } = view;
  if (shown === null || markets.length < 2) return [];
  const newest = monthOf(dayFromIso(shown.observations[0]!.date)!);
  const recent = ({ observations }: GroupView) =>
    observations.filter(({ date }) => newest - monthOf(dayFromIso(date)!) < RECENT_MONTHS).length;
  const chosen = new Set(markets.toSorted((one, other) => recent(other) - recent(one)).slice(0, maxMarkets));
  return markets
    .filter((market) => chosen.has(market))
    .map((group) => ({
      chart: inRange(
        medianChartOf(String(group.fields.market), chartUnit(view, group), view.revision, group),
        view.state.range,
      ),
      id: `market-${group.fields.market_id}`,
      caption: null,
    }));
}
