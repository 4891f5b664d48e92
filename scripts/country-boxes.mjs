/*
 * Writes src/lib/codes/country-boxes.json: for each country the boxes of latitudes and longitudes
 * that its land is in, from Natural Earth's shapes in `world-atlas` (public domain).
 *
 *   node scripts/country-boxes.mjs
 *
 * A country has several boxes where its parts lie far apart, so that an overseas island does not
 * make everything in between a part of it, and none crosses the 180th meridian.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature } from 'topojson-client';

const require = createRequire(import.meta.url);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const root = join(import.meta.dirname, '..');

/** Parts without a code in the shapes, or whose code says less than who may report prices there. */
const ALSO = {
  Kosovo: ['XKX', 'SRB'],
  Somaliland: ['SOM'],
  'N. Cyprus': ['CYP'],
  'W. Sahara': ['ESH', 'MAR'],
  Palestine: ['PSE'],
  Israel: ['ISR'],
  Taiwan: ['TWN', 'CHN'],
  'Hong Kong': ['HKG', 'CHN'],
  Macao: ['MAC', 'CHN'],
};
/** Disputed land, as [south, west, north, east], and the countries that may report prices there. */
const DISPUTED = [
  [['UKR'], [44.3, 32.4, 46.3, 36.7]],
  [
    ['IND', 'PAK', 'CHN'],
    [32, 72, 37.2, 80.5],
  ],
  [
    ['IND', 'CHN'],
    [26, 91.5, 29.6, 97.5],
  ],
  [
    ['ISR', 'SYR'],
    [32.6, 35.5, 33.4, 36],
  ],
  [
    ['SDN', 'SSD'],
    [9, 26, 10.6, 30],
  ],
  [
    ['EGY', 'SDN'],
    [21.5, 31, 23.2, 37],
  ],
  [
    ['ARM', 'AZE'],
    [38.8, 44.5, 40.5, 47.5],
  ],
  [
    ['GEO', 'RUS'],
    [41.9, 40, 43.6, 45],
  ],
  [
    ['VEN', 'GUY'],
    [1, -62, 8.6, -57],
  ],
];
/** Degrees between two parts that share a box. */
const NEAR = 2;

const codes = new Map(
  read(join(root, 'src/lib/codes/countries.json')).countries.map(({ m49, iso3 }) => [m49, iso3]),
);
const topology = read(require.resolve('world-atlas/countries-10m.json'));

const boxes = new Map();
const add = (iso3, box) => boxes.set(iso3, [...(boxes.get(iso3) ?? []), box]);

function boxOf(ring) {
  const [west, east] = [Math.min, Math.max].map((end) => end(...ring.map(([longitude]) => longitude)));
  const [south, north] = [Math.min, Math.max].map((end) => end(...ring.map(([, latitude]) => latitude)));
  return [south, west, north, east];
}

/** Two where the shape lies on both sides of the 180th meridian. */
function boxesOf(ring) {
  const [, west, , east] = boxOf(ring);
  if (east - west < 300) return [boxOf(ring)];
  return [1, -1].map((side) => boxOf(ring.filter(([longitude]) => longitude * side > 0)));
}

for (const { id, properties, geometry } of feature(topology, topology.objects.countries).features) {
  const owners = ALSO[properties.name] ?? [codes.get(String(id).padStart(3, '0'))];
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  for (const owner of owners.filter(Boolean))
    for (const [outer] of polygons) for (const box of boxesOf(outer)) add(owner, box);
}
for (const [owners, box] of DISPUTED) for (const owner of owners) add(owner, box);

const touches = (a, b) =>
  a[0] <= b[2] + NEAR && b[0] <= a[2] + NEAR && a[1] <= b[3] + NEAR && b[1] <= a[3] + NEAR;
const union = (a, b) => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

function merged(list) {
  const result = [];
  for (let box of list) {
    for (let index = 0; index < result.length;) {
      if (!touches(box, result[index])) index++;
      else {
        box = union(box, result.splice(index, 1)[0]);
        index = 0;
      }
    }
    result.push(box);
  }
  return result;
}

const outwards = ([south, west, north, east]) => [
  Math.floor(south * 10) / 10,
  Math.floor(west * 10) / 10,
  Math.ceil(north * 10) / 10,
  Math.ceil(east * 10) / 10,
];
const lines = [...boxes]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(
    ([iso3, list]) =>
      `  "${iso3}": ${JSON.stringify(
        merged(list)
          .map(outwards)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1]),
      )}`,
  );
writeFileSync(join(root, 'src/lib/codes/country-boxes.json'), `{\n${lines.join(',\n')}\n}\n`);
