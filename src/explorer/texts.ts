import { webTexts } from '../web/texts.js';
import { browseTexts, filterTexts } from './texts/browse.js';
import { chartTexts } from './texts/chart.js';
import { commoditiesTexts } from './texts/commodities.js';
import { commodityPriceTexts } from './texts/commodity-prices.js';
import { compareTexts } from './texts/compare.js';
import { countriesTexts } from './texts/countries.js';
import { countryCommodityTexts } from './texts/country-commodity.js';
import { dataTexts } from './texts/data.js';
import { embedTexts } from './texts/embed.js';
import { groupsTexts } from './texts/groups.js';
import { helpTexts } from './texts/help.js';
import { homeTexts } from './texts/home.js';
import { imagesTexts } from './texts/images.js';
import { pointsTexts } from './texts/points.js';
import { releasesTexts } from './texts/releases.js';
import { seriesTexts } from './texts/series.js';
import { marketsTexts } from './texts/markets.js';
import { marketMapsTexts } from './texts/market-maps.js';
import { mapTexts } from './texts/map.js';
import { warningsTexts } from './texts/warnings.js';

/** The base period of a consumer price index. */
const indexBase = (base: string): string => `${base} = 100`;

/** Every text of the pages that is not in the data; those of one page alone stand in `texts/`. */
export const texts = {
  ...webTexts,
  nav: {
    browse: 'Browse series',
    compare: 'Compare',
    warnings: 'Warnings',
    data: 'Data',
    help: 'Help',
    docs: 'API',
  },
  country: 'Country',
  series: 'Series',
  newestDate: 'Newest price',
  age: {
    months: (count: number): string =>
      count === 0 ? 'this month' : `${count.toLocaleString('en')} ${count === 1 ? 'month' : 'months'} ago`,
    ahead: 'dated in the future',
    newest: (month: string, ago: string): string => `Newest prices: ${month}, ${ago}.`,
    newestWhole: (month: string, ago: string): string => `Newest whole month: ${month}, ${ago}.`,
    none: 'There are no prices yet.',
  },
  timeUtc: 'Time (UTC)',
  change: 'Change',
  changeKind: (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' '),
  unknown: 'not known',
  date: 'Date',
  prices: 'Prices',
  indicators: 'Indicators of its months',
  source: 'Source',
  license: 'Licence',
  revision: 'Revision',
  kilogram: 'kilogram',
  litre: 'litre',
  perAmount: 'per',
  perUnit: 'Per',
  frequency: 'Frequency',
  from: 'From',
  to: 'To',
  show: 'Show',
  range: {
    label: 'Time shown',
    years: (count: number): string => `${count} ${count === 1 ? 'year' : 'years'}`,
    all: 'All',
  },
  period: { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' },
  calculated: ' (derived from higher-frequency data)',
  measure: { nominal: 'As published', real: 'In real terms', usd: 'In US dollars' },
  money: {
    nominal: (currency: string): string => currency,
    real: (currency: string): string => `Real ${currency}`,
    usd: (): string => 'US$',
    real_usd: (): string => 'Real US$',
  },
  column: {
    nominal: (currency: string): string => `Price (${currency})`,
    real: (currency: string, base: string | null): string =>
      `In real terms (${currency}${base === null ? '' : `, ${indexBase(base)}`})`,
    usd: (): string => 'In US$',
  },
  indexBase,
  newestPrice: 'Newest price',
  partial: ' (month not over)',
  provisional: 'provisional',
  notOver: 'month not over',
  fact: {
    change_1m: 'Change in a month',
    change_3m: 'Change in 3 months',
    change_12m: 'Change in a year',
    against_mean_5y: 'Against 5-year mean',
  },
  priceChange: {
    before: { month: 'a month before', year: 'a year before' },
    more: (share: string, before: string): string => `${share} more than ${before}`,
    less: (share: string, before: string): string => `${share} less than ${before}`,
    same: (before: string): string => `as much as ${before}`,
  },
  ofMonth: (month: string): string => `in ${month}`,
  classes: {
    high: 'High',
    moderate: 'Moderate',
    normal: 'Normal',
    crisis: 'Crisis',
    alert: 'Alert',
    stress: 'Stress',
  },
  reason: {
    no_price: 'no price in the month',
    no_factor: 'the unit has no weight or volume',
    no_rate: 'no exchange rate',
    no_cpi: 'no consumer price index',
    other_base: 'the consumer price index has another base, with no month in common',
    few_values: 'too few values',
    no_price_1m_ago: 'no price a month before',
    no_price_3m_ago: 'no price 3 months before',
    no_price_12m_ago: 'no price a year before',
    short_history: 'too few years of prices',
    gap_gt_3: 'a gap of over 3 months',
    sparse: 'too many months without a price',
    flat: 'the price has not moved',
    sd_zero: 'the history does not vary',
  },
  chart: chartTexts,
  table: 'The numbers',
  tableNote: (count: string, unit: string): string =>
    `${count} prices, newest first; the chart shows ${unit}. A date leads to what its price was made of.`,
  remarks: 'Remarks',
  findings: 'What looks wrong',
  findingsNote: 'Rules have found this in the data. It may still be true.',
  madeOf: 'How this was calculated',
  published: 'Published as',
  lastChange: 'Last changed',
  identity: 'Identity',
  asData: 'This view as data',
  asCall: 'As an API call:',
  excelHow: 'In Excel: Data, Get data, From other sources, Blank query; this is its formula.',
  allPrices: 'All prices, a row each',
  priceTable: 'Monthly prices, dates down and series across',
  largeWorkbook: (maxPrices: string): string =>
    `Excel opens the CSV. A workbook takes ${maxPrices} prices: for one, select fewer with “Browse series”.`,
  wideTable: (maxSeries: number, series: string): string =>
    `for up to ${maxSeries} series; there are ${series}. Select fewer with “Browse series”.`,
  datedPrices: 'not where series are chosen by when their data begin or end. Remove that to get prices.',
  cite: (revision: number): string => `Link to this state, for citing (revision ${revision})`,
  citeAs: 'To cite:',
  citation: (what: string, revision: number): string => `${what}. Price Data Service, revision ${revision}.`,
  asOf: (revision: number): string => `Shown as it was at revision ${revision}.`,
  showNewest: 'Show the newest data',
  publishedBy: 'Published by',
  /** @param more sources that are not named */
  byPublishers: (names: readonly string[], more: number): string =>
    `published by ${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
  releases: releasesTexts,
  seriesPage: seriesTexts,
  points: pointsTexts,
  similar: 'Other series of this commodity in the country',
  seriesDescription: (title: string, unit: string, source: string): string =>
    `Prices of ${title}: ${unit}, published by ${source}. Chart, table, changes, JSON and CSV.`,
  datasetDescription: (about: string): string => `${about} Food price data in tables, as JSON and CSV.`,
  search: 'Search by commodity, market or country',
  any: 'any',
  commodity: 'Commodity',
  market: 'Market',
  priceType: 'Price type',
  unit: 'Unit',
  filter: filterTexts,
  browse: browseTexts,
  warnings: warningsTexts,
  images: imagesTexts,
  embed: embedTexts,
  map: mapTexts,
  marketMaps: marketMapsTexts,
  groups: groupsTexts,
  commodities: commoditiesTexts,
  commodityPrices: commodityPriceTexts,
  markets: marketsTexts,
  countries: countriesTexts,
  countryCommodity: countryCommodityTexts,
  compare: compareTexts,
  data: dataTexts,
  home: homeTexts,
  help: helpTexts,
  footer: 'Food prices as published by their sources.',
  footerLink: 'Downloads, licences and how to cite',
  /** What the fields of pages are called that choose no series. */
  field: {
    order: 'Order',
    page: 'Page',
    as_of: 'As known on',
    compare: 'Series',
    tick: 'Series',
    add: 'Add a series',
    measure: 'Prices',
    per: 'Per',
    formula: 'Of two',
    scale: 'Scale',
    base: 'Index, 100 in',
    by: 'By',
    month: 'Month',
    view: 'View',
    price_type: 'Price type',
    currency: 'Currency',
    width: 'Width',
    theme: 'Colours',
  },
  error: {
    notFound: 'This page does not exist',
    title: (status: number): string => {
      if (status === 404) return texts.error.notFound;
      if (status === 400) return 'This page cannot be shown like that';
      return status >= 500 ? 'This page could not be made' : 'This page cannot be shown';
    },
    noName: (name: string): string => `Nothing here is called “${name}”.`,
    asked: (path: string): string => `Asked for: ${path}`,
    notStoredThen: (asOf: string): string => `As known on: ${asOf}. It may not have been stored by then.`,
    value: (field: string | null, value: string, wrong = 'cannot be understood here'): string =>
      `${field === null ? '' : `${field}: `}${value === '' ? 'what is given' : `“${value}”`} ${wrong}.`,
    tooMany: (field: string | null, limit: number): string =>
      `${field === null ? '' : `${field}: `}at most ${limit} can be shown at once.`,
    wrong: {
      invalid_date: 'is no date; dates look like 2024-05-31',
      invalid_choice: 'is none of the choices',
      invalid_integer: 'is no whole number that fits here',
      out_of_range: 'is too small or too large',
      too_long: 'is too long',
      reversed_range: 'does not go with the other date, which has to be the later one',
      repeated_parameter: 'can be only one',
    },
    help: (status: number): string => {
      if (status === 404) return 'The link may be old or mistyped, or what it showed has been removed.';
      if (status === 400) return 'Something in the address cannot be understood. Change it and try again.';
      if (status >= 500) return 'The service could not make this page. Try again in a moment.';
      return 'The service could not answer this request.';
    },
    home: 'Start page',
    near: 'Perhaps one of these:',
    id: (status: number, id: string): string => (status >= 500 ? `Request ${id}` : ''),
  },
};
