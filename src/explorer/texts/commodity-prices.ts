/** What commodities cost, which pages of countries and of markets show. */
export const commodityPriceTexts = {
  title: 'What food costs',
  noFood: 'There are no prices of food.',
  notFood: 'What is no food',
  median: 'Price',
  of: 'In',
  inMonth: 'In a month',
  inYear: 'In a year',
  trend: 'Two years',
  trendOf: (name: string): string => `${name}: median price of two years`,
  changes: 'Newest prices and their changes',
  /** @param per what prices are per: kilograms and litres, or the published units */
  changesOf: (isAverage: boolean, per: 'base' | 'unit'): string =>
    commodityPriceTexts.changes +
    (isAverage ? ', averages of countries and regions' : '') +
    (per === 'unit' ? ', per published unit' : ''),
};
