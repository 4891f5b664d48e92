import { MAP_COLOURS, mapClass, SHARE_CLASSES } from './map-scale.js';
import { WORLD } from './world.js';

describe('the scale of maps', () => {
  it.each([
    [null, 'unrated'],
    [NaN, 'unrated'],
    [0, 'share0'],
    [0.0499, 'share0'],
    [0.05, 'share1'],
    [0.15, 'share2'],
    [0.2999, 'share2'],
    [0.3, 'share3'],
    [0.5, 'share4'],
    [1, 'share4'],
  ])('puts a share of %p into %s', (share, expected) => expect(mapClass(share)).toBe(expected));

  it('gets darker with the share by steps that can be seen without colours', () => {
    const luminance = (colour: string) => {
      const [red, green, blue] = [1, 3, 5]
        .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    const values = SHARE_CLASSES.map((name) => luminance(MAP_COLOURS[name]));
    const contrasts = values.slice(1).map((value, index) => (values[index]! + 0.05) / (value + 0.05));
    for (const contrast of contrasts) expect(contrast).toBeGreaterThan(1.4);
  });
});

describe('the shapes of countries', () => {
  it('have an entry of ISO 3166-1 each, and are small', () => {
    const codes = [...Object.keys(WORLD.shapes), ...Object.keys(WORLD.points)].filter((code) => code !== '');
    expect(codes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBeGreaterThan(230);
    expect(JSON.stringify(WORLD).length).toBeLessThan(60_000);
    for (const shape of Object.values(WORLD.shapes)) expect(shape).toMatch(/^(M\d+ \d+l[-\d ]+z)+$/);
  });

  it('that are too small to be seen are points in the drawing', () => {
    for (const code of ['CPV', 'COM', 'STP', 'GMB', 'FJI', 'KIR', 'TUV', 'PSE', 'RWA'])
      expect([code, WORLD.points[code]]).toEqual([code, expect.stringMatching(/^\d+ \d+$/)]);
    for (const [code, point] of Object.entries(WORLD.points)) {
      const [x, y] = point.split(' ').map(Number);
      expect([code, x! >= 0 && x! <= WORLD.width && y! >= 0 && y! <= WORLD.height]).toEqual([code, true]);
    }
    for (const code of ['KEN', 'ETH', 'NGA']) expect(WORLD.points[code]).toBeUndefined();
  });
});
