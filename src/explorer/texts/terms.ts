/** The word or sign in the address of its explanation. */
export type TermSlug =
  | 'price-series'
  | 'market'
  | 'average-series'
  | 'commodity'
  | 'price-type'
  | 'not-food'
  | 'per-kilogram'
  | 'codes'
  | 'source'
  | 'licence'
  | 'sample'
  | 'frequency'
  | 'calculated'
  | 'month-not-over'
  | 'age'
  | 'fresh'
  | 'old'
  | 'missing'
  | 'as-published'
  | 'real'
  | 'consumer-price-index'
  | 'base-period'
  | 'us-dollars'
  | 'exchange-rate'
  | 'median'
  | 'n'
  | 'change'
  | 'matched'
  | 'index'
  | 'index-100'
  | 'ratio'
  | 'high'
  | 'rated'
  | 'ifpa'
  | 'alps'
  | 'classes'
  | 'standard-deviation'
  | 'share-of-high'
  | 'five-year-mean'
  | 'season'
  | 'five-year-band'
  | 'trend'
  | 'gap'
  | 'edge'
  | 'marks'
  | 'axes'
  | 'scale'
  | 'map'
  | 'finding'
  | 'correction'
  | 'change-set'
  | 'revision'
  | 'as-of'
  | 'versions'
  | 'citation'
  | 'edition'
  | 'formats'
  | 'api'
  | 'identity'
  | 'embed';

/** A page of `docs/api/`, by its file name without `.md`. */
type ApiPage =
  | 'addresses'
  | 'authentication'
  | 'pages-and-formats'
  | 'errors'
  | 'reference-tables'
  | 'aliases'
  | 'price-series'
  | 'filters'
  | 'prices'
  | 'dollars-and-real-terms'
  | 'imports'
  | 'mappings'
  | 'releases'
  | 'harvests'
  | 'corrections'
  | 'as-of'
  | 'change-sets'
  | 'changes'
  | 'findings'
  | 'indicators'
  | 'warnings'
  | 'tables'
  | 'aggregates'
  | 'editions'
  | 'fpma';

/**
 * A document of `docs/` that readers of the pages can use, by its path without `.md`; `api` is the
 * index of `docs/api/`.
 */
export type GuideName =
  | 'analysis'
  | 'recipes'
  | 'harvests'
  | 'api'
  | `api/${ApiPage}`
  | 'quality'
  | 'history'
  | 'publishing'
  | 'assistants'
  | 'coming-from-fpma';

/** What the pages say of one of their words or signs. */
interface TermText {
  readonly title: string;
  /** An abbreviation, spelled out. */
  readonly name?: string;
  /** Two sentences. */
  readonly text: string;
  /** How it is calculated or decided, a line each. */
  readonly rules: readonly string[];
  /** The words by which pages mention it, as they write them. */
  readonly mentions?: readonly string[];
  readonly see: readonly TermSlug[];
  /** A guide that tells more, with the id of its section. */
  readonly guide: GuideName | `${GuideName}#${string}`;
}

/** Every word and sign of the pages that a reader may ask about. */
export const termTexts: Readonly<Record<TermSlug, TermText>> = {
  'price-series': {
    title: 'Price series',
    text: 'The prices of one commodity in one market, of one price type, source, unit and currency, through time. It has a page and an address of its own, which stay when a name in it is corrected.',
    rules: [
      'Prices are comparable within a series: nothing but the date differs.',
      'A new currency or unit makes a new series, unless a maintainer joins the two.',
    ],
    mentions: ['price series'],
    see: ['market', 'commodity', 'price-type', 'identity'],
    guide: 'api/price-series',
  },
  market: {
    title: 'Market',
    text: 'A place where prices are collected: a market of a town, a border crossing, a port. Its region, where it has one, stands before its name at the head of its page.',
    rules: [
      'Distances between markets are straight lines over the globe, in kilometres.',
      'A market without coordinates has no near markets; those of its region stand in their place.',
    ],
    see: ['average-series', 'price-series'],
    guide: 'api/price-series',
  },
  'average-series': {
    title: 'National or regional average',
    text: 'A price that its source has averaged over the markets of a country or region, which market by market is not known. It is never put together with prices of markets, and shown where a country has no others.',
    rules: ['Counts of high prices leave averages out where a market of the country is among the series.'],
    mentions: ['averages of a country', 'national or regional average'],
    see: ['market', 'median', 'share-of-high'],
    guide: 'api/warnings',
  },
  commodity: {
    title: 'Commodity',
    text: 'What is sold, as the source names it: “Maize” and “Maize (white)” are two commodities. Commodities with the same first word or the same heading of the Harmonized System (HS) lead to each other after “Also”.',
    rules: ['Same heading: the first four digits of the HS code, such as 1005 for maize.'],
    see: ['codes', 'not-food', 'price-type'],
    guide: 'api/price-series',
  },
  'price-type': {
    title: 'Price type',
    text: 'Who pays the price: households (retail), traders (wholesale), importers and exporters (import, export), or whoever buys from the farm (producer, farm gate). Prices of different types are never put together.',
    rules: [
      'Retail: at a shop or stall, in small amounts.',
      'Wholesale: between traders, in bags or tonnes.',
      'Export and import: at a port or border.',
      'Producer or farm gate: what farmers get.',
      'A page opens with the type of most fresh series, and leads to the others.',
    ],
    mentions: ['retail', 'Price type'],
    see: ['price-series', 'commodity'],
    guide: 'api/price-series',
  },
  'not-food': {
    title: 'Food, and what is no food',
    text: 'Fuel, wages, exchange rates, tools, soap and the like stand in price files, too, but do not count as food. Shares of high prices are of food alone; pages show the rest apart.',
    rules: [
      'The category of a commodity decides first, then its name, by a documented list of words.',
      'A maintainer can overrule the list for a commodity.',
    ],
    mentions: ['What is no food', 'food prices', 'Food prices'],
    see: ['commodity', 'share-of-high'],
    guide: 'analysis#what-is-food',
  },
  'per-kilogram': {
    title: 'Per kilogram or litre, per unit',
    text: 'Sources publish prices of a bag, a tin, a piece. To compare them, prices are divided by the kilograms or litres of the unit; of a unit without a known weight or volume there is only the published price.',
    rules: [
      'Price per kg = price of the unit ÷ kilograms in the unit.',
      'A bag of 50 kg for 4,500: 4,500 ÷ 50 = 90 per kg.',
      'Kilograms and litres are never put together.',
    ],
    mentions: ['per kg', 'published unit'],
    see: ['median', 'missing'],
    guide: 'api/reference-tables',
  },
  codes: {
    title: 'Codes of countries, currencies and commodities',
    text: 'Countries have three letters (ISO 3166-1: KEN is Kenya), currencies three letters (ISO 4217: KES is the Kenyan shilling). The digits of a commodity in data files are its code in the Harmonized System of customs (HS: 1005 is maize).',
    rules: ['A currency that lost zeros has another code since, such as MRU for MRO.'],
    see: ['commodity', 'exchange-rate', 'identity'],
    guide: 'api/filters',
  },
  source: {
    title: 'Source',
    text: 'The organisation that has published the prices. The service repeats them as they are, says what looks wrong, and names the source beside each series, chart and file.',
    rules: ['Pages that put prices of several sources together say “from all sources”.'],
    see: ['licence', 'finding', 'citation'],
    guide: 'quality',
  },
  licence: {
    title: 'Licence',
    text: 'The terms under which a source lets others use its data. It holds for all series of the source; what is calculated from several sources has to keep to the terms of each.',
    rules: ['CC BY-IGO: use and change the data freely, and name the source.'],
    mentions: ['Licence', 'licences'],
    see: ['source', 'citation'],
    guide: 'publishing#editions',
  },
  sample: {
    title: 'Invented prices',
    text: 'A new service shows a sample: made-up prices of made-up countries, to try it out. As long as it is there, a line at the top of every page and in every picture says so.',
    rules: ['The sample is removed with a command by whoever runs the service.'],
    see: ['source', 'citation'],
    guide: 'recipes',
  },
  frequency: {
    title: 'Frequency: daily, weekly, monthly',
    text: 'How often a series has a price. A week runs from Saturday to Friday and has the date of its Friday; a month has the date of its first day.',
    rules: ['A week belongs to the month that has most of its days: that of its Friday minus three days.'],
    mentions: ['Frequency'],
    see: ['calculated', 'month-not-over'],
    guide: 'api/prices#derived-prices',
  },
  calculated: {
    title: 'Calculated of finer data',
    text: 'Where a source publishes daily or weekly prices, weeks and months are calculated from them. A series with monthly prices of its own has no calculated ones beside them.',
    rules: [
      'Price of a month = mean of its daily prices; without daily ones, of its weekly prices.',
      'A month never mixes both.',
    ],
    see: ['frequency', 'month-not-over'],
    guide: 'api/prices#derived-prices',
  },
  'month-not-over': {
    title: 'Month not over',
    text: 'A calculated month for which prices are still to come: it may change with each of them. Changes, IFPA and ALPS wait until the month is over.',
    rules: [
      'A month is over when there is a daily price of its last day or later, or a weekly one of its last week or later. Only the data count, not the calendar.',
    ],
    see: ['calculated', 'age'],
    guide: 'api/prices#derived-prices',
  },
  age: {
    title: 'Newest prices: how old they are',
    text: 'The month of the newest price on the page, and how many months ago that is today. Sources publish late, so the newest price may be months or years old: everything that a page says of “now” is about that month.',
    rules: ['Age = months from the month of the newest price to the current month.'],
    see: ['fresh', 'old'],
    guide: 'analysis#warnings-by-country',
  },
  fresh: {
    title: 'Fresh',
    text: 'A series is fresh in a month if it has a price in that month or in one of the two before. Only fresh series are counted among high prices; in tables of prices, what is older stands in grey.',
    rules: ['Newest month with a price ≥ month that is looked at − 2.'],
    mentions: ['Fresh', 'fresh'],
    see: ['rated', 'old', 'age'],
    guide: 'analysis#warnings-by-country',
  },
  old: {
    title: 'Old prices',
    text: 'The prices of a country are old if it is more than three months behind the month that a quarter of the countries have reached. It stands in grey at the end, has no share of high prices, and counts in no total.',
    rules: [
      'Each country has a newest month of food prices that is over.',
      'Of these, a quarter of the countries have the month M or a later one.',
      'Old: newest month of the country < M − 3.',
    ],
    mentions: ['old prices'],
    see: ['fresh', 'age', 'share-of-high'],
    guide: 'analysis#warnings-by-country',
  },
  missing: {
    title: '– (no value)',
    text: 'A dash stands where there is no value; it is never a zero. Nothing is filled in: no price of another month or market takes the place of one that is missing.',
    rules: [
      'No price in the month, or none in the month to compare with.',
      'No exchange rate, no consumer price index, or one of another base period.',
      'A unit without a known weight or volume.',
      'Too few years, too many months without a price, or a price that has not moved for a year (IFPA, ALPS).',
    ],
    mentions: ['A dash'],
    see: ['gap', 'rated'],
    guide: 'analysis#why-a-value-is-null',
  },
  'as-published': {
    title: 'As published (nominal)',
    text: 'The price in the money and unit in which its source has published it. It is what people pay, inflation included.',
    rules: ['Nothing is calculated but means of weeks and months.'],
    mentions: ['as published', 'As published'],
    see: ['real', 'us-dollars', 'per-kilogram'],
    guide: 'api/prices',
  },
  real: {
    title: 'In real terms',
    text: 'The price with general inflation taken out, in the money of a base period. It rises only where a food gets dearer faster than everything that households buy.',
    rules: [
      'Real price = price × 100 ÷ consumer price index of the country in that month.',
      '120 in a month with an index of 150: 120 × 100 ÷ 150 = 80, in the money of the base period.',
      'Where an index of the country has another base, it is linked by the months that both have.',
    ],
    mentions: ['in real terms', 'In real terms', 'real price'],
    see: ['consumer-price-index', 'base-period', 'as-published'],
    guide: 'api/dollars-and-real-terms',
  },
  'consumer-price-index': {
    title: 'Consumer price index (CPI)',
    text: 'What households of a country pay for everything they buy, against a base period in which it is 100. It is published by statistics offices, and prices in real terms are calculated with it.',
    rules: [
      'The general index is taken, not that of food.',
      'Food is a large part of it in many countries, which makes real food prices rise less.',
    ],
    mentions: ['consumer price index', 'Consumer price index', 'Consumer price indices'],
    see: ['real', 'base-period'],
    guide: 'api/dollars-and-real-terms',
  },
  'base-period': {
    title: '2015 = 100 (base period)',
    text: 'The time in which an index is 100, and whose money real prices are in. Real prices of two base periods are never put into one chart or table.',
    rules: [
      'Index of a month = 100 × prices of the month ÷ prices of the base period.',
      'A base that has no month in common with the newest one cannot be linked: its real prices are left out.',
    ],
    see: ['real', 'consumer-price-index', 'index-100'],
    guide: 'api/dollars-and-real-terms',
  },
  'us-dollars': {
    title: 'In US dollars',
    text: 'The price divided by the official exchange rate of its own month. It makes countries comparable, but moves with the exchange rate as well as with the price.',
    rules: [
      'Price in US$ = price ÷ (local money per US$).',
      'Without a rate of the currency in the month, the law may fix one: the CFA franc by the euro, the loti by the rand.',
      'A currency that lost zeros is converted by its successor, or by the one before: the level of the price tells the units.',
      'Else there is no price in dollars; no rate of another month is taken.',
    ],
    mentions: ['in US dollars', 'In US dollars', 'US dollars', 'US$'],
    see: ['exchange-rate', 'real', 'as-published'],
    guide: 'api/dollars-and-real-terms',
  },
  'exchange-rate': {
    title: 'Exchange rate',
    text: 'How much local money one US dollar costs, officially, on the mean of a month. Rates of parallel markets are kept, but convert no price.',
    rules: [
      'Rate of a month = the published monthly mean, or else the mean of the daily rates of the month.',
    ],
    mentions: ['exchange rate', 'Exchange rate', 'Exchange rates'],
    see: ['us-dollars'],
    guide: 'api/dollars-and-real-terms',
  },
  median: {
    title: 'Median',
    text: 'The price in the middle: half of the markets are dearer, half are cheaper. One wrong or extreme price does not move it, but it jumps where dear markets join or cheap ones stop reporting.',
    rules: [
      'Prices in order: the middle one; of an even number, the mean of the two in the middle.',
      '3, 4, 5, 9, 30 have the median 5.',
    ],
    mentions: ['median', 'Median'],
    see: ['n', 'index', 'change'],
    guide: 'analysis#prices-of-groups',
  },
  n: {
    title: 'n',
    text: 'How many prices a number is made of: the series with a price in that month. A median of 3 says less than one of 30.',
    rules: ['n = number of series with a price in the month.'],
    mentions: ['Series (n)'],
    see: ['median', 'matched'],
    guide: 'api/aggregates',
  },
  change: {
    title: 'Change in a month, in a year',
    text: 'How much a price has risen (+) or fallen (−) since the month before, or since the same month of the year before. Of many markets, it is that of the markets with a price in both months: a difference of two medians would also move with who reports.',
    rules: [
      'One series: price ÷ price of 12 months before − 1.',
      'Several: the geometric mean of these ratios over the series with both prices, − 1.',
      'In the same month of the year before, the season is the same, too.',
    ],
    mentions: ['since a month and a year before', 'Change in a month', 'In a year'],
    see: ['matched', 'index', 'median'],
    guide: 'analysis#prices-of-groups',
  },
  matched: {
    title: 'The markets with both prices',
    text: 'Markets that have a price in both of the months that are compared. The others say nothing about the change, however many they are.',
    rules: ['“The 12 markets with both prices”: 12 have a price now and 12 months before.'],
    mentions: ['with both prices', 'In the index'],
    see: ['change', 'index', 'n'],
    guide: 'api/aggregates#price-changes',
  },
  index: {
    title: 'Index of the same markets',
    text: 'How prices have moved since a month in which the index is 100, each market compared with itself alone. Markets that come and go do not move it, which the median cannot promise.',
    rules: [
      'Index = index of the month before × geometric mean of (price ÷ price of the month before), over the series with both prices.',
      'It takes three such series at least; a month without them is passed over, up to a year back.',
      'Where no month can be linked, the index begins at 100 again: pages show the newest unbroken time.',
      'Its name in statistics: chained Jevons index.',
    ],
    mentions: ['The index', 'An index', 'Index'],
    see: ['median', 'matched', 'change', 'index-100'],
    guide: 'analysis#prices-of-groups',
  },
  'index-100': {
    title: 'Index, 100 in a month',
    text: 'Lines of very different prices beside each other, each as a percentage of its own price in one month. It shows which has risen more, not which is dearer.',
    rules: ['Index = 100 × price ÷ price of the chosen month.'],
    see: ['index', 'base-period', 'ratio'],
    guide: 'analysis#several-series-side-by-side',
  },
  ratio: {
    title: 'Ratio and difference of two',
    text: 'One price divided by, or less, another: how many kilograms of maize a kilogram of beans buys, what wholesale and retail are apart. A ratio needs no deflator; a difference grows with inflation.',
    rules: [
      'Ratio = first price ÷ second price of the same month.',
      'Difference = first price − second price, in one unit and currency.',
    ],
    see: ['real', 'index-100'],
    guide: 'analysis#several-series-side-by-side',
  },
  high: {
    title: 'High price',
    text: 'A price is high if it is high by IFPA, or alert or crisis by ALPS. High means unusual for this series and time of the year: a dear market is not high because it is dear.',
    rules: ['High: IFPA ≥ 1 or ALPS ≥ 1.', 'Only fresh series count.'],
    mentions: ['High prices', 'high prices'],
    see: ['ifpa', 'alps', 'rated', 'share-of-high'],
    guide: 'api/warnings',
  },
  rated: {
    title: 'Rated',
    text: 'A series can be rated if it is fresh and has a class by IFPA or by ALPS. The others lack what these need: three years of prices, few gaps, or a consumer price index.',
    rules: [
      'IFPA: real prices now, 3 and 12 months before, growth in two earlier years at least, and no gap of more than 3 months.',
      'ALPS: 36 months of prices, and 70 % of the months from the first to the last.',
      '“Too few can be rated”: fewer than three.',
    ],
    mentions: ['Rated', 'rated', 'can rate'],
    see: ['fresh', 'ifpa', 'alps', 'share-of-high'],
    guide: 'analysis#when-to-trust-them',
  },
  ifpa: {
    title: 'IFPA',
    name: 'indicator of food price anomalies',
    text: 'It says how fast a real price has grown in the last three and twelve months, against the growth up to the same month of earlier years, in standard deviations. It is the indicator 2.c.1 of the Sustainable Development Goals: moderate from 0.5 on, high from 1 on.',
    rules: [
      'Growth a month over 3 months = (price ÷ price 3 months before)^(1/3) − 1; over 12 months alike.',
      'Score = (growth − mean of earlier years) ÷ their standard deviation; of n years the newest has the weight n, the oldest 1.',
      'IFPA = 0.4 × score of 3 months + 0.6 × score of 12 months.',
    ],
    mentions: ['IFPA'],
    see: ['alps', 'classes', 'real', 'high'],
    guide: 'analysis#where-ifpa-and-alps-disagree',
  },
  alps: {
    title: 'ALPS',
    name: 'alert for price spikes',
    text: 'It says how far a price, as published, is above what its trend and the season let expect, in standard deviations. It is a method of the World Food Programme: stress from 0.25 on, alert from 1 on, crisis from 2 on.',
    rules: [
      'Expected price = level of the calendar month + trend × months, by least squares over all months up to this one.',
      'ALPS = (price − expected price) ÷ standard deviation of these differences.',
      'Where inflation is high, ALPS shows the inflation; IFPA does not.',
    ],
    mentions: ['ALPS'],
    see: ['ifpa', 'classes', 'season', 'high'],
    guide: 'analysis#where-ifpa-and-alps-disagree',
  },
  classes: {
    title: 'Normal, moderate, high; stress, alert, crisis',
    text: 'The classes into which IFPA (normal, moderate, high) and ALPS (normal, stress, alert, crisis) sort prices. The words say how unusual the number is, not what it means for the people who pay it.',
    rules: [
      'IFPA: moderate from 0.5, high from 1.',
      'ALPS: stress from 0.25, alert from 1, crisis from 2.',
      'Below: normal, also for prices that are unusually low.',
    ],
    mentions: ['alert or crisis'],
    see: ['ifpa', 'alps', 'high', 'standard-deviation'],
    guide: 'api/indicators',
  },
  'standard-deviation': {
    title: 'Standard deviation',
    text: 'How far values usually are from their mean. A price one standard deviation above the mean is unusual, one of two standard deviations is rare.',
    rules: [
      'Of values that scatter as a bell curve, 16 % are more than one standard deviation above the mean, 2 % more than two.',
    ],
    mentions: ['standard deviations'],
    see: ['ifpa', 'alps', 'classes'],
    guide: 'analysis#recomputing-a-number',
  },
  'share-of-high': {
    title: 'Share of high prices',
    text: 'Of the fresh food prices of a country that can be rated, the share that is high: “25% (54 of 218)”. Fewer than three rated prices make no share, and old countries have none.',
    rules: [
      'Share = high ÷ rated.',
      'Countries are counted in their newest month that is over, unless a month is chosen.',
      'Series are counted, nothing is averaged.',
    ],
    mentions: ['Share of rated food prices'],
    see: ['high', 'rated', 'old', 'map'],
    guide: 'analysis#warnings-by-country',
  },
  'five-year-mean': {
    title: 'Against 5-year mean',
    text: 'How much the price is above or below the mean of the same month in the five years before. In prices as published, inflation alone puts most of them above it; in real terms it does not.',
    rules: [
      'Price ÷ mean of the same month in the five years before − 1.',
      'Three of the five years have to have a price.',
    ],
    mentions: ['Against 5-year mean'],
    see: ['five-year-band', 'season', 'real'],
    guide: 'analysis#when-to-trust-them',
  },
  season: {
    title: 'By month of the year (season)',
    text: 'Many foods are cheap after their harvest and dear before the next. The view by month of the year lays the years over each other, so that the season shows and the trend does not hide it.',
    rules: [
      'Lines: the newest three years. Band: from the lowest to the highest price of a month in the five years before the newest.',
    ],
    see: ['five-year-band', 'five-year-mean', 'alps'],
    guide: 'analysis#when-to-trust-them',
  },
  'five-year-band': {
    title: 'Same month, 5 years before (band)',
    text: 'The coloured band behind a line goes from the lowest to the highest price of the same month in the five years before. A line above it is dearer than in any of them.',
    rules: ['Three of the five years have to have a price; else the band has a gap.'],
    see: ['season', 'five-year-mean'],
    guide: 'analysis#when-to-trust-them',
  },
  trend: {
    title: 'Small line (two or three years)',
    text: 'The small line in a table shows how a price has moved, each from its own lowest to its own highest value. It has no scale: compare its shape with others, not its height.',
    rules: ['Up to 24 newest months (36 in “Browse series”), with gaps where there is no price.'],
    mentions: ['Two years', '3 years'],
    see: ['axes', 'gap'],
    guide: 'analysis#prices-of-groups',
  },
  gap: {
    title: 'Gap in a line',
    text: 'A line ends where months, weeks or days have no price, and goes on with the next price. Nobody knows what happened in between, so nothing is drawn there.',
    rules: ['Monthly prices: a gap where a month is missing.'],
    see: ['missing', 'frequency'],
    guide: 'analysis#why-a-value-is-null',
  },
  edge: {
    title: 'Number at the edge of a chart',
    text: 'A few extreme values, often errors, would flatten the rest of a line. They are marked at the edge, with their number, and the scale is that of the others.',
    rules: [
      'Beyond the edge: more than 3 times the 98th percentile (of few values: the second highest).',
      'IFPA and ALPS: beyond 6 and −6.',
    ],
    mentions: ['marked at the edge'],
    see: ['finding', 'scale'],
    guide: 'quality#rules-on-points-and-records',
  },
  marks: {
    title: 'Circle and square in a line',
    text: 'A circle marks a price that something looks wrong about, a square one that a maintainer has corrected. The table below the chart says what, in its column of remarks.',
    rules: ['Prices with a mark are shown as they are: no rule hides or alters one.'],
    mentions: ['A circle'],
    see: ['finding', 'correction'],
    guide: 'quality#findings',
  },
  axes: {
    title: 'Charts beside each other',
    text: 'Charts of one unit beside each other have the same dates and the same values, so heights can be compared. Where units differ, each has values of its own from 0, and a sentence says so.',
    rules: ['A chart alone begins where its values do, if they vary little; its axis has the numbers.'],
    mentions: ['the same axes', 'values of its own'],
    see: ['scale', 'trend'],
    guide: 'analysis#several-series-side-by-side',
  },
  scale: {
    title: 'Linear and logarithmic scale',
    text: 'On a linear scale equal heights are equal amounts of money, on a logarithmic one equal percentages. The logarithmic scale shows rises of cheap and of dear times alike, and has no 0.',
    rules: ['Offered where the highest price is 50 times the lowest, or more.'],
    mentions: ['logarithmic scale'],
    see: ['axes', 'edge'],
    guide: 'analysis#several-series-side-by-side',
  },
  map: {
    title: 'Map of high prices',
    text: 'Countries are darker the larger the share of their high prices is; grey ones have too few rated prices, or old ones. Borders and names imply no opinion about any country or territory.',
    rules: ['Steps: below 5 %, 15 %, 30 %, 50 %, and from 50 % on.'],
    see: ['share-of-high', 'rated', 'old'],
    guide: 'analysis#warnings-by-country',
  },
  finding: {
    title: 'Finding (what looks wrong)',
    text: 'Rules look for what is probably an error: a price ten times its neighbours, a decimal point that slipped, two markets that are one. A finding changes no price; a maintainer corrects it, or dismisses the finding with a reason.',
    rules: [
      'error: likely wrong. look: worth a look. info: good to know.',
      'It is open until it no longer holds, is corrected, or is dismissed.',
    ],
    mentions: ['Rules have found this', 'Open findings'],
    see: ['correction', 'marks', 'source'],
    guide: 'quality',
  },
  correction: {
    title: 'Correction',
    text: 'A price that a maintainer has set in place of the one that the source has published, for a reason that is kept. It holds when the source publishes the same file again, and can be withdrawn.',
    rules: ['The price of the source stands beside the corrected one.'],
    mentions: ['Corrections can be withdrawn'],
    see: ['finding', 'versions', 'change-set'],
    guide: 'history#a-correction-survives-next-months-file',
  },
  'change-set': {
    title: 'What came in: imports and other changes',
    text: 'Each import of a file, correction, merge or other change of the data is kept with its time and reason. It can be looked at, and reverted (undone) as a whole.',
    rules: ['Times are UTC.'],
    mentions: ['Imports, corrections and other changes'],
    see: ['revision', 'correction', 'source'],
    guide: 'history#states-of-the-data',
  },
  revision: {
    title: 'Revision',
    text: 'The number of a state of the data: it grows by one with each change that is published. Whoever names it shows later which numbers were meant.',
    rules: ['Revision r1234 shows what the service knew after its 1,234th change.'],
    mentions: ['Revision', 'revision'],
    see: ['as-of', 'citation', 'versions'],
    guide: 'history#states-of-the-data',
  },
  'as-of': {
    title: 'As known on a date, link to this state',
    text: 'Every page can show what was known at an earlier revision or on an earlier day. A link to a state shows the same numbers for ever, whatever is corrected later.',
    rules: [
      'as_of=r1234 in the address: revision 1234. as_of=2026-11-20: the end of that day, UTC.',
      'Names of markets and commodities are those of today.',
    ],
    see: ['revision', 'citation'],
    guide: 'history#as-of-a-date',
  },
  versions: {
    title: 'Versions',
    text: 'A price that is replaced or removed is kept as an earlier version, with when it was known. So a later correction can be told from a later price.',
    rules: ['A version holds from one revision until another one.'],
    mentions: ['Versions'],
    see: ['revision', 'correction', 'as-of'],
    guide: 'history#versions-and-differences',
  },
  citation: {
    title: 'How to cite',
    text: 'Name the source, this service, the revision and the link to the state: others then find the numbers that you have seen. Each page has the line ready, for papers and articles.',
    rules: ['Source: what it shows. Price Data Service, revision. Address with as_of.'],
    mentions: ['To cite'],
    see: ['revision', 'edition', 'licence'],
    guide: 'publishing#editions',
  },
  edition: {
    title: 'Edition',
    text: 'All data of one revision as files that never change, to be cited and read for years. SHA256SUMS has the digests by which anyone can check that a file is the one that was published.',
    rules: ['sha256sum --check SHA256SUMS'],
    mentions: ['Files of the data'],
    see: ['revision', 'citation', 'formats'],
    guide: 'publishing#editions',
  },
  formats: {
    title: 'CSV, Excel, Parquet, JSON, NDJSON',
    text: 'The same rows in files for different programs: CSV and Excel for spreadsheets, Parquet for pandas, R and DuckDB, JSON and NDJSON for programs. “A row each” has one price in each row; “series across” has a column for each series.',
    rules: ['A workbook takes up to 500,000 cells: what does not fit is said before the click.'],
    see: ['api', 'edition'],
    guide: 'publishing#formats',
  },
  api: {
    title: 'API call',
    text: 'The address from which a program gets the numbers of a page, and one line each that reads it with Python, R or Excel. No key is needed.',
    rules: ['curl fetches an address on the command line.'],
    mentions: ['As an API call'],
    see: ['formats', 'identity'],
    guide: 'api',
  },
  identity: {
    title: 'Identity (uuid)',
    text: 'The 36 characters in the address of a series, by which programs know it. They stay the same when a market or commodity gets another name, and are the same on every server that has read the same file.',
    rules: [
      'Given by the source, or made of country, region, market, commodity, price type, source, unit and currency.',
    ],
    mentions: ['Identity', 'uuid'],
    see: ['price-series', 'codes'],
    guide: 'api/price-series',
  },
  embed: {
    title: 'Chart on another site',
    text: 'A few words of HTML put a chart of this service into another page, where it shows the newest data. With as_of in the address it stays as it is.',
    rules: ['The frame loads no scripts, and fits widths from 320 to 1,200 pixels.'],
    see: ['as-of', 'licence'],
    guide: 'publishing',
  },
};
