/** Texts of warnings, wherever they stand. */
export const warningsTexts = {
  title: 'Warnings',
  description:
    'How many food prices of each country are high: high by IFPA, or alert or crisis by ALPS, of those that either can rate.',
  /** @param all countries that can be rated in both months */
  news: (fewer: number, more: number, all: number, month: string): string =>
    `In ${fewer.toLocaleString('en')} of ${all.toLocaleString('en')} ${all === 1 ? 'country' : 'countries'} that can be rated in both months, a smaller share of food prices is high in ${month} than a year before; in ${more.toLocaleString('en')}, a larger one.`,
  by: 'By',
  month: 'Month',
  groups: { country: 'Country', 'country,category': 'Category', 'country,commodity': 'Commodity' },
  none: 'No country has prices of such a month.',
  note: 'High prices: the share of rated series, of three at least; the largest comes first unless another order is chosen. Countries with old prices come last, and count nowhere.',
  fresh: 'Fresh',
  rated: 'Rated',
  highPrices: 'High prices',
  aYearBefore: 'A year before',
  high: 'IFPA high',
  alert: 'ALPS alert or crisis',
  noneFresh: 'no fresh series',
  tooFew: 'too few can be rated',
  old: 'old prices',
  noneHigh: (rated: string): string => `none of ${rated}`,
  someHigh: (share: string, high: string, rated: string): string => `${share} (${high} of ${rated})`,
  sentence: (month: string, share: string | null, high: string, rated: string): string =>
    share === null
      ? `${month}: no price is high, of ${rated} that can be rated.`
      : `${month}: ${share} of the food prices that can be rated are high (${high} of ${rated}).`,
  noFreshSentence: (month: string): string => `${month}: no series is fresh, so nothing can be said.`,
  unratedSentence: (month: string, fresh: string, isOne: boolean, reason: string | null): string =>
    `${month}: ${fresh} series ${isOne ? 'is' : 'are'} fresh, too few can be rated` +
    `${reason === null ? '' : ` (most often: ${reason})`}.`,
  oldSentence: (current: string): string =>
    `That is old: a quarter of the countries have prices of ${current}. It counts in no total.`,
  worst: 'Highest IFPA',
  mapTitle: (month: string | null): string => `Warnings${month === null ? '' : `, ${month}`}`,
  newestOfEach: 'the newest month of each country',
  compared: 'High prices beside a month and a year before',
  newlyHigh: 'Newly high',
  noLongerHigh: 'No longer high',
  changes: 'What has changed since the month before',
  changesNote:
    'Series that can be rated in both months, and whose price is high in one of them alone, by commodity.',
  noChanges: 'No price has become high, or is no longer high.',
  moreCommodities: (count: string): string => `and ${count} more`,
  throughTime: 'Through time',
  newestMonth: 'newest',
  newestMonths: 'newest of each country',
  knownOn: 'As known on',
  yearBefore: 'A year before',
  monthBefore: 'Month before',
  monthAfter: 'Month after',
  yearAfter: 'A year after',
};
