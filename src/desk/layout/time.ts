import { html, type Html } from '../../explorer/layout/html.js';

/** An instant (ISO 8601, UTC) to the minute; a dash where there is none. */
export const timeOf = (instant: string | null): Html =>
  instant === null
    ? html`–`
    : html`<time class="nowrap" datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')}</time>`;
