import { MonthlyColumn } from '../../analysis/methods/monthly-column.js';
import { priceSeasonOf } from '../../analysis/seasons/price-seasons.service.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import type { ChartPoint } from '../../web/chart/segments.js';
import { html, type Html } from '../../web/html.js';
import { calendarMonthText, unsignedPercent } from '../../web/numbers.js';
import { groupUnit, medianPoints } from '../groups/group-chart.js';
import type { GroupView } from '../groups/group-views.js';
import { seasonalSection } from '../series/seasonal-view.js';
import { texts } from '../texts.js';
import { pageTitle } from './country-commodity-charts.js';
import type { CountryCommodityView } from './country-commodity-view.js';

const words = texts.countryCommodity.season;

/** Which months are dear and cheap, and the newest years over each other; null without two. */
export function season(view: CountryCommodityView, shown: GroupView): Html | null {
  const drawn = seasonalSection({
    months: columnOf(medianPoints(shown)),
    title: pageTitle(view),
    unit: groupUnit(view.state.measure, shown),
    note: texts.groups.source(view.revision),
  });
  return (
    drawn &&
    html`<h2>${words.heading}</h2>
      <p>${sentence(shown)}</p>
      ${drawn}`
  );
}

/** The dearest and the cheapest month, as `PriceSeason/` finds them. */
function sentence(shown: GroupView): string {
  const { of, years, dearest, dearest_month, cheapest, cheapest_month } = priceSeasonOf(shown);
  if (of === null) return words.short;
  if (dearest! - cheapest! < LEAST) return words.none(years!);
  const part = (value: number) => unsignedPercent(Math.abs(value - 1));
  const month = (number: number) => calendarMonthText(number - 1);
  const sentence = words.sentence(
    month(dearest_month!),
    part(dearest!),
    month(cheapest_month!),
    part(cheapest!),
  );
  return `${sentence} ${(of === 'index' ? words.ofIndex : words.ofMedian)(years!)}`;
}

/** Less between the dearest and the cheapest month is no season. */
const LEAST = 0.01;

const columnOf = (points: readonly ChartPoint[]): MonthlyColumn =>
  MonthlyColumn.of(
    points.map(({ day }) => monthOf(day)),
    points.map(({ value }) => value),
  );
