import { html, type Html } from '../../web/html.js';
import { monthText, wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import type { ConversionGap } from './conversion-gap.js';
import { seriesAddress } from './series-state.js';
import { defaultPeriodicity, type SeriesView } from './series-view.js';

/** Why a chart has no prices, and where there are some. */
interface EmptyReason {
  readonly text: string;
  /** The name and address of what there is; null for a series without any price. */
  readonly offer: readonly [text: string, address: string] | null;
}

/** Why the chart of a series in the state of its page has no points. */
export function emptyReason({ state, entry, rows, gap }: SeriesView): EmptyReason {
  const { chart, period } = texts;
  const [first, newest] = [firstDate(entry), entry.last_price_date];
  if (first === null || newest === null) return { text: chart.empty, offer: null };
  if (rows.length > 0 && gap !== null)
    return {
      text: chart.unconverted(gapText(gap, state.measure, entry)),
      offer: [chart.asPublished, seriesAddress(state, { measure: undefined })],
    };
  if (!entry.periodicity.some((each) => each.period === state.periodicity)) {
    const other = defaultPeriodicity(entry);
    return {
      text: chart.noPeriod(period[state.periodicity]),
      offer: [chart.inPeriod(period[other]), seriesAddress(state, { periodicity: other })],
    };
  }
  return {
    text: chart.noneInRange(first, newest),
    offer: [chart.allDates, seriesAddress(state, { start_date: undefined, end_date: undefined })],
  };
}

/** How many prices a chart with others lacks, and why; null where it lacks none. */
export function partialNote({ gap, rows, state, entry }: SeriesView): Html | null {
  if (gap === null || rows.every((row) => row[state.measure] === null)) return null;
  const { count, after, before } = gap;
  const text = gapText(gap, state.measure, entry);
  const why = after === null && before === null ? texts.chart.inThoseMonths(text) : text;
  return html`${texts.chart.notShown(wholeNumber(count), count === 1, why)}
    <a href="${seriesAddress(state, { measure: undefined })}">${texts.chart.asPublished}</a>`;
}

/** The first date with a price, in any frequency; null without one. */
export const firstDate = ({ periodicity }: SeriesView['entry']): string | null =>
  periodicity.reduce<string | null>(
    (first, { start_date: date }) => (first === null || date < first ? date : first),
    null,
  );

/** What rates or indices are missing, and when. */
function gapText(
  { after, before }: ConversionGap,
  measure: SeriesView['state']['measure'],
  { currency, country_name, iso3_country_code: iso3 }: SeriesView['entry'],
): string {
  const { noRate, noIndex, reach } = texts.chart;
  const what = measure === 'usd' ? noRate(currency) : noIndex(country_name || iso3);
  const [last, first] = [after, before].map((month) => (month === null ? null : monthText(month)));
  return reach(what, last!, first!);
}
