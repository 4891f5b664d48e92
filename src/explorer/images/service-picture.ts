import { escapeText } from '../../lib/text/markup.js';
import { texts } from '../texts.js';
import type { Illustration, Picture } from '../../web/images/picture.js';

const [WIDTH, HEIGHT] = [1200, 570];

/** The name of the service over the line of its icon. */
const picture: Picture = {
  width: WIDTH,
  height: HEIGHT,
  svg:
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>` +
    '<path d="M0 520L300 400L480 455L690 330L880 390L1200 250V570H0Z" fill="#0072b2" fill-opacity="0.12"/>' +
    '<path d="M0 520L300 400L480 455L690 330L880 390L1200 250" fill="none" stroke="#0072b2" stroke-width="8" stroke-linejoin="round"/>' +
    `<text x="80" y="180" font-size="64" font-weight="600" fill="#1b1f24">${escapeText(texts.name)}</text>` +
    `<text x="80" y="245" font-size="34" fill="#57606a">${escapeText(texts.home.title)}</text></svg>`,
};

/** What links to pages without a chart are shown with. */
export const SERVICE_ILLUSTRATION: Illustration = {
  title: texts.name,
  revision: undefined,
  picture: () => picture,
  preview: () => picture,
};
