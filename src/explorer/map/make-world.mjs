// Draws the countries of the world once, from Natural Earth's shapes in `world-atlas`:
//   node src/explorer/map/make-world.mjs
// The result, `world.json`, is committed; it changes only where this file or the shapes do.
import { geoArea, geoEqualEarth, geoPath } from 'd3-geo';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, merge } from 'topojson-client';

/** Units of the drawing; coordinates are whole. */
const WIDTH = 1600;
/** Points nearer than this to the line without them are left out. */
const TOLERANCE = 1.1;
/** Islands and lakes with a smaller area are left out, but for the largest part of a country. */
const MIN_AREA = 9;
/** Countries that are smaller than this in both directions are drawn as points, too. */
const POINT_SIZE = 14;
/** Parts that `world-atlas` has apart, without a code, by the country whose code they have. */
const PARTS = { Somaliland: 'SOM', 'N. Cyprus': 'CYP' };
/** Entries of ISO 3166-1 with prices that the shapes lack: longitude and latitude. */
const ADDED = { TUV: [179.2, -8.52] };

const require = createRequire(import.meta.url);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const topology = read(require.resolve('world-atlas/countries-50m.json'));
const { countries } = read(new URL('../../lib/codes/countries.json', import.meta.url));
const iso3 = new Map(countries.map((country) => [country.m49, country.iso3]));

const { geometries } = topology.objects.countries;
const shown = geometries.filter(({ id }) => iso3.get(id) !== 'ATA');
const world = { type: 'GeometryCollection', geometries: shown };
// No points are added along long lines: that would be many, for curves that nobody sees.
const projection = geoEqualEarth().precision(0).fitWidth(WIDTH, feature(topology, world));
const simple = { ...topology, arcs: decoded(topology).map(simplified) };
delete simple.transform;
const path = geoPath(projection).digits(0);
const [[, top], [, bottom]] = path.bounds(feature(simple, world));
projection.translate([projection.translate()[0], projection.translate()[1] - top]);

const groups = new Map();
for (const geometry of shown) {
  const code = PARTS[geometry.properties.name] ?? iso3.get(geometry.id) ?? '';
  groups.set(code, [...(groups.get(code) ?? []), geometry]);
}

const [shapes, points] = [{}, {}];
for (const [code, parts] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
  const shape = merge(simple, parts);
  const rings = ringsOf(shape);
  if (rings.length > 0) shapes[code] = rings.map(ringPath).join('');
  if (code !== '' && (rings.length === 0 || isSmall(rings[0]))) points[code] = pointOf(parts).join(' ');
}
for (const [code, position] of Object.entries(ADDED)) points[code] = pointAt(position);

const height = Math.ceil(bottom - top);
// What `projection.ts` needs to place markets in the same drawing.
const [x, y] = projection.translate();
const placing = { scale: projection.scale(), x, y };
const text = JSON.stringify({ width: WIDTH, height, placing, shapes, points }, null, 2);
writeFileSync(new URL('world.json', import.meta.url), `${text}\n`);
console.log(
  `${Object.keys(shapes).length} shapes, ${Object.keys(points).length} points, ${text.length} bytes`,
);

/** The lines of a topology in degrees. */
function decoded({ arcs, transform: { scale, translate } }) {
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]]);
  });
}

/** A line with fewer points (Douglas and Peucker); borders of two countries stay the same. */
function simplified(arc) {
  const places = arc.map((point) => projection(point));
  const kept = new Set([0, arc.length - 1]);
  const keep = (from, to) => {
    let [farthest, distance] = [-1, 0];
    for (let index = from + 1; index < to; index++) {
      const away = distanceOf(places[index], places[from], places[to]);
      if (away > distance) [farthest, distance] = [index, away];
    }
    if (farthest < 0 || distance < TOLERANCE) return;
    kept.add(farthest);
    keep(from, farthest);
    keep(farthest, to);
  };
  keep(0, arc.length - 1);
  return arc.filter((_, index) => kept.has(index));
}

/** From a point to a line between two others; to one of them where they are the same. */
function distanceOf([x, y], [x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return Math.hypot(x - x1, y - y1);
  return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
}

function isSmall(ring) {
  const sizes = [0, 1].map((axis) => ring.map((point) => point[axis]));
  return sizes.every((values) => Math.max(...values) - Math.min(...values) < POINT_SIZE);
}

/** A point of which the whole circle is in the drawing. */
function pointAt(position) {
  const [x, y] = projection(position).map(Math.round);
  return `${Math.min(x, WIDTH - 8)} ${y}`;
}

/** The middle of the largest island or part of a country. */
function pointOf(parts) {
  const polygons = merge(topology, parts).coordinates.map((coordinates) => ({
    type: 'Polygon',
    coordinates,
  }));
  const largest = polygons.reduce((one, other) => (geoArea(other) > geoArea(one) ? other : one));
  return path.centroid(largest).map(Math.round);
}

/** The rings of a shape in units of the drawing, the largest first. */
function ringsOf(shape) {
  const rings = (path(shape) ?? '')
    .split('Z')
    .filter((ring) => ring !== '')
    .map((ring) =>
      ring
        .slice(1)
        .split('L')
        .map((pair) => pair.split(',').map(Number)),
    )
    .map((ring) =>
      ring.filter(([x, y], index) => index === 0 || x !== ring[index - 1][0] || y !== ring[index - 1][1]),
    )
    .filter((ring) => ring.length > 2)
    .sort((one, other) => areaOf(other) - areaOf(one));
  return rings.filter((ring, index) => index === 0 || areaOf(ring) >= MIN_AREA);
}

/** Path data with relative coordinates. */
function ringPath([[x0, y0], ...rest]) {
  let [x, y] = [x0, y0];
  let text = `M${x0} ${y0}l`;
  for (const [nextX, nextY] of rest) {
    text += `${nextX - x} ${nextY - y} `;
    [x, y] = [nextX, nextY];
  }
  return `${text.trim().replaceAll(' -', '-')}z`;
}

function areaOf(ring) {
  const twice = ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
