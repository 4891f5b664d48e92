import { texts } from '../texts.js';
import { apiCalls } from './api-calls.js';
import { html, type Html, nameOf } from '../../web/html.js';

/** Data behind a page, in the API. */
export interface DataLink {
  label: string;
  address(this: void, format?: 'csv'): string;
}

/**
 * The same numbers for programs: links, and calls.
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
    ${apiCalls(origin, links)}
  </section>`;

/**
 * A link to a state, and how to cite it.
 * @param address of the page with `as_of`
 * @param what it shows, with its sources
 */
export const citeLink = (address: string, revision: number, what: string): Html =>
  html`<a href="${address}">${texts.cite(revision)}</a>. ${texts.citeAs}
    <span class="citation">${nameOf(texts.citation(what, revision))} ${address}</span>`;

/** Says that an earlier state is shown. @param newest address of the page without `as_of` */
export const asOfNote = (newest: string, revision: number): Html =>
  html`<p>
    <strong>${texts.asOf(revision)}</strong>
    <a href="${newest}">${texts.showNewest}</a>
  </p>`;
