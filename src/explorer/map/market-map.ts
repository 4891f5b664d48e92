import { escapeLabel } from '../../lib/text/direction.js';
import { escapeText } from '../../lib/text/markup.js';
import { Html, html } from '../../web/html.js';
import { texts } from '../texts.js';
import { type MarketClass, MARKERS } from './market-classes.js';
import { type DrawnPlace, drawnPlace, drawnPlaceNear } from './projection.js';
import { WORLD } from './world.js';

/** A market on a map. */
export interface MarketPoint {
  /** Its name and number, in a few words. */
  readonly label: string;
  /** Path of the page that it leads to. */
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly class: MarketClass;
}

/** A map of the markets of a country. */
export interface MarketMap {
  readonly iso3: string;
  /** Prefix of the ids in it, where a page has several. */
  readonly id: string;
  readonly title: string;
  /** Those with a number, then those of which it is old. */
  readonly points: readonly MarketPoint[];
  /** The classes that occur, with what they stand for. */
  readonly legend: readonly (readonly [name: MarketClass, text: string])[];
  /** What is not on it, in sentences. */
  readonly note: string;
}

/** Points of one map: more would weigh more than 20 kB. */
export const MAX_POINTS = 80;

/** Greatest width and height of the drawing, and what is left free around the places. */
const [WIDTH, HEIGHT, MARGIN] = [480, 420, 16];
/** Units of the drawing that one unit of the world may be: a town is no country. */
const MAX_SCALE = 24;

/** The map in a page, with its legend, and a link past its points. */
export const marketMapFigure = (map: MarketMap): Html =>
  html`<figure class="markets">
    <a class="skip" href="#${map.id}-after">${texts.map.skip}</a>
    ${new Html(drawing(map))}
    <ul class="legend">
      ${map.legend.map(
        ([name, text]) =>
          html`<li>
            ${new Html(`<svg class="map" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">${marker(name, [10, 10])}</svg>`)}
            ${text}
          </li>`,
      )}
    </ul>
    <figcaption id="${map.id}-after" tabindex="-1">${map.title}. ${map.note} ${texts.map.borders}</figcaption>
  </figure>`;

function drawing({ iso3, title, points }: MarketMap): string {
  const shape = WORLD.shapes[iso3];
  const land = shape === undefined ? [] : firstRing(shape);
  const [x0] = land[0] ?? drawnPlace(points[0]!.latitude, points[0]!.longitude);
  // Small signs stand over large ones.
  const placed = points
    .toSorted((one, other) => MARKERS[other.class].size - MARKERS[one.class].size)
    .map((point) => ({ point, place: drawnPlaceNear(point.latitude, point.longitude, x0) }));
  const places = [...land, ...placed.map(({ place }) => place)];
  const [[left, right], [top, bottom]] = [0, 1].map((axis) => {
    const values = places.map((place) => place[axis]!);
    return [Math.min(...values), Math.max(...values)];
  }) as [[number, number], [number, number]];
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / (right - left),
    (HEIGHT - 2 * MARGIN) / (bottom - top),
    MAX_SCALE,
  );
  const height = Math.ceil((bottom - top) * scale + 2 * MARGIN);
  // A narrow country stands in the middle.
  const [x, y] = [(WIDTH - (right - left) * scale) / 2 - left * scale, MARGIN - top * scale];
  const outline =
    shape === undefined
      ? ''
      : `<path class="land" transform="translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})" d="${shape}"/>`;
  const drawn = placed.map(({ point, place }) => {
    const label = escapeLabel(point.label);
    const at: DrawnPlace = [Math.round(x + place[0] * scale), Math.round(y + place[1] * scale)];
    return `<a href="${escapeText(point.address)}" aria-label="${label}"><title>${label}</title>${marker(point.class, at)}</a>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
    `role="group" aria-label="${escapeLabel(title)}">${outline}<g class="edge">${drawn.join('')}</g></svg>`
  );
}

/** A sign of a class: its form says what its colour says. */
function marker(name: MarketClass, [x, y]: DrawnPlace): string {
  const { form, size } = MARKERS[name];
  if (form === 'circle') return `<circle class="${name}" cx="${x}" cy="${y}" r="${size}"/>`;
  const up = form === 'up' ? 1 : -1;
  return `<path class="${name}" d="M${x} ${y - up * size}l${size} ${2 * up * size - up}h${-2 * size}z"/>`;
}

/** The corners of the largest part of a country. */
function firstRing(shape: string): DrawnPlace[] {
  const [x0, y0, ...steps] = (shape.slice(0, shape.indexOf('z')).match(/-?\d+/g) ?? []).map(Number);
  const ring: [number, number][] = [[x0!, y0!]];
  for (let index = 0; index + 1 < steps.length; index += 2) {
    const [x, y] = ring.at(-1)!;
    ring.push([x + steps[index]!, y + steps[index + 1]!]);
  }
  return ring;
}
