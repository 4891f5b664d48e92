import { CHART_COLOURS } from './colours.js';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB. */
const VISIONS: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Linear sRGB to CIE XYZ with the white point D65 (IEC 61966-2-1). */
const XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Triple = [0.95047, 1, 1.08883];

const apply = (matrix: Matrix, vector: Triple): Triple =>
  matrix.map((row) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]) as unknown as Triple;

const linear = (colour: string): Triple =>
  [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;

function labOf(rgb: Triple): Triple {
  const [x, y, z] = apply(XYZ, rgb).map((value, index) => {
    const ratio = value / WHITE[index]!;
    return ratio > 216 / 24389 ? Math.cbrt(ratio) : ((24389 / 27) * ratio + 16) / 116;
  }) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const seen = (colour: string, matrix: Matrix): Triple =>
  labOf(apply(matrix, linear(colour)).map((value) => Math.min(1, Math.max(0, value))) as unknown as Triple);

/** CIEDE2000 as in Sharma, Wu and Dalal (2005), with all factors 1. */
function ciede2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const [sin, cos] = [Math.sin, Math.cos].map((of) => (degrees: number) => of((degrees * Math.PI) / 180)) as [
    (degrees: number) => number,
    (degrees: number) => number,
  ];
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const g = 0.5 * (1 - Math.sqrt(mean7 / (mean7 + 25 ** 7)));
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (a: number, b: number) =>
    a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  const [h1, h2] = [hue(p1, b1), hue(p2, b2)];
  const isGrey = c1 * c2 === 0;
  const turn = h2 - h1;
  const dh = isGrey ? 0 : turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn;
  const sum = h1 + h2;
  const h = isGrey ? sum : Math.abs(turn) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const dL = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const dC = (c2 - c1) / (1 + 0.045 * c);
  const dH = (2 * Math.sqrt(c1 * c2) * sin(dh / 2)) / (1 + 0.015 * c * t);
  const rotation = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * sin(60 * Math.exp(-(((h - 275) / 25) ** 2)));
  return Math.sqrt(dL ** 2 + dC ** 2 + dH ** 2 + rotation * dC * dH);
}

/** Relative luminance and contrast as in WCAG 2.2. */
const luminance = (colour: string) =>
  apply(
    [
      [0.2126, 0.7152, 0.0722],
      [0, 0, 0],
      [0, 0, 0],
    ],
    linear(colour),
  )[0];
function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright! + 0.05) / (dark! + 0.05);
}

it('the difference of colours is that of the published test data', () => {
  const blue: Triple = [50, 0, -82.7485];
  const pink: Triple = [50, 2.5, 0];
  const pairs: readonly (readonly [Triple, Triple, number])[] = [
    [[50, 2.6772, -79.7751], blue, 2.0425],
    [[50, 3.1571, -77.2803], blue, 2.8615],
    [[50, 2.8361, -74.02], blue, 3.4412],
    [[50, -1.3802, -84.2814], blue, 1],
    [[50, -1.1848, -84.8006], blue, 1],
    [[50, -0.9009, -85.5211], blue, 1],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, -1, 2], [50, 0, 0], 2.3669],
    [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
    [[50, 2.49, -0.001], [50, -2.49, 0.001], 7.1792],
    [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
    [[50, 2.49, -0.001], [50, -2.49, 0.0012], 7.2195],
    [[50, -0.001, 2.49], [50, 0.0009, -2.49], 4.8045],
    [[50, -0.001, 2.49], [50, 0.001, -2.49], 4.8045],
    [[50, -0.001, 2.49], [50, 0.0011, -2.49], 4.7461],
    [pink, [50, 0, -2.5], 4.3065],
    [pink, [73, 25, -18], 27.1492],
    [pink, [61, -5, 29], 22.8977],
    [pink, [56, -27, -3], 31.903],
    [pink, [58, 24, 15], 19.4535],
    [pink, [50, 3.1736, 0.5854], 1],
    [pink, [50, 3.2972, 0], 1],
    [pink, [50, 1.8634, 0.5757], 1],
    [pink, [50, 3.2592, 0.335], 1],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.263],
    [[61.2901, 3.7196, -5.3901], [61.4292, 2.248, -4.962], 1.8731],
    [[35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645],
    [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
    [[36.4612, 47.858, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146],
    [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
    [[90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381],
    [[6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ];
  for (const [one, other, difference] of pairs)
    expect(Number(ciede2000(one, other).toFixed(4))).toBe(difference);
});

describe.each(['light', 'dark'] as const)('lines on a %s ground', (theme) => {
  const { ground, text, muted, mark, lines } = CHART_COLOURS[theme];

  it.each(Object.entries(VISIONS))('are told apart with %s vision', (_, matrix) => {
    expect(lines).toHaveLength(8);
    const labs = lines.map((colour) => seen(colour, matrix));
    const differences = labs.flatMap((one, index) =>
      labs.slice(0, index).map((other) => ciede2000(one, other)),
    );
    expect(Math.min(...differences)).toBeGreaterThanOrEqual(12);
  });

  it('stand out from it, and texts more', () => {
    expect(Math.min(...[...lines, mark].map((colour) => contrast(colour, ground)))).toBeGreaterThanOrEqual(3);
    expect(Math.min(...[text, muted].map((colour) => contrast(colour, ground)))).toBeGreaterThanOrEqual(4.5);
  });
});
