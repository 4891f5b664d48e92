import { DEFAULT_SETTINGS } from '../../analysis/indicators/indicator-settings.js';
import { isValue, type Outcome } from '../../analysis/methods/reason.js';
import { firstDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { Chart } from '../../web/chart/chart.js';
import { type ChartPoint, MONTH_GAP } from '../../web/chart/segments.js';
import { lowFigure } from '../../web/chart/figure.js';
import { html, type Html } from '../../web/html.js';
import { texts } from '../texts.js';
import { seriesTitle } from './series-names.js';
import type { SeriesView } from './series-view.js';

/** Values beyond are drawn here: one of 20 would leave no room for all others. */
const LIMIT = 6;

/** IFPA and ALPS of a month; null where there is none. */
interface Rating {
  readonly ifpa: number | null;
  readonly alps: number | null;
}

/** The ratings of the months that are shown, by month number; months without a price lack. */
export type Ratings = ReadonlyMap<number, Rating>;

const shown = (rating: Outcome<{ value: number }>) =>
  isValue(rating) ? toSignificantDigits(rating.value) : null;

/** The ratings of the months between the oldest and the newest point. */
export function ratingsOf({ rows, calculation }: SeriesView): Ratings {
  const ratings = new Map<number, Rating>();
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (newest === undefined || oldest === undefined) return ratings;
  const [first, last] = [monthOf(oldest.day), monthOf(newest.day)];
  for (const month of calculation.months()) {
    if (month < first || month > last) continue;
    ratings.set(month, { ifpa: shown(calculation.ifpa(month)), alps: shown(calculation.alps(month)) });
  }
  return ratings;
}

/** IFPA and ALPS below the chart of prices, with the same days; null where no month has either. */
export function ratingFigure(view: SeriesView, ratings: Ratings): Html | null {
  const { rows, entry, source, revision } = view;
  const { seriesPage } = texts;
  const lines = (['ifpa', 'alps'] as const).map((field) => {
    const points: ChartPoint[] = [];
    for (const [month, { [field]: value }] of ratings)
      if (value !== null) points.push({ day: firstDayOfMonth(month), value });
    return { name: seriesPage.ratingLines[field], points: points.reverse() };
  });
  if (lines.every(({ points }) => points.length === 0)) return null;
  const { ifpa_thresholds, alps_thresholds } = DEFAULT_SETTINGS;
  const chart: Chart = {
    title: `${seriesTitle(entry)}: ${seriesPage.ratings}`,
    unit: seriesPage.ratingsUnit,
    note: texts.chart.note(source.name, rows[0]!.date, revision),
    summary: seriesPage.ratingsSummary(ratings.size),
    empty: texts.chart.empty,
    lines,
    levels: [
      { at: ifpa_thresholds[1], label: seriesPage.levels.high },
      { at: alps_thresholds[2], label: seriesPage.levels.crisis },
    ],
    limits: [-LIMIT, LIMIT],
    range: [rows.at(-1)!.day, rows[0]!.day],
    names: 'legend',
    gap: MONTH_GAP,
  };
  return lowFigure(chart, 'ratings', html`${seriesPage.ratingsNote(LIMIT)}`);
}
