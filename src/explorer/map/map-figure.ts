import { Html, html } from '../../web/html.js';
import { texts } from '../texts.js';
import { LEGEND } from './map-legend.js';
import { MAP_COLOURS } from './map-scale.js';
import { mapSvg, type WorldMap } from './world-map.js';

/** A map in a page, with its legend, and a link past its many links. */
export const mapFigure = (map: WorldMap): Html =>
  html`<figure class="world">
    <a class="skip" href="#after-map">${texts.map.skip}</a>
    ${new Html(mapSvg(map))}
    <ul class="legend">
      ${LEGEND.map(
        ([name, text]) =>
          html`<li>
            <svg class="map" viewBox="0 0 24 16" width="24" height="16" aria-hidden="true">
              <rect
                class="${name}"
                width="24"
                height="16"
                fill="${name === 'unrated' ? 'url(#unrated)' : MAP_COLOURS[name]}"
              />
            </svg>
            ${text}
          </li>`,
      )}
    </ul>
    <figcaption id="after-map" tabindex="-1">${map.unit}. ${map.note} ${texts.map.borders}</figcaption>
  </figure>`;
