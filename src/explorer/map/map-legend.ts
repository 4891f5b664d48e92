import { escapeText } from '../../lib/text/markup.js';
import { texts } from '../texts.js';
import { MAP_COLOURS, type MapClass, SHARE_CLASSES, SHARE_STEPS } from './map-scale.js';

/** The classes of a map with what they stand for, in the order of the legend. */
export const LEGEND: readonly (readonly [name: MapClass | 'land', text: string])[] = [
  ...SHARE_CLASSES.map(
    (name, index) => [name, texts.map.share(SHARE_STEPS[index - 1] ?? 0, SHARE_STEPS[index] ?? 1)] as const,
  ),
  ['unrated', texts.map.unrated],
  ['land', texts.map.land],
];

/** Width of a sign with the room after it, and about that of a letter, in units of the drawing. */
const [SIGN, LETTER, AFTER] = [40, 11.5, 26];

/** The legend in one row, as a part of a drawing. */
export function mapLegendSvg(): string {
  let x = 0;
  return LEGEND.map(([name, text]) => {
    const fill = name === 'unrated' ? 'url(#unrated)' : MAP_COLOURS[name];
    const entry =
      `<rect x="${x}" y="0" width="30" height="20" fill="${fill}" stroke="#57606a" stroke-width="0.8"/>` +
      `<text x="${x + SIGN}" y="18" fill="#1b1f24">${escapeText(text)}</text>`;
    x += Math.round(SIGN + text.length * LETTER + AFTER);
    return entry;
  }).join('');
}
