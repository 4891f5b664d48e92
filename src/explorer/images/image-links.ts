import { html, type Html } from '../../web/html.js';
import { texts } from '../texts.js';

/** Charts as files: which, and how their address asks for them. */
const FILES = [
  [texts.images.svg, '.svg', ''],
  [texts.images.png, '.png', ''],
  [texts.images.dark, '.png', 'theme=dark'],
  [texts.images.narrow, '.png', 'width=360'],
] as const;

/** Links that save the chart of a page. @param address of the page in its state, with a suffix */
export const imageLinks = (address: (suffix: string) => string): Html =>
  html`<p class="muted">
    ${texts.images.chart}
    ${FILES.map(([text, suffix, query], index) => {
      const plain = address(suffix);
      const file = query === '' ? plain : `${plain}${plain.includes('?') ? '&' : '?'}${query}`;
      return html`${index === 0 ? null : ' · '}<a href="${file}" download>${text}</a>`;
    })}
  </p>`;
