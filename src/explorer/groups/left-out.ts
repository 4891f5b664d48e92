import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import type { NamedPage } from '../browse/nothing-found.js';
import { texts } from '../texts.js';

/**
 * The pages of what a table of prices leaves out because there are very many series; null of none.
 * @param maxSeries whose prices are put together
 */
export const leftOutPages = (pages: readonly NamedPage[], maxSeries: number): Html | null =>
  pages.length === 0
    ? null
    : html`<details>
        <summary>${texts.groups.leftOut} (${wholeNumber(pages.length)})</summary>
        <p>${texts.groups.leftOutNote(wholeNumber(maxSeries))}</p>
        <p>
          ${pages.map(
            ([address, name], index) =>
              html`${index === 0 ? null : ', '}<a href="${address}">${nameOf(name)}</a>`,
          )}
        </p>
      </details>`;
