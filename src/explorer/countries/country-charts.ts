import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { Chart } from '../../web/chart/chart.js';
import { calculatedChart, groupUnit, indexPoints, medianChartOf } from '../groups/group-chart.js';
import type { GroupView } from '../groups/group-views.js';
import { texts } from '../texts.js';
import type { PublishedValues } from './country-rates.js';
import type { CountryPrices, CountryView } from './country-view.js';

/** The index of the main foods, each since its chain was last broken; null without any. */
export function indexChart({ name: country, main, revision }: CountryPrices): Chart | null {
  const lines = main
    .map((group) => ({ name: texts.countries.indexLine(...namesOf(group)), points: indexPoints(group) }))
    .filter(({ points }) => points.length > 0);
  if (lines.length === 0) return null;
  return calculatedChart(
    lines.length === 1 ? texts.countries.indexOf(lines[0]!.name, country) : texts.countries.index(country),
    texts.countries.indexUnit,
    revision,
    lines,
  );
}

const namesOf = ({ fields, series }: GroupView) =>
  [String(fields.commodity), String(fields.price_type).toLowerCase(), series] as const;

/** The chart that stands for the country: of its indices, or else of its main food. */
export function mainChart(view: CountryPrices): Chart | null {
  const chart = indexChart(view);
  const [main] = view.main;
  if (chart !== null || main === undefined) return chart;
  const title = texts.countries.mainFood(String(main.fields.commodity), view.name);
  return medianChartOf(title, groupUnit('nominal', main), view.revision, main);
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
  { points, source }: PublishedValues,
  revision: number,
): Chart | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const note = texts.chart.note(source || texts.unknown, isoFromDay(last.day), revision);
  return { ...calculatedChart(title, unit, revision, [{ name: title, points }]), note };
}
