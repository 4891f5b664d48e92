/** A place in degrees: latitude north, longitude east. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean radius of the Earth in kilometres (International Union of Geodesy and Geophysics). */
const RADIUS = 6371.0088;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/**
 * The distance between two places on a sphere, in kilometres: at most half a percent from that on
 * the ellipsoid (haversine formula, which is exact for places near each other).
 */
export function greatCircle(one: Place, other: Place): number {
  const latitudes = radians(other.latitude - one.latitude);
  const longitudes = radians(other.longitude - one.longitude);
  const chord =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(longitudes / 2) ** 2;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
