import { html, type Html } from '../../web/html.js';
import { texts } from '../texts.js';

/** Links to the chart of a page as files. @param address of the page in its state, with a suffix */
export const imageLinks = (address: (suffix: string) => string): Html =>
  html`<p class="quiet">
    ${texts.images.chart} <a href="${address('.svg')}">SVG</a> · <a href="${address('.png')}">PNG</a>
  </p>`;
