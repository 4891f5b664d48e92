import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import {
  choice,
  flag,
  many,
  one,
  type Parameter,
  ParseError,
  type ValueParser,
} from '../../platform/validation/parsers.js';
import { listQuery, requireFields, requireSortColumns } from '../../platform/listing/list-parameters.js';
import type { Sort } from '../../platform/listing/sort.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { PriceView } from '../../prices/prices.service.js';
import {
  contradiction,
  month,
  observationParameters,
  type ObservationRange,
  observationRange,
  priceParameters,
} from '../analysis.parameters.js';
import { explainParameter, explainViolations } from '../explain/explain.parameters.js';
import { ALPS_WINDOWS } from '../methods/alps.js';
import { IFPA_MODES } from '../methods/growth-rates.js';
import { INDICATOR_FIELDS, type IndicatorField } from './indicator-fields.js';
import { indicatorTableColumns } from './indicator-listing.js';
import { DEFAULT_SETTINGS, type IndicatorSettings } from './indicator-settings.js';

/** The January of a year, `YYYY-01`. */
const january: ValueParser<string> = {
  parse: (text) =>
    /^[1-9][0-9]{3}-01$/.test(text)
      ? text
      : new ParseError('invalid_date', 'must be the January of a year, written YYYY-01.'),
  schema: { type: 'string', pattern: '^[1-9][0-9]{3}-01$' },
};

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;

/** A number from 0 to 1. */
const share: ValueParser<number> = {
  parse(text) {
    if (!NUMBER.test(text)) return new ParseError('invalid_number', 'must be a number from 0 to 1.');
    const value = Number(text);
    return value >= 0 && value <= 1
      ? value
      : new ParseError('out_of_range', 'must be between 0 and 1.', { min: 0, max: 1 });
  },
  schema: { type: 'number', minimum: 0, maximum: 1 },
};

/** A fixed number of thresholds, each greater than the one before. */
function thresholds(count: number, description: string): Parameter<number[]> {
  return {
    description,
    schema: { type: 'number' },
    list: true,
    parse(name, values) {
      const items = values.flatMap((text) => text.split(',')).map((text) => text.trim());
      const numbers = items.map((text) => (NUMBER.test(text) ? Number(text) : NaN));
      const ascending = numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
      if (items.length === count && ascending && numbers.every(Number.isFinite)) return { value: numbers };
      const detail = `${name} must be ${count} numbers, each greater than the one before, separated by commas.`;
      return { violations: [{ in: 'query', name, code: 'invalid_item', detail }] };
    },
  };
}

/** What indicators are calculated with. */
export const settingParameters = {
  ...priceParameters,
  ifpa_mode: one(
    choice(IFPA_MODES),
    "How IFPA treats missing growth rates of earlier years: `standard` (the default) leaves them out, `fpma` counts them as FAO's FPMA tool does.",
  ),
  history_from: one(january, 'The January, `YYYY-01`, from which the history of IFPA counts.'),
  alps_window: one(
    choice(ALPS_WINDOWS),
    'What ALPS is fitted to: the months up to each month (`realtime`, the default), or the whole series (`full`).',
  ),
  fit_until: one(month, 'The last month, `YYYY-MM`, that ALPS is fitted to.'),
  break_date: one(month, 'The month, `YYYY-MM`, from which prices are on another level, for ALPS.'),
  gamma: one(share, 'The weight of the quarterly part of IFPA; 0.4 unless given.'),
  ifpa_thresholds: thresholds(2, 'From where IFPA is `moderate` and `high`; 0.5,1 unless given.'),
  alps_thresholds: thresholds(3, 'From where ALPS is `stress`, `alert` and `crisis`; 0.25,1,2 unless given.'),
  allow_gaps: one(flag, 'Whether IFPA allows more than three missing months in a row.'),
};

const query = new QuerySchema(
  {
    ...observationParameters,
    indicators: many(choice(INDICATOR_FIELDS), 'Only these fields of the observations.'),
    annual: one(flag, 'Years in place of months: the mean of the IFPA of their months.'),
    ...settingParameters,
    explain: explainParameter,
  },
  { ranges: [['start_date', 'end_date']] },
);

/** The columns of months, then those that only years have. */
const columns = [
  ...indicatorTableColumns(false, INDICATOR_FIELDS),
  ...indicatorTableColumns(true, []).filter(({ name }) =>
    ['year', 'n_months', 'partial', 'ifpa'].includes(name),
  ),
];

/** The query of the indicators of one series. */
export const indicatorQuery = listQuery(query, columns);

/** Which indicators of a series are requested. */
export interface IndicatorRequest extends ObservationRange {
  settings: IndicatorSettings;
  view: PriceView;
  /** In the order of the observation. */
  fields: readonly IndicatorField[];
  annual: boolean;
  explain: boolean;
  /** Of observations, by their columns; none for the newest first. */
  sort?: Sort;
}

/**
 * Turns the query of the indicators of a series into an `IndicatorRequest`.
 * @throws ValidationError for parameters that contradict each other
 */
export function indicatorRequest({
  values,
  format,
}: ParsedQuery<typeof indicatorQuery.parameters>): IndicatorRequest {
  const { indicators, annual = false } = values;
  const violations = [...settingViolations(values), ...explainViolations(values.explain, format)];
  const others = indicators?.filter((name) => name !== 'ifpa') ?? [];
  if (annual && others.length > 0)
    violations.push(
      ...contradiction(
        ['annual', 'indicators'],
        `annual=true has no other indicator than ifpa; got ${others.join(', ')}.`,
      ),
    );
  if (violations.length > 0) throw new ValidationError(violations);
  const fields = INDICATOR_FIELDS.filter((name) => indicators?.includes(name) ?? true);
  const shown = indicatorTableColumns(annual, fields);
  requireSortColumns(values.sort, shown);
  requireFields(values.fields, shown);
  return {
    settings: settingsOf(values),
    ...observationRange(values),
    view: { asOf: values.as_of, firstPublished: false },
    fields,
    annual,
    explain: values.explain ?? false,
    sort: values.sort,
  };
}

type SettingValues = QueryValues<typeof settingParameters>;

/** Settings that contradict each other. */
export function settingViolations({ fit_until, break_date }: SettingValues): Violation[] {
  if (fit_until === undefined || break_date === undefined || break_date <= fit_until) return [];
  const detail = `break_date (${break_date}) must not be after fit_until (${fit_until}): no month after it is fitted.`;
  return contradiction(['fit_until', 'break_date'], detail);
}

/** The settings that the parameters describe. */
export function settingsOf(values: SettingValues): IndicatorSettings {
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof IndicatorSettings)[];
  const given = names.map((name): [string, unknown] => [name, values[name] ?? DEFAULT_SETTINGS[name]]);
  return Object.fromEntries(given) as unknown as IndicatorSettings;
}
