/**
 * Bounds of prices, rates, indices and factors. What is computed from numbers within them (means, dollars, real values) is a number
 * again; of prices near 1.8e308 the mean would be none.
 */
export const QUANTITY = { above: 0, atLeast: 1e-100, atMost: 1e100 } as const;
