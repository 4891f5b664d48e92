/**
 * Bounds of quantities. They keep computed values (means, products, ratios) finite: the sum of two
 * numbers near 1.8e308 would overflow.
 */
export const QUANTITY = { above: 0, atLeast: 1e-100, atMost: 1e100 } as const;
