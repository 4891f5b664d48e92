/** The pages of commodities. */
export const commoditiesTexts = {
  description: (name: string, series: number, countries: number): string =>
    `${name}: ${series.toLocaleString('en')} price series of ${countries.toLocaleString('en')} ${countries === 1 ? 'country' : 'countries'}.`,
  citation: (name: string): string => `Prices of ${name} by country, from all sources`,
  none: 'None of its prices can be given per kilogram or litre in US dollars.',
  inCountry: (name: string, country: string): string => `${name}, ${country}`,
  byCountry: (name: string): string => `${name} by country`,
  unit: (priceType: string, unit: string): string => `US$ per ${unit}, median of ${priceType} prices`,
  chartNote: (count: number): string =>
    count === 1
      ? 'The median of the prices of each month.'
      : `The median of the prices of each month, in the ${count} countries with the most series.`,
};
