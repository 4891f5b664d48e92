import { escapeLabel } from '../../lib/text/direction.js';
import { escapeText } from '../../lib/text/markup.js';
import { fitted } from '../../web/chart/legend.js';
import { texts } from '../texts.js';
import type { Illustration, Picture } from '../../web/images/picture.js';
import { MAP_COLOURS, type MapClass } from './map-scale.js';
import { mapLegendSvg } from './map-legend.js';
import { WORLD } from './world.js';

/** A country that there is something to say of. */
export interface MapCountry {
  readonly iso3: string;
  readonly class: MapClass;
  /** Its name, share and newest price, in a sentence. */
  readonly label: string;
  /** Path of the page that it leads to. */
  readonly address: string;
}

/** What a map shows. */
export interface WorldMap {
  readonly title: string;
  /** What the colours stand for. */
  readonly unit: string;
  /** Sources and state of the data. */
  readonly note: string;
  readonly countries: readonly MapCountry[];
  readonly revision: number | undefined;
}

const RADIUS = 6;
/** Countries without a place on the map are tiles in its south-west, where there is only water. */
const TILE = { width: 68, height: 40, gap: 8, left: 12, columns: 4 } as const;
/** Rows of text above and below the countries, in a picture that stands alone. */
const [TOP, BOTTOM] = [92, 96];

/**
 * The map in a page: each country is a link, with its numbers as its name. Others are land.
 * Attributes set the colours on white; the stylesheet sets those of the page by classes.
 */
export const mapSvg = ({ title, unit, countries }: WorldMap): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="0 0 ${WORLD.width} ${WORLD.height}" width="${WORLD.width}" ` +
  `height="${WORLD.height}" role="group" aria-label="${escapeLabel(`${title}. ${unit}`)}">` +
  `${PATTERN}${shapes(countries, (country, drawing) => {
    const label = escapeLabel(country.label);
    return `<a href="${escapeText(country.address)}" aria-label="${label}"><title>${label}</title>${drawing}</a>`;
  })}</svg>`;

/** The map as a picture that stands alone, with title, legend and note. */
function mapPicture({ title, unit, note, countries }: WorldMap): Picture {
  const { width } = WORLD;
  const height = WORLD.height + TOP + BOTTOM;
  const text = (y: number, size: number, content: string, attributes: string) =>
    `<text x="16" y="${y}" font-size="${size}" ${attributes}>${escapeLabel(fitted(content, width - 32, size * 0.55))}</text>`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ` +
    `aria-labelledby="map-title map-summary" font-family="system-ui, sans-serif">` +
    `<title id="map-title">${escapeLabel(title)}</title><desc id="map-summary">${escapeLabel(unit)}</desc>` +
    `<rect width="${width}" height="${height}" fill="#ffffff"/>${PATTERN}` +
    text(38, 30, title, 'font-weight="600" fill="#1b1f24"') +
    text(72, 22, unit, 'fill="#57606a"') +
    `<g transform="translate(0 ${TOP})">${shapes(countries, (_, drawing) => drawing)}</g>` +
    `<g transform="translate(16 ${height - BOTTOM + 18})" font-size="22">${mapLegendSvg()}</g>` +
    text(height - 18, 20, `${note} ${texts.map.borders}`, 'fill="#57606a"') +
    '</svg>';
  return { svg, width, height };
}

/** The map as a file. */
export function mapIllustration(map: WorldMap): Illustration {
  const picture = mapPicture(map);
  return { title: map.title, revision: map.revision, picture: () => picture, preview: () => picture };
}

/** Stripes for countries without a share: they are no colour of the scale. */
const PATTERN =
  '<defs><pattern id="unrated" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  `<rect class="land" width="8" height="8" fill="${MAP_COLOURS.land}"/>` +
  `<rect class="stripe" width="3" height="8" fill="${MAP_COLOURS.unrated}"/></pattern></defs>`;

/** The fill of a class, by class and as an attribute. */
const fillOf = (name: MapClass): string =>
  `class="${name}" fill="${name === 'unrated' ? 'url(#unrated)' : MAP_COLOURS[name]}"`;

/** A tile with a country's code; from the bottom up, so that few take no room of the map. */
function tile({ iso3, class: name }: MapCountry, index: number): string {
  const { width, height, gap, left, columns } = TILE;
  const x = left + (index % columns) * (width + gap);
  const y = WORLD.height - (Math.floor(index / columns) + 1) * (height + gap);
  const code =
    `<rect x="${x + 10}" y="${y + 8}" width="${width - 20}" height="${height - 16}" fill="#ffffff" stroke="none"/>` +
    `<text x="${x + width / 2}" y="${y + height / 2 + 7}" font-size="20" text-anchor="middle" fill="#1b1f24" stroke="none">${escapeText(iso3)}</text>`;
  return `<rect ${fillOf(name).replace('class="', 'class="tile ')} x="${x}" y="${y}" width="${width}" height="${height}"/>${code}`;
}

/** Shapes first, then points, which are larger than what they stand for. */
function shapes(
  countries: readonly MapCountry[],
  frame: (country: MapCountry, drawing: string) => string,
): string {
  const byCode = new Map(countries.map((country) => [country.iso3, country]));
  let [land, coloured] = ['', ''];
  for (const [iso3, shape] of Object.entries(WORLD.shapes)) {
    const country = byCode.get(iso3);
    const point = WORLD.points[iso3];
    if (country === undefined) land += shape;
    else if (point === undefined) coloured += frame(country, `<path ${fillOf(country.class)} d="${shape}"/>`);
  }
  for (const [iso3, point] of Object.entries(WORLD.points)) {
    const country = byCode.get(iso3);
    if (country === undefined) continue;
    const [x, y] = point.split(' ');
    const circle = `<circle ${fillOf(country.class)} cx="${x}" cy="${y}" r="${RADIUS}"/>`;
    coloured += frame(country, circle);
  }
  const placeless = countries.filter(
    ({ iso3 }) => WORLD.shapes[iso3] === undefined && WORLD.points[iso3] === undefined,
  );
  for (const [index, country] of placeless.entries()) {
    // What a tile shows is a part of its name.
    const named = { ...country, label: `${country.iso3}: ${country.label}` };
    coloured += frame(named, tile(country, index));
  }
  const edge = 'stroke="#57606a" stroke-width="0.8" stroke-linejoin="round"';
  return `<path class="land" fill="${MAP_COLOURS.land}" stroke="#ffffff" d="${land}"/><g class="edge" ${edge}>${coloured}</g>`;
}
