import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import type { Chart, ChartLine } from '../../web/chart/chart.js';
import type { SmallChart } from '../../web/chart/figure.js';
import { MONTH_GAP } from '../../web/chart/segments.js';
import { monthText } from '../../web/numbers.js';
import { indexPoints } from '../countries/country-charts.js';
import type { GroupView } from '../groups/group-views.js';
import { texts } from '../texts.js';
import type { CountryCommodityView } from './country-commodity-view.js';

const words = texts.countryCommodity;

/** Years of which markets with most months are chosen, in months. */
const RECENT_MONTHS = 60;

/** What the prices of a group are in: `KES per kg`. */
export function groupUnit({ state: { measure } }: CountryCommodityView, { fields }: GroupView): string {
  const money = texts.money[measure](String(fields.currency));
  return `${money} ${texts.perAmount} ${fields.unit}`;
}

/** The same with the base period of real prices. */
const chartUnit = (view: CountryCommodityView, group: GroupView): string => {
  const base = group.fields.index_base;
  const unit = groupUnit(view, group);
  return typeof base === 'string' ? `${unit} (${texts.indexBase(base)})` : unit;
};

const medianPoints = ({ observations }: GroupView): ChartLine['points'] =>
  observations
    .flatMap(({ date, median }) => (median === null ? [] : [{ day: dayFromIso(date)!, value: median }]))
    .reverse();

function chartOf(
  view: CountryCommodityView,
  title: string,
  unit: string,
  points: ChartLine['points'],
): Chart {
  return {
    title,
    unit,
    note: texts.groups.source(view.revision),
    summary: texts.chart.lines([title], unit),
    empty: texts.chart.empty,
    lines: [{ name: title, points }],
    gap: MONTH_GAP,
  };
}

export const pageTitle = ({ commodity, country }: CountryCommodityView): string =>
  words.title(commodity, country);

/** The median by month; null where nothing can be shown in the measure. */
export function medianChart(view: CountryCommodityView): Chart | null {
  const { shown, isAverage } = view;
  if (shown === null) return null;
  const priceType = String(shown.fields.price_type).toLowerCase();
  const title = (isAverage ? words.averages : words.median)(pageTitle(view), priceType);
  return chartOf(view, title, chartUnit(view, shown), medianPoints(shown));
}

/** The index of the same markets, since its chain was last broken; null without one. */
export function groupIndexChart(view: CountryCommodityView): Chart | null {
  const points = view.shown === null ? [] : indexPoints(view.shown);
  if (points.length === 0) return null;
  const unit = words.indexUnit(monthText(monthOf(points[0]!.day)));
  return chartOf(view, words.index(pageTitle(view)), unit, points);
}

/**
 * The prices of markets beside each other: of those with most months in five years, by name.
 * @param most markets
 */
export function marketCharts(view: CountryCommodityView, most: number): SmallChart[] {
  const { markets, shown } = view;
  if (shown === null || markets.length < 2) return [];
  const newest = monthOf(dayFromIso(shown.observations[0]!.date)!);
  const recent = ({ observations }: GroupView) =>
    observations.filter(({ date }) => newest - monthOf(dayFromIso(date)!) < RECENT_MONTHS).length;
  const chosen = new Set(markets.toSorted((one, other) => recent(other) - recent(one)).slice(0, most));
  return markets
    .filter((market) => chosen.has(market))
    .map((group) => ({
      chart: chartOf(view, String(group.fields.market), chartUnit(view, group), medianPoints(group)),
      id: `market-${group.fields.market_id}`,
      caption: null,
    }));
}
