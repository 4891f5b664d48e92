import { MonthlyColumn } from '../../analysis/methods/monthly-column.js';
import { seasonalityOf } from '../../analysis/methods/seasonality.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import type { ChartPoint } from '../../web/chart/segments.js';
import { html, type Html } from '../../web/html.js';
import { calendarMonthText, unsignedPercent } from '../../web/numbers.js';
import { groupUnit, indexPoints, medianPoints } from '../groups/group-chart.js';
import type { GroupView } from '../groups/group-views.js';
import { seasonalView } from '../series/seasonal-view.js';
import { texts } from '../texts.js';
import { pageTitle } from './country-commodity-charts.js';
import type { CountryCommodityView } from './country-commodity-view.js';

const words = texts.countryCommodity.season;

/** Which months are dear and cheap, and the newest years over each other; null without two. */
export function season(view: CountryCommodityView, shown: GroupView): Html | null {
  const drawn = seasonalView({
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

/**
 * The dearest and the cheapest month of the seasonal index: of the index of the same markets, which
 * does not move when markets come and go, or of the median where that is too short.
 */
function sentence(shown: GroupView): string {
  const byIndex = seasonalityOf(columnOf(indexPoints(shown)));
  const found = typeof byIndex === 'string' ? seasonalityOf(columnOf(medianPoints(shown))) : byIndex;
  if (typeof found === 'string') return words.short;
  const { index, years } = found;
  const [high, low] = [Math.max(...index), Math.min(...index)];
  const part = (value: number) => unsignedPercent(Math.abs(value - 1));
  const month = (value: number) => calendarMonthText(index.indexOf(value));
  if (high - low < LEAST) return words.none(years);
  const sentence = words.sentence(month(high), part(high), month(low), part(low));
  return `${sentence} ${(found === byIndex ? words.ofIndex : words.ofMedian)(years)}`;
}

/** Less between the dearest and the cheapest month is no season. */
const LEAST = 0.01;

const columnOf = (points: readonly ChartPoint[]): MonthlyColumn =>
  MonthlyColumn.of(
    points.map(({ day }) => monthOf(day)),
    points.map(({ value }) => value),
  );
