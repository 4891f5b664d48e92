import { RATE_BASES } from '../prices/derive/currency-rates.js';
import { arrayOf, objectOf, ref, type Schema } from '../platform/validation/schema.js';
import { date, integer, numberOrNull, periods, text, uuid } from './schema-parts.js';

const formulas: Schema = {
  type: 'object',
  description: 'How each number is made, in the names of its explanation',
  additionalProperties: { type: 'string' },
};
const number = (description: string): Schema => ({ type: 'number', description });
const nullOr = (name: string): Schema => ({ oneOf: [ref(name), { type: 'null' }] });
const calendarMonth = integer('1 for January');

/** A price as it is used, not rounded. */
const price = { date, value: numberOrNull('Not rounded; null where the month has none') };
const usedPrice = objectOf(price);
const usedPrices = arrayOf(usedPrice);
const change = objectOf({ price: usedPrice, before: usedPrice });

const fiveYears = {
  prices: { ...usedPrices, description: 'Of the years before that have one, newest first' },
  n: integer(),
  mean: numberOrNull('Σ prices ÷ n'),
};
const growthRate = {
  ...price,
  before: numberOrNull('The price `months` earlier'),
  growth_rate: numberOrNull('Per month; null where a price is missing'),
};
const growth = objectOf({
  months: integer('3 or 12'),
  ...growthRate,
  history: {
    ...arrayOf(objectOf({ ...growthRate, weight: number('Rank ÷ sum of ranks') })),
    description: 'The same calendar month of earlier years, oldest first',
  },
  n: integer('Years that have a weight'),
  mean: number('Weighted mean of the history'),
  sd: number('Its weighted standard deviation'),
  score: number('(growth_rate − mean) ÷ sd'),
});
const alpsFit = objectOf({
  first_month: date,
  last_month: date,
  n: integer('Fitted months'),
  alpha: number('The trend per month'),
  step: number('The level that is added from the break on'),
  sd: number('Standard deviation of the residuals, with divisor n − 1'),
  calendar_months: {
    ...arrayOf(
      objectOf({
        calendar_month: calendarMonth,
        n: integer(),
        t: numberOrNull('Months since the first fitted one'),
        price: numberOrNull('In the unit of the prices'),
        after_break: numberOrNull('1 from the break on, 0 before'),
      }),
    ),
    description: 'Means over the fitted months of January to December',
  },
});

const FIELDS: Record<string, Schema> = {
  value: objectOf({ price: usedPrice }),
  change_1m: change,
  change_3m: change,
  change_12m: change,
  mean_5y: objectOf(fiveYears),
  mean_5y_years: objectOf(fiveYears),
  against_mean_5y: objectOf({ price: usedPrice, ...fiveYears }),
  seasonal_index: objectOf({ calendar_month: calendarMonth }),
  volatility_12m: objectOf({
    log_changes: arrayOf(
      objectOf({
        ...price,
        before: numberOrNull('Of the month before'),
        log_change: number('ln value − ln before'),
      }),
    ),
    n: integer(),
    mean: number('Of the log changes'),
  }),
  ifpa: ref('IfpaExplanation'),
  alps: objectOf({
    ...price,
    calendar_month: calendarMonth,
    t: integer('Months since the first fitted one'),
    after_break: integer('1 from the break on, 0 before'),
    expected: number('What trend and season let expect'),
    fit: alpsFit,
  }),
};

/** What numbers were calculated from, as `explain=true` adds it to replies. */
export const explanationSchemas: Record<string, Schema> = {
  PointExplanation: objectOf({
    stored_points: arrayOf(ref('StoredPointPart')),
    exchange_rate: nullOr('RateExplanation'),
    index: nullOr('IndexRecord'),
  }),
  StoredPointPart: objectOf({
    uuid: { ...uuid, type: ['string', 'null'] },
    date,
    periodicity: periods,
    price_value: number('As stored'),
    factor: number('What it is multiplied by in the series that shows it'),
    change_set_id: integer('The change set that made it known'),
  }),
  RateExplanation: objectOf({
    basis: { enum: RATE_BASES.filter((basis) => basis !== 'unclear') },
    rate: number('Units of the currency of the price per US dollar'),
    currency: text('Of the rows'),
    units: number('rate = units × mean of the rates of rows'),
    reference: { type: ['string', 'null'], description: 'The law behind the units' },
    rows: arrayOf(
      objectOf({
        id: integer(),
        currency: text(),
        date,
        period: { enum: ['daily', 'monthly'] },
        rate: number('Units per US dollar'),
        source: text('Who has published it'),
      }),
    ),
  }),
  IndexRecord: objectOf({
    id: integer(),
    iso3_country_code: text(),
    date,
    base_period: text(),
    value: number('Above 0'),
    source: text('Who has published it'),
    link: nullOr('IndexLink'),
  }),
  IndexLink: objectOf({
    base_period: text('That real prices are in terms of; without a link, the one of the index itself'),
    factor: number('What `value` is multiplied by: mean of the newer index ÷ mean of this one'),
    months: {
      ...objectOf({ n: integer(), first: date, last: date }),
      description: 'The months that both have, of which the means are',
    },
  }),
  PriceExplanation: objectOf({
    date,
    price_value: number('The mean of the stored prices × their factors'),
    n: integer('Stored prices'),
    stored_points: arrayOf(ref('StoredPointPart')),
    price_value_dollar: numberOrNull('Null where no dollars are used'),
    exchange_rate: nullOr('RateExplanation'),
    price_value_real: numberOrNull('Null where no real prices are used'),
    index: nullOr('IndexRecord'),
    us_index: nullOr('IndexRecord'),
    value: numberOrNull('As `measure` and `per` say'),
  }),
  SeriesExplanation: objectOf({
    uuid,
    currency: text(),
    measure_unit: text(),
    unit_factor: numberOrNull('Price × factor = price per kilogram or litre'),
    prices: { ...arrayOf(ref('PriceExplanation')), description: 'All that are used, oldest first' },
  }),
  IfpaExplanation: objectOf({
    gamma: number('The weight of the quarterly part'),
    quarterly: growth,
    annual: growth,
    value: number('Not rounded'),
  }),
  ObservationExplanation: {
    ...objectOf(FIELDS, Object.keys(FIELDS)),
    description: 'By field; fields that are null have none',
  },
  YearExplanation: objectOf({ months: arrayOf(objectOf({ date, ifpa: ref('IfpaExplanation') })) }),
  AggregateExplanation: objectOf({
    prices: arrayOf(
      objectOf({
        uuid,
        value: number('Of the period, not rounded'),
        before: numberOrNull('Of `linked_from`, where the index compares both'),
      }),
    ),
    linked_from: { type: ['string', 'null'], format: 'date' },
    linked_value: numberOrNull('The index of `linked_from`, not scaled; 100 where a segment begins'),
    scale: numberOrNull('What the index is multiplied by so that `base` is 100'),
  }),
  GroupExplanation: objectOf({ formulas, series: arrayOf(ref('SeriesExplanation')) }),
  ComparisonExplanation: objectOf({
    formulas,
    series: { ...arrayOf(ref('SeriesExplanation')), description: 'a and b' },
  }),
  IndicatorsExplanation: objectOf({
    formulas,
    seasonal: {
      type: ['array', 'null'],
      description: 'January to December; null where `seasonal_index` is not asked for or cannot be had',
      items: objectOf({
        calendar_month: calendarMonth,
        ratios: arrayOf(
          objectOf({
            ...price,
            moving_average: number('Centred, 2 × 12 months'),
            ratio: number('value ÷ moving_average'),
          }),
        ),
        mean: number('Of the ratios'),
      }),
    },
    series: arrayOf(ref('SeriesExplanation')),
  }),
};
