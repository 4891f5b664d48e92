import { greatCircle } from './great-circle.js';

describe('the distance of two places', () => {
  const nairobi = { latitude: -1.2864, longitude: 36.8172 };
  const mombasa = { latitude: -4.0547, longitude: 39.6636 };

  it('is that on a sphere, in kilometres', () => {
    const equator = (longitude: number) => ({ latitude: 0, longitude });
    expect(greatCircle(equator(0), equator(1))).toBeCloseTo((6371.0088 * Math.PI) / 180, 9);
    expect(greatCircle({ latitude: 90, longitude: 0 }, { latitude: -90, longitude: 77 })).toBeCloseTo(
      6371.0088 * Math.PI,
      6,
    );
    expect(greatCircle(nairobi, mombasa)).toBeCloseTo(441.4, 0);
  });

  it('is the same both ways, over the date line, and none from a place to itself', () => {
    expect(greatCircle(mombasa, nairobi)).toBe(greatCircle(nairobi, mombasa));
    expect(greatCircle(nairobi, nairobi)).toBe(0);
    const date = (longitude: number) => ({ latitude: 0, longitude });
    expect(greatCircle(date(179.5), date(-179.5))).toBeCloseTo(greatCircle(date(0), date(1)), 9);
  });
});
