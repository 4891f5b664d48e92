import { dayFromIso, firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import type { Chart, ChartLine } from '../../web/chart/chart.js';
import { MONTH_GAP } from '../../web/chart/segments.js';
import { html, type Html, nameOf } from '../../web/html.js';
import type { GroupView } from '../groups/group-views.js';
import { priceUnit } from '../series/series-names.js';
import { texts } from '../texts.js';
import type { MonthlyRates } from './country-rates.js';
import type { CountryView } from './country-view.js';

const chartOf = (title: string, unit: string, note: string, lines: readonly ChartLine[]): Chart => ({
  title,
  unit,
  note,
  summary: texts.chart.lines(
    lines.map(({ name }) => name),
    unit,
  ),
  empty: texts.chart.empty,
  lines,
  gap: MONTH_GAP,
});

/** The index of each commodity: of its largest group, since the chain was last broken. */
export function indexChart({ name, commodities, groups, revision }: CountryView): Chart | null {
  const lines = commodities.flatMap(({ id }) => {
    const ofCommodity = groups.filter(({ fields }) => fields.commodity_id === id);
    const [largest] = ofCommodity.toSorted((one, other) => other.series - one.series);
    const points = largest === undefined ? [] : indexPoints(largest);
    return points.length === 0 ? [] : [{ name: texts.countries.indexLine(...namesOf(largest!)), points }];
  });
  if (lines.length === 0) return null;
  return chartOf(
    lines.length === 1 ? texts.countries.indexOf(lines[0]!.name, name) : texts.countries.index(name),
    texts.countries.indexUnit,
    texts.groups.source(revision),
    lines,
  );
}

const namesOf = ({ fields, series }: GroupView) =>
  [String(fields.commodity), String(fields.price_type).toLowerCase(), series] as const;

/** Values of different segments cannot be compared: those of the newest one, oldest first. */
export function indexPoints({ observations }: GroupView): ChartLine['points'] {
  const newest = observations.find(({ segment }) => segment !== null)?.segment;
  return observations
    .flatMap(({ date, index, segment }) =>
      index === null || segment !== newest ? [] : [{ day: dayFromIso(date)!, value: index }],
    )
    .reverse();
}

/** The chart that stands for the country: of its indices, or else of its main series. */
export const mainChart = (view: CountryView): Chart | null =>
  indexChart(view) ?? priceCharts(view)[0]?.chart ?? null;

/** The chart of a series, and what else is said of it. */
interface PricesOfSeries {
  readonly uuid: string;
  /** Without its country. */
  readonly name: Html;
  readonly source: string;
  readonly chart: Chart;
}

/** The prices of each series that stands for a commodity, with its uuid. */
export function priceCharts({ name: country, prices, revision }: CountryView): PricesOfSeries[] {
  const { catalogue, rows, series } = prices;
  return Array.from(rows, (row, index) => {
    const { uuid, commodity, market, price_type, measure_unit, currency, source } = catalogue.seriesAt(row);
    const { numbers, values } = series[index]!;
    const points = numbers
      .map((month, each) => ({ day: firstDayOfMonth(month), value: values[each]! }))
      .filter(({ value }) => !Number.isNaN(value));
    const title = `${commodity.name}, ${market.name}, ${country} (${price_type.name.toLowerCase()})`;
    const last = points.at(-1);
    const note = texts.chart.note(source.name, last === undefined ? null : isoFromDay(last.day), revision);
    const unit = priceUnit('nominal', 'unit', currency, measure_unit);
    const name = html`${nameOf(commodity.name)}, ${nameOf(market.name)} (${price_type.name.toLowerCase()})`;
    return { uuid, name, source: source.name, chart: chartOf(title, unit, note, [{ name: title, points }]) };
  });
}

/** The exchange rate by which prices are converted; null without one, as of the dollar itself. */
export const rateChart = ({ name, currency, rate, revision }: CountryView): Chart | null =>
  monthsChart(`${texts.countries.rate}, ${name}`, texts.countries.rateUnit(currency), rate, revision);

/** The general consumer price index; null without one. */
export const cpiChart = ({ name, index, revision }: CountryView): Chart | null =>
  monthsChart(`${texts.countries.cpi}, ${name}`, texts.compare.index(index.base ?? ''), index, revision);

function monthsChart(
  title: string,
  unit: string,
  { points, source }: MonthlyRates,
  revision: number,
): Chart | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const note = texts.chart.note(source || texts.unknown, isoFromDay(last.day), revision);
  return chartOf(title, unit, note, [{ name: title, points }]);
}
