import { html, type Html } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';

/**
 * A part of a page that is opened by its heading; print has it open.
 * @param content null where there is none, then nothing is shown
 * @param count of what is in it, which the heading says
 */
export const folded = (heading: string, content: Html | null, count?: number): Html | null =>
  content === null
    ? null
    : html`<details class="folded">
        <summary>
          <h2>${heading}${count === undefined ? null : ` (${wholeNumber(count)})`}</h2>
        </summary>
        ${content}
      </details>`;
