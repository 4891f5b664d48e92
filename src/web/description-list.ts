import { type Html, html, type HtmlValue } from './html.js';

/**
 * Terms, and what is said of each; those of which nothing is said (`null` or `''`) are left out.
 */
export const descriptionList = (items: readonly (readonly [term: string, value: HtmlValue])[]): Html =>
  html`<dl>
    ${items.map(([term, value]) =>
      value === null || value === ''
        ? null
        : html`<dt>${term}</dt>
            <dd>${value}</dd>`,
    )}
  </dl>`;
