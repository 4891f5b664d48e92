/** What people call that which mappings read, by the formats whose columns they fill. */
export const TABLE_TEXTS = {
  prices: 'Prices',
  fx: 'Exchange rates',
  cpi: 'Consumer price indices',
} as const;
