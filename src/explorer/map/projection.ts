import { WORLD } from './world.js';

/** A place in units of the drawing of the world. */
export type DrawnPlace = readonly [x: number, y: number];

const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796];
const M = Math.sqrt(3) / 2;
const RADIANS = Math.PI / 180;

/**
 * A place in the Equal Earth projection of `make-world.mjs`, in units of its drawing. Parallels are
 * as far apart as there, so that areas stay comparable.
 *
 * Source: B. Šavrič, T. Patterson, B. Jenny, "The Equal Earth map projection", International
 * Journal of Geographical Information Science 33 (2019).
 * @param latitude and @param longitude in degrees
 */
export function drawnPlace(latitude: number, longitude: number): DrawnPlace {
  const { scale, x, y } = WORLD.placing;
  const angle = Math.asin(M * Math.sin(latitude * RADIANS));
  const square = angle * angle;
  const sixth = square * square * square;
  const across =
    (longitude * RADIANS * Math.cos(angle)) /
    (M * (A1 + 3 * A2 * square + sixth * (7 * A3 + 9 * A4 * square)));
  const up = angle * (A1 + A2 * square + sixth * (A3 + A4 * square));
  return [x + scale * across, y - scale * up];
}

/** The same place on the side of the 180th meridian that lies nearer to an `x` of the drawing. */
export function drawnPlaceNear(latitude: number, longitude: number, x: number): DrawnPlace {
  const [nearest] = [0, -360, 360]
    .map((turn) => drawnPlace(latitude, longitude + turn))
    .sort(([one], [other]) => Math.abs(one - x) - Math.abs(other - x));
  return nearest!;
}
