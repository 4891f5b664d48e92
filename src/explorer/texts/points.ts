import type { ChangeSetKind } from '../../ledger/changes/change-set.js';
import type { RuleName } from '../../quality/rules/rule-table.js';

/** `1 price`, `2 prices`. */
const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What rules mean that can be about one price. */
const rules: Readonly<Partial<Record<RuleName, string>>> = {
  spike: 'The price is many times as high or as low as those before and after it.',
  spike_possible: 'The price is far higher or lower than those before and after it.',
  decimal_slip: 'The decimal point may have slipped: ten times more or less would fit.',
  swapped: 'Two prices of the market may have been swapped: each fits the other commodity.',
  batch: 'The price of this commodity is unlikely in several markets of the month.',
  month_suspect: 'Many prices of the country are unlikely in this month.',
  edge_spike: 'The first or last price is far from those beside it.',
  level_shift: 'From here on prices are on another level: the unit or currency may have changed.',
  redenomination: 'Prices move by a power of ten here, as where a currency is replaced.',
  flat: 'The price has not changed for two years or longer: it may have been carried on.',
  twin_currency: 'The price may be in another currency than the series says.',
  future_date: 'The price is dated in the future.',
};

/** What has made a version known. */
const operations: Readonly<Record<ChangeSetKind, string>> = {
  import: 'import',
  correction: 'correction by a maintainer',
  record: 'change of the data',
  merge: 'series joined',
  revert: 'change reverted',
  sample: 'sample loaded',
  findings: 'check of the data',
  migration: 'known before versions were kept',
};

/** The pages of single prices. */
export const pointsTexts = {
  noDate: 'There is no such frequency or date: daily, weekly or monthly, and a day as 2023-06-30.',
  noPoint: {
    daily: (date: string): string => `The series has no daily price of ${date}.`,
    weekly: (date: string): string => `The series has no weekly price of ${date}.`,
    monthly: (date: string): string => `The series has no monthly price of ${date}.`,
  },
  ofDate: (date: string): string => `The price of ${date}`,
  series: 'The series with all its prices',
  heading: {
    daily: (date: string): string => `Daily price of ${date}`,
    weekly: (date: string): string => `Price of the week of ${date}`,
    monthly: (month: string): string => `Price of ${month}`,
  },
  removed: 'There is no price of this date now: it was removed.',
  standsFor: {
    daily: (): string => 'It stands for that day.',
    weekly: (from: string, to: string): string =>
      `It stands for the week from Saturday ${from} to Friday ${to}.`,
    monthly: (): string => 'It stands for the whole month.',
  },
  notObserved: {
    estimated: 'It is an estimate of the source, not an observed price.',
    forecast: 'It is a forecast of the source, not an observed price.',
  },
  comment: 'Comment',
  perBase: (amount: string): string => `Per ${amount}`,
  real: (base: string): string => `in real terms, ${base} = 100`,
  partial: (count: number): string =>
    `The month is not over: it is the mean of the ${counted(count, 'price', 'prices')} so far, and will change.`,
  calculation: 'How this was calculated',
  stored: (source: string): string => `The price is as ${source} has published it.`,
  corrected: 'The price is that of a correction, see below.',
  ofSource: (source: string): string => `${source} has published it as calculated from finer prices.`,
  scaled: (price: string, factor: string): string =>
    `It was published as ${price} in a series in another unit or currency that was joined into this one: multiplied by ${factor}.`,
  mean: {
    daily: (count: string): string => `It is the mean of ${count} daily prices.`,
    weekly: (count: string): string =>
      `It is the mean of ${count} weekly prices, of the weeks with most days in the month.`,
    monthly: (count: string): string => `It is the mean of ${count} monthly prices.`,
  },
  single: {
    daily: 'It is the one daily price of this time.',
    weekly: 'It is the one weekly price of this time.',
    monthly: 'It is the one monthly price of this time.',
  },
  parts: 'The prices that it was made of. A date leads to what its price was made of.',
  factor: 'Factor',
  noCarry: 'Rates and indices are those of its own month: none is carried on from another month.',
  dollars: {
    title: 'In US dollars',
    isDollar: 'The price is in US dollars already.',
    published: (price: string, rate: string, dollars: string): string =>
      `${price} ÷ ${rate} = US$ ${dollars}.`,
    rate: (currency: string, rate: string, month: string): string =>
      `${currency} ${rate} per US dollar is the rate of ${month}`,
    monthly: (source: string): string => `, a monthly rate (source: ${source}).`,
    daily: (count: number, source: string): string =>
      count === 1
        ? `, the one daily rate that there is of it (source: ${source}).`
        : `, the mean of ${count.toLocaleString('en')} daily rates (source: ${source}).`,
    law: (units: string, currency: string, rate: string, law: string): string =>
      ` (${units} × ${currency} ${rate}, ${law})`,
    none: (currency: string, month: string): string =>
      `There is no exchange rate of ${currency} of ${month}.`,
    unclear: (currency: string): string =>
      `There is an exchange rate of ${currency}, but nothing decides whether price and rate are in old or new units.`,
    rates: 'The rates of the month, in units per US dollar.',
    rateColumn: 'Rate',
    unknownSource: 'not known',
  },
  reals: {
    title: 'In real terms',
    value: (price: string, index: string, real: string): string => `${price} × 100 ÷ ${index} = ${real}.`,
    index: (value: string, country: string, month: string, base: string, source: string): string =>
      `${value} is the general consumer price index of ${country} of ${month} (${base} = 100; source: ${source}).`,
    link: (factor: string, base: string, months: string, from: string, to: string): string =>
      `It was brought to the base ${base} by the factor ${factor}: the ratio of the means of both indices in the ${months} months that both have, ${from} to ${to}.`,
    none: (country: string, month: string): string =>
      `There is no consumer price index of ${country} of ${month}.`,
  },
  findings: 'What looks wrong with it',
  noFindings: 'Rules have found nothing that looks wrong with this price.',
  noRules: 'Rules look at the prices that it was made of, see their pages.',
  rules,
  states: { open: 'open', dismissed: 'dismissed', corrected: 'corrected', gone: 'no longer there' },
  because: (reason: string): string => `“${reason}”`,
  versions: 'Versions',
  versionsNote: 'What was known of this price, newest first. Times are UTC.',
  noVersions:
    'The price is calculated when it is asked for: it has no versions itself. Those of the prices that it was made of are on their pages.',
  price: 'Price',
  absent: 'no price',
  knownFrom: 'Known from',
  knownTo: 'Until',
  stillKnown: 'now',
  operation: 'By',
  operations,
  corrections: 'Corrections',
  correction: {
    changed: (base: string, value: string): string =>
      `A maintainer has corrected the ${base} of the source to ${value}.`,
    added: (value: string): string => `A maintainer has added ${value}; the source has no price.`,
    removed: (base: string): string => `A maintainer has removed the ${base} of the source.`,
    nothing: 'A maintainer has removed the price.',
  },
  correctionStates: {
    standing: 'It holds.',
    confirmed: 'The source has confirmed it since: it has the same value now.',
    superseded: 'The source has published a third value since, which holds.',
    withdrawn: 'A maintainer has withdrawn it: the value of the source holds.',
  },
  noReason: 'No reason was given.',
  neighbours: 'Prices before and after',
  before: (date: string): string => `Before: ${date}`,
  after: (date: string): string => `After: ${date}`,
  dataPrice: 'This price',
  dataExplained: 'How it was calculated',
  dataVersions: 'Its versions',
};
