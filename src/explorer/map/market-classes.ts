/** What a map shows of a market: one of five classes of prices or of changes, or an old price. */
export type MarketClass =
  `share${0 | 1 | 2 | 3 | 4}` | 'fall1' | 'fall0' | 'even' | 'rise0' | 'rise1' | 'past';

/** From the lowest to the highest price, and from falling to rising. */
export const PRICE_CLASSES = ['share0', 'share1', 'share2', 'share3', 'share4'] as const;
export const CHANGE_CLASSES = ['fall1', 'fall0', 'even', 'rise0', 'rise1'] as const;

/** Lower bounds of the classes of changes above the first, as fractions of 1. */
export const CHANGE_STEPS = [-0.2, -0.05, 0.05, 0.2] as const;

/** Signs that can be told apart without colours: by size, and where they point. */
export const MARKERS: Readonly<
  Record<MarketClass, { readonly form: 'circle' | 'up' | 'down'; readonly size: number }>
> = {
  share0: { form: 'circle', size: 4 },
  share1: { form: 'circle', size: 5 },
  share2: { form: 'circle', size: 6 },
  share3: { form: 'circle', size: 7 },
  share4: { form: 'circle', size: 9 },
  fall1: { form: 'down', size: 8 },
  fall0: { form: 'down', size: 6 },
  even: { form: 'circle', size: 4 },
  rise0: { form: 'up', size: 6 },
  rise1: { form: 'up', size: 8 },
  past: { form: 'circle', size: 4 },
};

/** The class of a change. @param change as a fraction of 1 */
export const changeClass = (change: number): MarketClass =>
  CHANGE_CLASSES[CHANGE_STEPS.filter((step) => change >= step).length]!;

/** A class of prices, with the least and the greatest one in it. */
interface PriceClass {
  readonly name: MarketClass;
  readonly from: number;
  readonly to: number;
}

/**
 * Five classes of prices with about as many markets each, the dearest in the last; of few different
 * prices fewer, from both ends inwards. Equal prices are in one class.
 */
export function priceClasses(prices: readonly number[]): PriceClass[] {
  const different = [...new Set(prices)].sort((one, other) => one - other);
  const count = Math.min(PRICE_CLASSES.length, different.length);
  const starts = Array.from({ length: count }, (_, index) => Math.round((index * different.length) / count));
  return starts.map((start, index) => ({
    name: PRICE_CLASSES[count === 1 ? 2 : Math.round((index * (PRICE_CLASSES.length - 1)) / (count - 1))]!,
    from: different[start]!,
    to: different[(starts[index + 1] ?? different.length) - 1]!,
  }));
}
