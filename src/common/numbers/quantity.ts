/**
 * Bounds of prices, rates, indices and factors. No real one comes near them, and what is computed from numbers within them (means,
 * dollars, real values) is a number, too: beyond 1.8e308 it would be none.
 */
export const QUANTITY = { above: 0, atLeast: 1e-15, atMost: 1e15 } as const;
