import { drawnPlace, drawnPlaceNear } from './projection.js';

describe('the place of a market in the drawing of the world', () => {
  // As `geoEqualEarth` of d3-geo 3.1.1 gives them, with the scale and the middle of world.json.
  it.each([
    [0, 0, 800, 393.193989],
    [-1.29, 36.82, 966.778977, 401.066669],
    [64.1, -21.9, 728.328206, 49.43809],
    [-41.3, 174.8, 1496.043273, 633.382537],
    [71, -156.8, 323.020026, 26.399541],
  ])('is that of the projection of the countries: %p, %p', (latitude, longitude, x, y) => {
    const [left, top] = drawnPlace(latitude, longitude);
    expect(left).toBeCloseTo(x, 6);
    expect(top).toBeCloseTo(y, 6);
  });

  it('lies beside the others of its country across the 180th meridian', () => {
    const [suva] = drawnPlace(-18.14, 178.44);
    const [lakeba, top] = drawnPlaceNear(-18.2, -178.8, suva);
    expect(lakeba).toBeCloseTo(drawnPlace(-18.2, 181.2)[0], 6);
    expect(top).toBeCloseTo(drawnPlace(-18.2, -178.8)[1], 6);
    // From the other side as well, and not where there is nothing to cross.
    expect(drawnPlaceNear(-18.14, 178.44, drawnPlace(-18.2, -178.8)[0])[0]).toBeLessThan(0);
    expect(drawnPlaceNear(-1.29, 36.82, 900)).toEqual(drawnPlace(-1.29, 36.82));
  });
});
