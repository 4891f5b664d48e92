import { asOfParameter } from '../ledger/revision/as-of.js';
import { dayFromIso } from '../lib/dates/calendar-date.js';
import type { Violation } from '../platform/errors/api-error.js';
import {
  choice,
  date,
  integer,
  MAX_ID,
  one,
  ParseError,
  type ValueParser,
} from '../platform/validation/parsers.js';
import type { QueryValues } from '../platform/validation/query-schema.js';
import { type Aggregation, AGGREGATIONS } from './methods/aggregation.js';
import { MEASURES, PER } from './price-columns.js';

const MONTH = /^[1-9][0-9]{3}-(0[1-9]|1[0-2])$/;

/** A month, `YYYY-MM`, or a date in it; returned as `YYYY-MM`. */
export const month: ValueParser<string> = {
  parse: (text) =>
    MONTH.test(text) || dayFromIso(text) !== null
      ? text.slice(0, 7)
      : new ParseError('invalid_date', 'must be a month written YYYY-MM, or a date in it.'),
  schema: { type: 'string', pattern: '^[1-9][0-9]{3}-(0[1-9]|1[0-2])(-[0-9]{2})?$' },
};

/** The month number of a month written `YYYY-MM`. */
export const monthNumber = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;

/** In which money, and per how much, prices are given. */
export const priceParameters = {
  measure: one(
    choice(MEASURES),
    'Prices as published (`nominal`, the default), in real terms by the general consumer price index, in US dollars, or in real dollars.',
  ),
  per: one(choice(PER), 'Per published unit (the default), or per kilogram or litre (`base`).'),
};

/** Which observations are shown, and of which state of the data. */
export const observationParameters = {
  start_date: one(date, 'Observations of this date or later.'),
  end_date: one(date, 'Observations of this date or earlier.'),
  latest: one(integer(1, MAX_ID), 'Only the newest observations, at most this many.'),
  as_of: asOfParameter,
};

/** The observations that the parameters choose. */
export interface ObservationRange {
  /** Days. */
  from: number;
  to: number;
  latest: number;
}

/** The observations that the parameters choose; all without them. */
export const observationRange = (values: QueryValues<typeof observationParameters>): ObservationRange => ({
  from: values.start_date === undefined ? 0 : dayFromIso(values.start_date)!,
  to: values.end_date === undefined ? Infinity : dayFromIso(values.end_date)!,
  latest: values.latest ?? Infinity,
});

/** What quarters and years are made of. */
export const aggregationParameter = one(
  choice(AGGREGATIONS),
  'What a quarter or year of a series is of its months: their mean (`avg`, the default), the last, the least, the greatest or the median.',
);

/** Days, weeks and months are as they are served: nothing is aggregated. */
export function aggregationViolations(
  aggregation: Aggregation | undefined,
  periodicity: string,
): Violation[] {
  if (aggregation === undefined || periodicity === 'quarterly' || periodicity === 'annual') return [];
  return contradiction(
    ['aggregation', 'periodicity'],
    `aggregation is of quarters and years: periodicity must be quarterly or annual; got ${periodicity}.`,
  );
}

/** Parameters that contradict each other. */
export const contradiction = (names: readonly string[], detail: string): Violation[] =>
  names.map((name) => ({ in: 'query', name, code: 'contradiction', detail }));
