import data from './country-boxes.json' with { type: 'json' };

/** South, west, north and east, in degrees. */
type Box = readonly [south: number, west: number, north: number, east: number];

/** Made by `scripts/country-boxes.mjs`; several of a country whose parts lie far apart. */
const boxes = data as unknown as Readonly<Record<string, readonly Box[]>>;

/**
 * Whether a position is in one of the boxes that the land of a country is in, or near it. Boxes are
 * larger than the country, so only what is far outside is reported.
 * @param margin degrees around each box
 * @returns null for a country whose shape is not known
 */
export function isNearCountry(
  iso3: string,
  latitude: number,
  longitude: number,
  margin: number,
): boolean | null {
  const ofCountry = boxes[iso3];
  if (ofCountry === undefined) return null;
  return ofCountry.some(
    ([south, west, north, east]) =>
      latitude >= south - margin &&
      latitude <= north + margin &&
      longitude >= west - margin &&
      longitude <= east + margin,
  );
}
