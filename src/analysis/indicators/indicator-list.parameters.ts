import { ValidationError } from '../../platform/errors/api-error.js';
import type { ParsedQuery } from '../../platform/http/params.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import type { Sort } from '../../platform/listing/sort.js';
import { type PageRequest, pageParameters, requestedPage } from '../../platform/listing/page.js';
import { choice, decimal, flag, many, MAX_ITEMS, one } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { pricedSeriesFilters, seriesRanges } from '../../prices/prices.parameters.js';
import type { PriceView } from '../../prices/prices.service.js';
import { contradiction, month, monthNumber } from '../analysis.parameters.js';
import { anyGoodsFilter } from '../goods.parameter.js';
import { ALPS_CLASSES, type AlpsClass } from '../methods/alps.js';
import { IFPA_CLASSES, type IfpaClass } from '../methods/ifpa.js';
import { INDICATOR_FIELDS, type IndicatorField } from './indicator-fields.js';
import { indicatorRowColumns } from './indicator-row-listing.js';
import { DEFAULT_SETTINGS, type IndicatorSettings } from './indicator-settings.js';
import { settingParameters, settingsOf, settingViolations } from './indicator.parameters.js';

/** The fields that a list can be ordered by. */
const ORDERS = [
  'ifpa',
  'alps',
  'change_1m',
  'change_3m',
  'change_12m',
  'against_mean_5y',
  'volatility_12m',
] as const;
type OrderField = (typeof ORDERS)[number];

/** What selects the series that are listed. */
const listedSeries = { ...pricedSeriesFilters, ...anyGoodsFilter };

const query = new QuerySchema(
  {
    month: one(month, 'This month, `YYYY-MM`, in place of the newest; of up to 10,000 series.'),
    as_of: asOfParameter,
    indicators: many(choice(INDICATOR_FIELDS), 'Only these fields.'),
    ifpa_class: many(choice(IFPA_CLASSES), 'Only series whose IFPA is of these classes.'),
    alps_class: many(choice(ALPS_CLASSES), 'Only series whose ALPS is of these classes.'),
    fresh: one(flag, 'Only series whose newest month is (is not) within two months of that of their source.'),
    min_change_12m: one(
      decimal,
      'Only series whose price has changed by this or more in twelve months (0.1 for 10 %).',
    ),
    max_change_12m: one(decimal, 'Only series whose price has changed by this or less in twelve months.'),
    order: one(
      choice(ORDERS.flatMap((field) => [field, `-${field}`] as const)),
      'Ascending order, or descending with `-`; nulls last, then by uuid. By default the order of the series lists.',
    ),
    ...settingParameters,
    ...listedSeries,
    ...pageParameters,
  },
  { ranges: seriesRanges },
);

/** The query of the newest indicators of several series. */
export const indicatorListQuery = listQuery(query, indicatorRowColumns(INDICATOR_FIELDS));

/** Which indicators of which series are requested. */
export interface IndicatorListRequest {
  criteria: Criteria;
  settings: IndicatorSettings;
  /** The parameters for which indicators are calculated anew; without any, they are in memory. */
  calculatedFor: readonly string[];
  /** The month number; null for the newest of each series. */
  month: number | null;
  view: PriceView;
  fields: readonly IndicatorField[];
  ifpaClasses: readonly IfpaClass[] | null;
  alpsClasses: readonly AlpsClass[] | null;
  fresh: boolean | null;
  minChange: number;
  maxChange: number;
  order: { field: OrderField; descending: boolean } | null;
  /** By columns of the list, in place of `order`. */
  sort: Sort;
  page: PageRequest | null;
}

/**
 * Turns the query of a list of indicators into an `IndicatorListRequest`.
 * @throws ValidationError for parameters that contradict each other
 */
export function indicatorListRequest({
  values,
  format,
}: ParsedQuery<typeof indicatorListQuery.parameters>): IndicatorListRequest {
  const {
    indicators,
    order,
    min_change_12m: minChange = -Infinity,
    max_change_12m: maxChange = Infinity,
  } = values;
  const violations = settingViolations(values);
  if (minChange > maxChange)
    violations.push(
      ...contradiction(
        ['min_change_12m', 'max_change_12m'],
        `min_change_12m (${minChange}) must not be greater than max_change_12m (${maxChange}).`,
      ),
    );
  if (order !== undefined && values.sort !== undefined)
    violations.push(...contradiction(['order', 'sort'], 'Leave out order or sort: both order the list.'));
  if (violations.length > 0) throw new ValidationError(violations);
  const settings = settingsOf(values);
  return {
    criteria: Criteria.of(listedSeries, values),
    settings,
    calculatedFor: [
      ...(['month', 'as_of'] as const).filter((name) => values[name] !== undefined),
      ...changedSettings(settings),
    ],
    month: values.month === undefined ? null : monthNumber(values.month),
    view: { asOf: values.as_of, firstPublished: false },
    fields: INDICATOR_FIELDS.filter((name) => indicators?.includes(name) ?? true),
    ifpaClasses: values.ifpa_class ?? null,
    alpsClasses: values.alps_class ?? null,
    fresh: values.fresh ?? null,
    minChange,
    maxChange,
    order:
      order === undefined
        ? null
        : { field: order.replace('-', '') as OrderField, descending: order.startsWith('-') },
    sort: values.sort ?? [],
    page: requestedPage(values, format, values.uuid__in ? MAX_ITEMS : undefined),
  };
}

/** The names of the settings that are other than the default. */
function changedSettings(settings: IndicatorSettings): string[] {
  const names = Object.keys(settings) as (keyof IndicatorSettings)[];
  return names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(DEFAULT_SETTINGS[name]));
}
