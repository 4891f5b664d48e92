/**
 * Bounds of prices, rates, indices and factors. They keep computed values (means, dollars, real
 * terms) finite: the sum of two prices near 1.8e308 would overflow.
 */
export const QUANTITY = { above: 0, atLeast: 1e-100, atMost: 1e100 } as const;
