import { type Chart, chartSvg, LOW, NARROW, SMALL, WIDE } from './chart.js';
import { chartData } from './chart-data.js';
import { extentOf } from './scales.js';
import { Html, html, type HtmlValue } from '../html.js';
import { webTexts } from '../texts.js';

/**
 * A chart in a page: one for wide and one for narrow windows, of which the stylesheet shows one.
 * @param id prefix of the ids in it, where a page has several
 */
export const figure = (chart: Chart, caption: HtmlValue = null, id = 'chart'): Html =>
  html`<figure>
    ${plot(chart, chartSvg(chart, WIDE, `${id}-wide`) + chartSvg(chart, NARROW, `${id}-narrow`))}
    ${caption === null ? null : html`<figcaption>${caption}</figcaption>`}
  </figure>`;

/** One of several charts beside each other. */
export interface SmallChart {
  readonly chart: Chart;
  /** Prefix of the ids in it. */
  readonly id: string;
  readonly caption: HtmlValue;
}

/**
 * Charts beside each other, on axes that can be compared: they have the same days, and the same
 * values where their unit is one. Else their values begin at 0 where they can, and a sentence below
 * says that they differ.
 * @param note source and state of the data of all of them, which none has itself
 */
export function smallFigures(charts: readonly SmallChart[], note: string): Html {
  const extents = charts.map(({ chart }) => extentOf(chart));
  const [first, last, low, high] = [
    Math.min(...extents.map((each) => each.first)),
    Math.max(...extents.map((each) => each.last)),
    Math.min(...extents.map((each) => each.low)),
    Math.max(...extents.map((each) => each.high)),
  ];
  const isOneUnit = new Set(charts.map(({ chart }) => chart.unit)).size === 1;
  const shared: Partial<Chart> = {
    ...(first <= last ? { range: [first, last] } : {}),
    ...(isOneUnit && low <= high ? { values: [low, high] } : { baseline: 'zero' }),
  };
  const { sameAxes, ownAxes, ownValues } = webTexts.figures;
  const sentence = isOneUnit ? sameAxes : extents.every((each) => each.low >= 0) ? ownAxes : ownValues;
  return html`<div class="charts">
      ${charts.map(
        ({ chart: { note: _, ...chart }, id, caption }) =>
          html`<figure>
            ${plot(chart, chartSvg({ ...chart, ...shared }, SMALL, id))}
            ${caption === null ? null : html`<figcaption>${caption}</figcaption>`}
          </figure>`,
      )}
    </div>
    <p class="muted">${charts.length > 1 && `${sentence} `}${note}</p>`;
}

/** A chart that stands below another one. @param id prefix of the ids in it */
export const lowFigure = (chart: Chart, id: string, caption: HtmlValue = null): Html =>
  html`<figure>
    ${plot(chart, LOW.map((layout) => chartSvg(chart, layout, `${id}-${layout.name}`)).join(''))}
    ${caption === null ? null : html`<figcaption>${caption}</figcaption>`}
  </figure>`;

/**
 * Drawings of a chart, with the numbers in them for the cursor of scripts. It reads dates, so there
 * is none for the months of several years.
 */
const plot = (chart: Chart, drawings: string): Html =>
  html`<div class="plot">${new Html(drawings)}</div>
    ${chart.months === undefined && chartData(chart)}`;
