/** Lower bounds of the classes above the first, which begins at 0: shares as fractions of 1. */
export const SHARE_STEPS = [0.05, 0.15, 0.3, 0.5] as const;

/** What the map shows of a country: a class of shares, or that there is no share to show. */
export type MapClass = `share${0 | 1 | 2 | 3 | 4}` | 'unrated';

/** From the least to the greatest share. */
export const SHARE_CLASSES = ['share0', 'share1', 'share2', 'share3', 'share4'] as const;

/**
 * Colours of classes on white. They get darker with the share, so that they are in order for people
 * who see few colours, and in black and white; pages set their own.
 */
export const MAP_COLOURS: Readonly<Record<MapClass | 'land', string>> = {
  share0: '#fde8c8',
  share1: '#fdb976',
  share2: '#ee8137',
  share3: '#c44a0e',
  share4: '#7a2604',
  unrated: '#8c959f',
  land: '#e3e7eb',
};

/** The class of a share; null for none. @param share of series whose price is high, 0 to 1 */
export function mapClass(share: number | null): MapClass {
  if (share === null || Number.isNaN(share)) return 'unrated';
  return SHARE_CLASSES[SHARE_STEPS.filter((step) => share >= step).length]!;
}
