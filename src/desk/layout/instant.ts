import { html, type Html } from '../../web/html.js';

/** An instant in ISO 8601, shown to the minute, in UTC. */
export const instantOf = (at: string): Html =>
  html`<time class="nowrap" datetime="${at}">${at.slice(0, 16).replace('T', ' ')}</time>`;
