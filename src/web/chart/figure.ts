import { type Chart, chartSvg, LOW, NARROW, SMALL, WIDE } from './chart.js';
import { chartData } from './chart-data.js';
import { Html, html, type HtmlValue } from '../html.js';

/**
 * A chart in a page: one for wide and one for narrow windows, of which the stylesheet shows one.
 * @param id prefix of the ids in it, where a page has several
 */
export const figure = (chart: Chart, caption: HtmlValue = null, id = 'chart'): Html =>
  html`<figure>
    ${plot(chart, chartSvg(chart, WIDE, `${id}-wide`) + chartSvg(chart, NARROW, `${id}-narrow`))}
    ${caption === null ? null : html`<figcaption>${caption}</figcaption>`}
  </figure>`;

/** A small chart, of which several stand side by side. @param id prefix of the ids in it */
export const smallFigure = (chart: Chart, id: string, caption: HtmlValue = null): Html =>
  html`<figure>
    ${plot(chart, chartSvg(chart, SMALL, id))}
    ${caption === null ? null : html`<figcaption>${caption}</figcaption>`}
  </figure>`;

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
