import { drawnPlace } from './projection.js';

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
});
