import type { IndicatorCalculation } from '../../analysis/indicators/indicator-calculation.js';
import type { Observation } from '../../analysis/indicators/indicator-fields.js';
import type { MonthlyColumn } from '../../analysis/methods/monthly-column.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { monthText, shortNumber } from '../../web/numbers.js';
import { changeWords } from '../layout/change-words.js';
import { texts } from '../texts.js';
import { amountText, statusText } from './series-names.js';
import type { PageMeasure } from './series-state.js';
import type { PricedPoint, SeriesView } from './series-view.js';

const words = texts.seriesPage;

/** The newest price of a series in the measure of its page, and how it has changed. */
export interface SeriesHeadline {
  /** The newest point with a price in the measure: of a month that is over, if there is one. */
  readonly point: PricedPoint | null;
  /** The newest point of all, which may lack a rate or an index. */
  readonly newest: PricedPoint | null;
  /** The changes of the newest month that is over and has such a price; null without one. */
  readonly month: Observation | null;
}

/** @param rows all points of the frequency that is shown, newest first */
export function headlineOf(
  rows: readonly PricedPoint[],
  measure: PageMeasure,
  measured: MonthlyColumn,
  calculation: IndicatorCalculation,
): SeriesHeadline {
  const priced = (row: PricedPoint) => row[measure] !== null;
  const month = measured.lastValue();
  return {
    point: rows.find((row) => priced(row) && !row.partial) ?? rows.find(priced) ?? null,
    newest: rows[0] ?? null,
    month: month === null ? null : calculation.observation(month, ['change_12m', 'change_1m']),
  };
}

/**
 * What the series costs and how much that has changed, in a sentence, and where prices of the
 * measure end; empty for a series without prices.
 */
export function headlineText(view: SeriesView): string {
  const { headline, state, entry } = view;
  const { point, newest } = headline;
  if (newest === null)
    return entry.last_price_date === null ? '' : texts.chart.noPeriod(texts.period[state.periodicity]);
  if (point === null) return texts.countryCommodity.missing[state.measure];
  const notes = [
    entry.price_type.toLowerCase(),
    entry.market,
    ...[statusText(entry) ?? []].flat(),
    ...(point.partial ? [texts.notOver] : []),
  ];
  const price = amountText(view, shortNumber(point[state.measure]!));
  const when = words.when[state.periodicity](
    state.periodicity === 'monthly' ? monthText(monthOf(point.day)) : point.date,
  );
  const costs = words.costs(price, when, notes.join(', '));
  const ends = monthOf(newest.day) > monthOf(point.day) ? endsText(view, monthOf(point.day)) : null;
  return [headlineChange(view, costs), ends].filter((text) => text !== null).join(' ');
}

const endsText = ({ state: { measure } }: SeriesView, month: number): string | null =>
  texts.countryCommodity.ends[measure](monthText(month));

/** The price with its change over a year, else over a month, else why there is none. */
function headlineChange({ headline: { month, point }, state }: SeriesView, costs: string): string {
  if (month === null) return words.unchanged(costs, []);
  const change = changeOf(month);
  if (change === null) return words.unchanged(costs, reasonsOf(month));
  return state.periodicity === 'monthly' && !point!.partial
    ? words.changed(costs, change)
    : words.changedMonth(costs, monthText(monthOf(dayFromIso(month.date)!)), change);
}

const reasonsOf = ({ reasons }: Observation): string[] => [
  ...new Set((['change_12m', 'change_1m'] as const).map((field) => texts.reason[reasons[field]!])),
];

/** The change of a month over a year, else over a month; null where neither can be had. */
function changeOf({ change_12m, change_1m, reasons }: Observation): string | null {
  if (typeof change_12m === 'number') return changeWords(change_12m, 'year');
  if (typeof change_1m !== 'number') return null;
  return words.overMonth(changeWords(change_1m, 'month'), texts.reason[reasons.change_12m!]);
}
