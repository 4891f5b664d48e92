/**
 * The power of ten that a ratio is close to: 1 for ratios around ten, −2 for those around 0.01.
 * @param tolerance how far the ratio may be from it, relative to it
 * @returns null where there is none but 10⁰
 */
export function powerOfTen(ratio: number, tolerance: number): number | null {
  const power = Math.round(Math.log10(ratio));
  if (power === 0) return null;
  return Math.abs(ratio / 10 ** power - 1) <= tolerance ? power : null;
}
