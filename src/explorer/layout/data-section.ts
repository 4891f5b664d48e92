import { texts } from '../texts.js';
import { html, type Html } from './html.js';

/** Data behind a page, in the API. */
export interface DataLink {
  label: string;
  address(this: void, format?: 'csv'): string;
}

/**
 * The same numbers for programs: links, and a call.
 * @param cite a link that shows this state for ever; null where there is none
 */
export const dataSection = (origin: string, links: readonly DataLink[], cite: Html | null = null): Html =>
  html`<section>
    <h2>${texts.asData}</h2>
    <ul>
      ${links.map(
        ({ label, address }) =>
          html`<li>${label}: <a href="${address()}">JSON</a> · <a href="${address('csv')}">CSV</a></li>`,
      )}
      ${cite === null ? null : html`<li>${cite}</li>`}
    </ul>
    <div class="api">
      <p>${texts.asCall}</p>
      <pre><code>${links.map(({ address }) => `curl '${origin}${address()}'`).join('\n')}</code></pre>
    </div>
  </section>`;

/** A link to a state, for citing. @param address of the page with `as_of` */
export const citeLink = (address: string, revision: number): Html =>
  html`<a href="${address}">${texts.cite(revision)}</a>`;

/** Says that an earlier state is shown. @param newest address of the page without `as_of` */
export const asOfNote = (newest: string, revision: number): Html =>
  html`<p>
    <strong>${texts.asOf(revision)}</strong>
    <a href="${newest}">${texts.showNewest}</a>
  </p>`;
