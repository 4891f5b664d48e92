import type { Type } from '@nestjs/common';
import { AGGREGATE_REASONS } from '../analysis/aggregates/group-calculation.js';
import { AGGREGATE_PERIODS } from '../analysis/aggregates/group-prices.js';
import { AGGREGATIONS } from '../analysis/methods/aggregation.js';
import { FORMULAS } from '../analysis/comparisons/comparability.js';
import { COMPARED_FIELDS } from '../analysis/comparisons/comparison.service.js';
import { INDICATOR_FIELDS } from '../analysis/indicators/indicator-fields.js';
import { ALPS_CLASSES, ALPS_WINDOWS } from '../analysis/methods/alps.js';
import { IFPA_MODES } from '../analysis/methods/growth-rates.js';
import { IFPA_CLASSES } from '../analysis/methods/ifpa.js';
import { REASONS } from '../analysis/methods/reason.js';
import { MEASURES, PER } from '../analysis/price-columns.js';
import { COUNTED_ALPS, COUNTED_IFPA } from '../analysis/warnings/warning-listing.js';
import { RATE_BASES } from '../prices/derive/currency-rates.js';
import { FindingCount } from '../quality/finding-counts.js';
import { FindingRule } from '../quality/finding-rules.js';
import { Finding, FindingPatch } from '../quality/finding.dto.js';
import { SEVERITIES } from '../ledger/findings/finding.js';
import { violationCodes, problemCodes } from '../platform/errors/problem-codes.js';
import { componentName, fieldsOf, wholeSchemaOf } from '../platform/validation/field.js';
import { arrayOf, objectOf, ref, type Schema } from '../platform/validation/schema.js';
import { DATE_ORDERS } from '../import/formats/convention/date-order.js';
import { DECIMAL_SIGNS } from '../import/formats/convention/number-signs.js';
import { EDITION_STATES } from '../editions/edition-record.js';
import { EditionDto } from '../editions/edition.dto.js';
import { CORRECTION_STATES } from '../ledger/corrections/correction.js';
import { CHANGE_SET_KINDS, CHANGE_SET_STATES } from '../ledger/changes/change-set.js';
import { AccountPatchDto } from '../auth/accounts/account.dto.js';
import { roles } from '../platform/http/routes/access-rules.js';
import { ALIASED_TABLES } from '../reference/aliases/alias.dto.js';
import { facets } from '../price-series/facets/facet-values.js';
import { RecordMergeDto } from '../price-series/merging/record-merge.controller.js';
import { SeriesMergeDto } from '../prices/joins/series-merge.dto.js';
import type { ReferenceTable } from '../reference/base/reference-table.js';
import { explanationSchemas } from './explanation-schemas.js';
import {
  date,
  flag,
  instant,
  integer,
  numberOrNull,
  orNull,
  periods,
  text,
  uuid,
  wideInteger,
} from './schema-parts.js';

/** The schemas of classes by their names. */
const components = (...shapes: Type[]): Record<string, Schema> =>
  Object.fromEntries(shapes.map((shape) => [componentName(shape), wholeSchemaOf(shape)]));

const countsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, integer()]));

/** A part of how an input is written, with the line that showed it. */
const decided = (values: readonly string[], description: string): Schema => ({
  ...objectOf({
    is: { type: 'string', enum: values },
    line: {
      type: ['integer', 'null'],
      description: 'The line that showed it; null where the import says it',
    },
  }),
  type: ['object', 'null'],
  description: `${description}; null where no value shows it`,
});

const serieProperties: Record<string, Schema> = {
  uuid,
  iso3_country_code: text(),
  country_name: text(),
  commodity: text('Name of the commodity'),
  commodity_id: integer(),
  hs_code: text('Harmonized System code; empty if unknown'),
  category: text(),
  price_type: text('Name of the price type'),
  price_type_id: integer(),
  market: text('Name of the market'),
  market_id: integer(),
  market_type: text(),
  admin_unit: text(),
  admin_unit2: text(),
  latitude: numberOrNull('Degrees north'),
  longitude: numberOrNull('Degrees east'),
  source: text('Name of the source'),
  source_id: integer(),
  currency: text('Code of the currency'),
  measure_unit: text('Name of the unit'),
  measure_unit_id: integer(),
  conversion_factor: numberOrNull('Price × factor = price per kilogram or litre'),
  regional_average: flag('True for the average of a country or region'),
  last_price_date: { type: ['string', 'null'], format: 'date' },
  periodicity: arrayOf(ref('Period')),
};

/** What every item of the change feed has. */
const changeProperties: Record<string, Schema> = {
  revision: wideInteger(),
  at: instant,
  change_set_id: integer(),
  kind: { type: 'string', enum: CHANGE_SET_KINDS },
};
const action: Schema = { type: 'string', enum: ['created', 'changed', 'removed'] };
const pointOrNull: Schema = {
  ...objectOf({ price_value: { type: 'number' }, comment: text(), calculated: { type: 'boolean' } }),
  type: ['object', 'null'],
};

const datapointProperties: Record<string, Schema> = {
  id: wideInteger('Stable on one server'),
  price_value: { type: 'number' },
  price_value_real: numberOrNull(
    'Real price, in terms of the latest base period of the consumer price index that it can be linked to',
  ),
  price_value_dollar: numberOrNull('Price in US dollars'),
  conversion_factor: numberOrNull('Price × factor = price per kilogram or litre'),
  date,
  periodicity: periods,
  comment: text(),
};

/** With `rate_basis=true` only. */
const rateBasis: Schema = {
  enum: [...RATE_BASES, null],
  description: 'What the price in dollars is based on; null where there is no rate. On request.',
};

/** With `index_base=true` only. */
const indexBase: Schema = {
  type: ['string', 'null'],
  description: 'Base period that the real price is in terms of; null where there is no index. On request.',
};

/** The base period of real prices that are put side by side. */
const sharedBase: Schema = {
  type: ['string', 'null'],
  description:
    'Base period that all real prices are in terms of; null without an index. Of real measures only.',
};

/** The indicators of a month. */
const indicatorProperties: Record<string, Schema> = {
  date,
  value: numberOrNull('The price, as `measure` and `per` say'),
  change_1m: numberOrNull('Change from the month before, as a fraction of 1'),
  change_3m: numberOrNull('Change from three months before'),
  change_12m: numberOrNull('Change from twelve months before'),
  mean_5y: numberOrNull('Mean of the same month in the five years before'),
  mean_5y_years: integer('How many of the five years have a price'),
  against_mean_5y: numberOrNull('Price ÷ mean − 1'),
  seasonal_index: numberOrNull('Of the calendar month; uses later prices, too'),
  volatility_12m: numberOrNull('Standard deviation of the log changes of twelve months'),
  ifpa: objectOf({
    value: numberOrNull('Indicator of food price anomalies'),
    quarterly: numberOrNull('Its part from the growth of three months'),
    annual: numberOrNull('Its part from the growth of twelve months'),
    class: { enum: [...IFPA_CLASSES, null] },
    provisional: { type: ['boolean', 'null'], description: 'The four years before are not complete' },
    weak: { type: ['boolean', 'null'], description: 'It rests on few or hardly different years' },
  }),
  alps: objectOf({
    value: numberOrNull('Alert for price spikes'),
    expected: numberOrNull('The price that trend and season let expect'),
    class: { enum: [...ALPS_CLASSES, null] },
  }),
  reasons: {
    type: 'object',
    description: 'Why fields are null, by field',
    additionalProperties: { type: 'string', enum: REASONS },
  },
};

/** What a group may be of. */
const groupProperties: Record<string, Schema> = {
  iso3_country_code: text(),
  country_name: text(),
  admin_unit: text(),
  market: text('Name of the market'),
  market_id: integer(),
  commodity: text('Name of the commodity'),
  commodity_id: integer(),
  category: text(),
  source: text('Name of the source'),
  source_id: integer(),
  price_type: text('Name of the price type'),
  price_type_id: integer(),
};

/** FPMA's 27 keys, in FPMA's order. */
const fpmaSerieProperties: Record<string, Schema> = {
  uuid,
  iso3_country_code: text(),
  country_name: text(),
  periodicity: arrayOf(ref('FpmaPeriod')),
  market: integer(),
  market_name: text(),
  market_info: text(),
  market_type: text(),
  admin_unit: text(),
  admin_unit2: text(),
  commodity: integer(),
  commodity_name: text(),
  commodity_info: { const: '' },
  commodity_image: { type: 'null' },
  commodity_code: text('`{HS code}_{id}`, or `C_{id}` if there is no HS code'),
  commodity_start_date: { const: 1 },
  alternative_code: { const: '' },
  alternative_name: { const: '' },
  source: integer(),
  source_name: text(),
  source_url: text(),
  price_type_id: integer(),
  price_type: text(),
  currency: text(),
  measure_unit: integer(),
  measure_unit_label: text(),
  conversion_factor: numberOrNull('Null unless the unit is a unit of mass'),
};

const violation = {
  type: 'object',
  description: 'One violation in the request.',
  properties: {
    in: { type: 'string', enum: ['query', 'path', 'header', 'body'] },
    name: text('Name of the parameter, header or field'),
    pointer: text('JSON Pointer to the field of the body'),
    code: {
      type: 'string',
      enum: Object.keys(violationCodes),
      description: Object.entries(violationCodes)
        .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
        .join('\n'),
    },
    detail: text('Human-readable explanation'),
  },
  required: ['code', 'detail'],
  additionalProperties: true,
} satisfies Schema;

const problem = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: text('Address of the documentation of `code`'),
    title: text(),
    status: integer(),
    code: { type: 'string', enum: Object.keys(problemCodes) },
    detail: text('Human-readable explanation of this error'),
    instance: text('Identifier of the request in the log'),
    errors: { type: 'array', items: ref('Violation'), maxItems: 20 },
    last_page: integer('Number of the last page'),
  },
  required: ['type', 'title', 'status', 'code', 'detail', 'instance'],
  additionalProperties: true,
} satisfies Schema;

const aliasProperties: Record<string, Schema> = {
  table: { type: 'string', enum: ALIASED_TABLES, description: 'Name of the table' },
  record_id: integer('Id of the record that imports find under this key'),
  name: text(),
  iso3_country_code: text('Of an alias of a market; else empty, as the administrative units'),
  admin_unit: text(),
  admin_unit2: text(),
};

const seriesCount = integer('Number of series');

/** The facets, by the names of their filters. */
const FACETS = [...Object.keys(facets), 'periodicity'];

const effects = objectOf({ added: wideInteger(), changed: wideInteger(), removed: wideInteger() });
const counts: Schema = { type: 'object', additionalProperties: wideInteger() };

/** All schemas except those of the reference tables. */
const ownSchemas: Record<string, Schema> = {
  Serie: objectOf(serieProperties),
  Period: objectOf({ period: periods, start_date: date, end_date: date, calculated: { const: true } }, [
    'calculated',
  ]),
  SerieFacets: objectOf({
    count: integer('Series that match all filters'),
    facets: objectOf(Object.fromEntries(FACETS.map((name) => [name, arrayOf(ref('FacetValue'))]))),
    without: {
      ...counts,
      description: 'For each filter that is given, the series that match all others',
    },
  }),
  Suggestions: objectOf({
    countries: arrayOf(objectOf({ iso3_country_code: text(), country_name: text(), series: seriesCount })),
    commodities: arrayOf(
      objectOf({ commodity_id: integer(), commodity: text(), category: text(), series: seriesCount }),
    ),
    markets: arrayOf(
      objectOf({
        market_id: integer(),
        market: text(),
        admin_unit: text(),
        iso3_country_code: text(),
        country_name: text(),
        series: seriesCount,
      }),
    ),
    series: arrayOf(
      objectOf({
        uuid,
        commodity: text(),
        market: text(),
        iso3_country_code: text(),
        country_name: text(),
        price_type: text(),
        measure_unit: text(),
        currency: text(),
        source: text(),
        last_price_date: orNull(date),
      }),
    ),
  }),
  Country: objectOf({
    iso3_country_code: text('ISO 3166 code, or one of the data such as `IPS`'),
    country_name: text(),
    series: integer('Number of its series'),
    last_price_date: { ...orNull(date), description: 'Date of its newest price' },
  }),
  FacetValue: objectOf({
    value: { type: ['string', 'integer'], description: 'The value that the filter takes' },
    name: text(),
    count: integer('Series with this value'),
  }),
  SeriePrices: objectOf({ uuid, series: ref('Serie'), datapoints: arrayOf(ref('Datapoint')) }),
  Datapoint: objectOf(
    {
      ...datapointProperties,
      calculated: { const: true },
      partial: { const: true },
      flags: { ...arrayOf({ type: 'string' }), description: 'Rules with open findings, with `flags=true`' },
      rate_basis: rateBasis,
      index_base: indexBase,
      explain: ref('PointExplanation'),
    },
    ['calculated', 'partial', 'flags', 'rate_basis', 'index_base', 'explain'],
  ),
  ...explanationSchemas,
  FpmaSerie: objectOf(fpmaSerieProperties),
  FpmaPeriod: objectOf({ period: periods, end_date: date, calculated: { const: true }, start_date: date }, [
    'calculated',
  ]),
  FpmaSeriePrices: objectOf({ uuid, datapoints: arrayOf(ref('FpmaDatapoint')) }),
  FpmaDatapoint: objectOf(datapointProperties),
  PricePatch: objectOf(
    { price_value: { type: 'number', exclusiveMinimum: 0 }, comment: { type: 'string', maxLength: 500 } },
    ['price_value', 'comment'],
  ),
  NewPrice: objectOf(
    {
      date,
      periodicity: periods,
      price_value: { type: 'number', exclusiveMinimum: 0 },
      comment: { type: 'string', maxLength: 500 },
    },
    ['comment'],
  ),
  Correction: objectOf({
    id: integer(),
    state: {
      type: 'string',
      enum: CORRECTION_STATES,
      description:
        'confirmed: the source has the same value now; superseded: it has a new one; withdrawn: by a maintainer',
    },
    uuid: { ...uuid, type: ['string', 'null'], description: 'Of a price; null for a rate or an index' },
    periodicity: { type: ['string', 'null'], enum: ['daily', 'weekly', 'monthly', null] },
    date,
    table: { type: ['string', 'null'], enum: ['FxRate', 'Cpi', null], description: 'Null for a price' },
    record_id: { type: ['integer', 'null'], description: 'Of a rate or an index' },
    value: numberOrNull('Null where the maintainer has removed it'),
    base: numberOrNull("The source's value that it overrules; null where there is none"),
    comment: text(),
    reason: text(),
    change_set_id: integer('The change set that made it'),
  }),
  ...components(Finding, FindingCount, FindingRule, FindingPatch),
  NewCorrection: objectOf(
    {
      uuid,
      periodicity: periods,
      date,
      price_value: { type: ['number', 'null'], exclusiveMinimum: 0, description: 'Null removes the price' },
      comment: { type: 'string', maxLength: 500 },
    },
    ['comment'],
  ),
  SeriesMerge: bodySchema(SeriesMergeDto),
  RecordMerge: bodySchema(RecordMergeDto),
  ActResult: objectOf({
    change_set: { type: ['integer', 'null'], description: 'Id of the change set; null in a dry run' },
    counts,
  }),
  Login: objectOf({
    username: { type: 'string', minLength: 1, maxLength: 150 },
    password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
  }),
  RefreshToken: objectOf({ refresh: { type: 'string', minLength: 1 } }),
  Tokens: objectOf({ refresh: text('Can be used once'), access: text('For the Authorization header') }),
  Account: objectOf(
    {
      id: { type: ['integer', 'null'], description: 'Null for an account of the identity provider' },
      username: text(),
      role: { type: 'string', enum: ['maintainer', 'admin'] },
      issuer: text('Of an account of the identity provider: who issued its token'),
      subject: text('Of an account of the identity provider: its id there'),
    },
    ['issuer', 'subject'],
  ),
  AccountRecord: objectOf({
    id: integer(),
    username: text(),
    role: { type: 'string', enum: [...roles] },
    enabled: flag('Whether it can log in and write'),
    created_at: instant,
    password_changed_at: instant,
    last_login_at: orNull(instant),
  }),
  AccountPatch: bodySchema(AccountPatchDto),
  Alias: objectOf({ id: integer(), ...aliasProperties }),
  AliasCreate: objectOf(aliasProperties, ['iso3_country_code', 'admin_unit', 'admin_unit2']),
  AuditLogEntry: { type: 'object', description: 'One change to the data.', additionalProperties: true },
  ChangeSet: objectOf({
    id: integer(),
    kind: { type: 'string', enum: CHANGE_SET_KINDS },
    state: {
      type: 'string',
      enum: CHANGE_SET_STATES,
      description: 'interrupted: its process was killed; what it stored before stays',
    },
    started_at: instant,
    ended_at: { ...instant, type: ['string', 'null'], description: 'Null while it is running' },
    first_revision: { ...orNull(wideInteger()), description: 'Null if it has changed nothing' },
    last_revision: orNull(wideInteger()),
    input: text('Name of the imported file, or a URL without its query; empty if unknown'),
    format: text('Format of the import'),
    digest: text('SHA-256 of the input'),
    source: text('The source that the import was told to use'),
    reason: text('Why the data were changed, as `reason` of the request said'),
    counts: {
      type: ['object', 'null'],
      description: 'What an import has read and stored, or a revert taken back',
    },
    reverted_by: {
      type: ['integer', 'null'],
      description: 'The change set that has taken this one back',
    },
  }),
  Edition: objectOf({
    number: integer(),
    title: text('What it is called'),
    state: {
      type: 'string',
      enum: EDITION_STATES,
      description: 'interrupted: the process that made it was killed; it has no files',
    },
    revision: wideInteger('The revision of the data'),
    started_at: instant,
    ended_at: { ...instant, type: ['string', 'null'], description: 'Null while it is made' },
    error: text('Why it could not be made'),
    series: { type: ['integer', 'null'], description: 'Number of series; null until it is ready' },
    points: { ...orNull(wideInteger()), description: 'Number of prices; null until it is ready' },
    difference: { anyOf: [ref('EditionDifference'), { type: 'null' }] },
    files: { type: ['array', 'null'], items: ref('EditionFile'), description: 'Null until it is ready' },
  }),
  EditionCreate: bodySchema(EditionDto),
  EditionDifference: objectOf({
    edition: integer('Number of the edition before'),
    series_added: integer(),
    series_removed: integer(),
    points_added: wideInteger('Stored points, as in PriceSeriePrice/differences/'),
    points_changed: wideInteger(),
    points_removed: wideInteger(),
  }),
  EditionFile: objectOf({
    name: text('Name of the file'),
    bytes: wideInteger('Length in bytes'),
    sha256: text('SHA-256 of the file, which is its entity tag, too'),
    path: text('The path at which it is served'),
  }),
  Changes: objectOf({
    results: arrayOf({ oneOf: [ref('SeriesChange'), ref('RecordChange')] }),
    next: text('Token to go on from: `since` of the next request'),
    more: flag('There is more: ask again at once'),
  }),
  SeriesChange: objectOf(
    {
      ...changeProperties,
      type: { const: 'series' },
      uuid,
      iso3_country_code: text(),
      action,
      points: objectOf({ added: wideInteger(), changed: wideInteger(), removed: wideInteger() }),
      first_date: { ...date, type: ['string', 'null'] },
      last_date: { ...date, type: ['string', 'null'] },
      attributes: objectOf({
        id: integer(),
        commodity_id: integer(),
        price_type_id: integer(),
        market_id: integer(),
        source_id: integer(),
        measure_unit_id: integer(),
        currency: text(),
        marked_periods: arrayOf(periods),
      }),
      joined_into: {
        ...objectOf({
          id: integer(),
          factor: { type: 'number' },
          prefer: { type: 'string', enum: ['into', 'from'] },
          start_date: { ...date, type: ['string', 'null'] },
          end_date: { ...date, type: ['string', 'null'] },
          place: integer('Of two points of a day, the order of the joins decides which one is shown'),
        }),
        type: ['object', 'null'],
        description: 'The series that shows its points from now on; null if that has ended',
      },
      aliases: arrayOf(uuid),
      entry: { oneOf: [ref('Serie'), { type: 'null' }] },
      changes: arrayOf(objectOf({ periodicity: periods, date, before: pointOrNull, after: pointOrNull })),
    },
    ['attributes', 'joined_into', 'aliases', 'entry', 'changes'],
  ),
  RecordChange: objectOf(
    {
      ...changeProperties,
      type: { const: 'record' },
      table: text(),
      id: integer(),
      action,
      record: { type: ['object', 'null'], description: 'As its address shows it; null if it was removed' },
    },
    ['record'],
  ),
  RevertResult: objectOf({
    change_set: { type: ['integer', 'null'], description: 'The change set of the revert; null in a dry run' },
    counts: objectOf({
      points: effects,
      series: effects,
      records: { ...effects, description: 'Reference records, rates and indices' },
      corrections: objectOf({
        reopened: wideInteger('Ended by the change set; they stand again'),
        rebased: wideInteger('Their base is what the source had before'),
        ended: wideInteger('Made by the change set'),
      }),
      changed_since: wideInteger('Left alone, because they have another value since'),
      still_used: wideInteger('Series and records left alone, because others use them'),
      later_inputs: arrayOf(
        objectOf({ change_set_id: integer(), input: text(), format: text(), digest: text() }),
      ),
    }),
  }),
  SerieIndicators: objectOf(
    {
      uuid,
      series: ref('Serie'),
      settings: ref('IndicatorSettings'),
      seasonal: objectOf({
        index: {
          ...orNull(arrayOf({ type: 'number' })),
          description: 'Of January to December; 1 on average',
        },
        sd: {
          ...orNull(arrayOf({ type: 'number' })),
          description: 'The standard deviation of what each index is the mean of',
        },
        years: { type: ['integer', 'null'], description: 'Years that each index is the mean of, at least' },
      }),
      observations: arrayOf({ oneOf: [ref('Indicators'), ref('AnnualIndicator')] }),
      explain: ref('IndicatorsExplanation'),
    },
    ['explain'],
  ),
  IndicatorSettings: objectOf({
    measure: { type: 'string', enum: MEASURES },
    per: { type: 'string', enum: PER },
    ifpa_mode: { type: 'string', enum: IFPA_MODES },
    history_from: { type: ['string', 'null'] },
    alps_window: { type: 'string', enum: ALPS_WINDOWS },
    fit_until: { type: ['string', 'null'] },
    break_date: { type: ['string', 'null'] },
    gamma: { type: 'number' },
    ifpa_thresholds: arrayOf({ type: 'number' }),
    alps_thresholds: arrayOf({ type: 'number' }),
    allow_gaps: { type: 'boolean' },
    annual: { type: 'boolean' },
    method_version: integer('Grows when the same prices give other numbers'),
  }),
  Indicators: objectOf({ ...indicatorProperties, explain: ref('ObservationExplanation') }, [
    ...INDICATOR_FIELDS,
    'explain',
  ]),
  SerieIndicator: objectOf(
    {
      uuid,
      series: ref('Serie'),
      fresh: flag('The newest month is within two months of that of the source'),
      ...indicatorProperties,
    },
    [...INDICATOR_FIELDS],
  ),
  PriceWarning: objectOf(
    {
      iso3_country_code: text(),
      country_name: text(),
      category: text(),
      commodity_id: integer(),
      commodity: text(),
      month: text('`YYYY-MM`'),
      series: integer('Series with a price in the month or before'),
      fresh: integer('Of these, the series whose newest price is of this month or the two before'),
      markets: integer('Markets of the fresh series'),
      ifpa: { ...objectOf(countsOf(COUNTED_IFPA)), description: 'Fresh series by the class of their IFPA' },
      alps: { ...objectOf(countsOf(COUNTED_ALPS)), description: 'Fresh series by the class of their ALPS' },
      share_high: numberOrNull('Of the series with an IFPA; null where these are fewer than three'),
      share_alert_or_worse: numberOrNull(
        'Share of `alert` and `crisis` of the series with ALPS; null where these are fewer than three',
      ),
      persistence: {
        ...objectOf({ ifpa: integer(), alps: integer() }),
        description:
          'Months in a row, up to this one, with a `share_high`, a `share_alert_or_worse` of at least 0.25',
      },
      top: {
        ...arrayOf(
          objectOf({
            uuid,
            commodity: text(),
            market: text(),
            date,
            ifpa: { type: 'number' },
            ifpa_class: { type: 'string', enum: IFPA_CLASSES },
            alps_class: { type: ['string', 'null'], enum: [...ALPS_CLASSES, null] },
          }),
        ),
        description: 'The five fresh series with the highest IFPA, with the month of their newest price',
      },
      rated: integer('Fresh series with a class, by IFPA or ALPS'),
      high: integer(
        'Of the rated series, those whose price is high: IFPA `high`, or ALPS `alert` or `crisis`',
      ),
    },
    ['category', 'commodity_id', 'commodity'],
  ),
  PriceTable: objectOf({
    dates: { ...arrayOf(date), description: 'Newest first' },
    columns: arrayOf(ref('TableColumn')),
    values: {
      ...arrayOf(arrayOf(numberOrNull('Null where there is none'))),
      description: 'Of each date the values of the columns, in their order',
    },
  }),
  TableColumn: objectOf(
    {
      uuid,
      label: text('Country, market, commodity, price type, and what prices are in; unique in the table'),
      index_base: text('Base period that real prices are in terms of; of real measures only'),
      ...serieProperties,
    },
    ['index_base'],
  ),
  PriceComparison: objectOf(
    {
      formula: { type: 'string', enum: FORMULAS },
      measure: { type: 'string', enum: MEASURES, description: 'In dollars where the currencies differ' },
      per: { type: 'string', enum: PER },
      currency: text('The currency of both prices'),
      unit: text('What the values are in'),
      index_base: sharedBase,
      a: ref('Serie'),
      b: ref('Serie'),
      observations: arrayOf(
        objectOf({
          date,
          value: numberOrNull('a ÷ b, or a − b'),
          a: numberOrNull('The price of a'),
          b: numberOrNull('The price of b'),
          reasons: objectOf(
            Object.fromEntries(
              COMPARED_FIELDS.map((name): [string, Schema] => [name, { type: 'string', enum: REASONS }]),
            ),
            [...COMPARED_FIELDS],
          ),
        }),
      ),
      explain: ref('ComparisonExplanation'),
    },
    ['index_base', 'explain'],
  ),
  AnnualIndicator: objectOf(
    {
      year: integer(),
      n_months: integer('Months that have a value'),
      partial: { type: 'boolean', description: 'Fewer than twelve months have a value' },
      ifpa: numberOrNull('Mean of the indicator of food price anomalies of the months'),
      reasons: objectOf({ ifpa: { type: 'string', enum: REASONS } }),
      explain: ref('YearExplanation'),
    },
    ['reasons', 'explain'],
  ),
  AggregateGroup: objectOf(
    {
      ...groupProperties,
      currency: text('`USD` unless `measure` is `nominal` or `real`'),
      unit: {
        type: ['string', 'null'],
        description: 'Null where the prices cannot be converted to kilograms or litres',
      },
      index_base: sharedBase,
      settings: ref('AggregateSettings'),
      segments: arrayOf(
        objectOf({
          segment: integer(),
          start_date: date,
          end_date: date,
          base: {
            ...orNull(date),
            description: 'The period whose index is 100; null in segments without the one asked for',
          },
        }),
      ),
      observations: arrayOf(ref('Aggregate')),
      explain: ref('GroupExplanation'),
    },
    [...Object.keys(groupProperties), 'index_base', 'explain'],
  ),
  AggregateSettings: objectOf({
    measure: { type: 'string', enum: MEASURES },
    per: { type: 'string', enum: PER },
    periodicity: { type: 'string', enum: AGGREGATE_PERIODS },
    aggregation: { type: 'string', enum: AGGREGATIONS },
    min_matched: integer('Series that a link of the index needs'),
    base: { type: ['string', 'null'], description: 'The month, `YYYY-MM`, that was asked for' },
    method_version: integer('Grows when the same prices give other numbers'),
  }),
  Aggregate: objectOf(
    {
      date,
      median: numberOrNull('Of an even number of prices, the mean of the middle two'),
      mean: numberOrNull('Each series has the same weight'),
      min: numberOrNull('The least price'),
      max: numberOrNull('The greatest price'),
      n: integer('Series with a price'),
      index: numberOrNull('Chained Jevons index of the prices that can be compared'),
      linked_from: { ...orNull(date), description: 'The period that the index is linked to' },
      n_matched: { type: ['integer', 'null'], description: 'Series with a price in both periods' },
      segment: { type: ['integer', 'null'], description: 'Indices of one segment can be compared' },
      left_out: {
        type: 'object',
        description: 'Series whose price of the period is left out, by reason',
        additionalProperties: integer(),
      },
      reasons: {
        type: 'object',
        description: 'Why fields are null, by field',
        additionalProperties: { type: 'string', enum: AGGREGATE_REASONS },
      },
      series: { ...arrayOf(uuid), description: 'The series with a price, on request' },
      matched: {
        ...orNull(arrayOf(uuid)),
        description: 'Those of them that the index compares, on request',
      },
      explain: ref('AggregateExplanation'),
    },
    ['series', 'matched', 'explain'],
  ),
  PointVersion: objectOf({
    price_value: numberOrNull('Null while the point was removed'),
    comment: { type: ['string', 'null'] },
    known_from: instant,
    known_to: { ...instant, type: ['string', 'null'], description: 'Null if it still holds' },
    first_revision: wideInteger(),
    last_revision: { ...orNull(wideInteger()), description: 'Null if it still holds' },
    change_set_id: integer('The change set that made it known'),
    kind: { type: 'string', enum: CHANGE_SET_KINDS },
  }),
  PointDifference: objectOf({
    uuid,
    id: wideInteger('Stable on one server'),
    periodicity: periods,
    date,
    action: { type: 'string', enum: ['added', 'changed', 'removed'] },
    before: numberOrNull('The price at the earlier state'),
    after: numberOrNull('The price at the later state'),
    comment_before: { type: ['string', 'null'] },
    comment_after: { type: ['string', 'null'] },
  }),
  ImportReport: objectOf({
    format: text(),
    input: text('Name of the file, or a URL without its query; empty if unknown'),
    change_set_id: {
      type: ['integer', 'null'],
      description: 'The change set of what was stored; null in a dry run',
    },
    digest: text('SHA-256 of the input'),
    bytes: wideInteger(),
    dry_run: flag('True if the import was only simulated and nothing was stored'),
    convention: {
      ...objectOf({
        decimal: decided(DECIMAL_SIGNS, 'Decimal sign of the numbers'),
        dates: decided(DATE_ORDERS, 'Order of year, month and day in the dates'),
      }),
      type: ['object', 'null'],
      description: 'How a CSV input writes its values; null for JSON',
    },
    notes: { ...arrayOf(text()), description: 'What the input has that is not used, in sentences' },
    error: { type: ['string', 'null'], description: 'Why the import was aborted; null if it was not' },
    read: wideInteger('Total number of rows: new, changed, unchanged, skipped and rejected'),
    new: wideInteger(),
    changed: wideInteger(),
    unchanged: wideInteger(),
    skipped: counts,
    rejected: wideInteger(),
    rejected_by_reason: counts,
    rejects: arrayOf(objectOf({ line: wideInteger(), field: text(), reason: text(), detail: text() })),
    countries: {
      ...counts,
      description: 'Numbers of the series of prices in the input, by the code of their country',
    },
    series: integer('Number of created series'),
    records: counts,
    created_records: arrayOf(
      objectOf({
        table: text(),
        name: text(),
        near: {
          ...arrayOf(text()),
          description:
            'Names of other records of the table, of markets in the country, that may mean the same',
        },
      }),
    ),
    rounded: wideInteger('Number of values rounded to 15 significant digits'),
    inverted: wideInteger('Number of rates of which the reciprocals are stored'),
    replaced: wideInteger(
      'Number of cells that were read as something else than what is written: NA as blank, 713 as 0713',
    ),
    replaced_values: arrayOf(
      objectOf({
        column: text(),
        value: text('As in the input'),
        read_as: text('Empty for a missing value'),
        cells: wideInteger(),
      }),
    ),
    hs_codes_kept: integer('Number of commodities whose stored HS code differs from the input and was kept'),
    filled: wideInteger('Number of empty fields of records that the input has filled'),
    attribute_conflicts: integer(
      'Number of fields of records for which the input has another value than the stored one, which was kept',
    ),
    conflicting_attributes: arrayOf(
      objectOf({
        table: text(),
        record_id: integer(),
        field: text(),
        stored: { type: ['string', 'number'] },
        given: { type: ['string', 'number'] },
      }),
    ),
    corrections_kept: wideInteger('Number of rows that left a correction as it is'),
    corrections_confirmed: wideInteger('Number of corrections whose value the source has now, too'),
    corrections_superseded: wideInteger('Number of corrections that a new value of the source has replaced'),
    kept_other_source: wideInteger(
      'Number of rows with another value for a rate or an index that another source has published',
    ),
    older_than_stored: wideInteger(
      'Number of series with stored prices that are newer than all of the same frequency in the input',
    ),
    findings: {
      ...counts,
      type: ['object', 'null'],
      description: 'Numbers of the findings that it has opened, by rule; null if they were not computed',
    },
    first_findings: arrayOf(
      objectOf({
        id: { type: ['integer', 'null'], description: 'Null in a dry run' },
        rule: text(),
        severity: { type: 'string', enum: SEVERITIES },
        uuid: { type: ['string', 'null'], format: 'uuid' },
        date: { ...date, type: ['string', 'null'] },
        value: numberOrNull('The value that was found'),
        expected: numberOrNull('The value that would fit'),
        detail: text('A sentence with the numbers in it'),
      }),
    ),
    superseded_corrections: arrayOf(
      objectOf({
        id: integer(),
        uuid: { type: ['string', 'null'], format: 'uuid' },
        periodicity: { type: ['string', 'null'] },
        date,
        table: { type: ['string', 'null'], description: 'Of a rate or an index' },
        record_id: { type: ['integer', 'null'] },
        value: numberOrNull('The value that the maintainer had set; null for a removal'),
        base: numberOrNull('The value that the source had then; null for none'),
        source_value: { type: 'number', description: 'The value that the source has now' },
      }),
    ),
    seconds: { type: 'number' },
    rows_per_second: { type: 'number' },
  }),
  Problem: problem,
  Violation: violation,
};

/** A body with the fields of a DTO. */
function bodySchema(dto: object): Schema {
  const fields = fieldsOf(dto);
  const optional = fields.filter(({ required }) => !required).map(({ name }) => name);
  return objectOf(Object.fromEntries(fields.map((field) => [field.name, field.describe(true)])), optional);
}

/** A reference record in responses. */
function readSchema(table: ReferenceTable): Schema {
  const properties: Record<string, Schema> = {};
  for (const field of fieldsOf(table.dto)) {
    const name = table.dto.reads[field.name]!;
    properties[name] = field.describe(true);
  }
  const { id = integer(), ...rest } = properties;
  return objectOf({ id, ...rest });
}

/** A reference record in requests: each field under its prefixed or its plain name. */
function writeSchema(table: ReferenceTable, operation: 'create' | 'replace' | 'patch'): Schema {
  const properties: Record<string, Schema> = {};
  const choices: Schema[] = [];
  for (const field of fieldsOf(table.dto)) {
    const plain = table.dto.reads[field.name]!;
    if (plain === 'id' && operation === 'create') continue;
    const schema = field.describe(true);
    properties[field.name] = schema;
    properties[plain] = { ...schema, description: `Same as \`${field.name}\`.` };
    if (field.required && operation !== 'patch') {
      choices.push({ anyOf: [{ required: [field.name] }, { required: [plain] }] });
    }
  }
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(choices.length > 0 ? { allOf: choices } : {}),
  };
}

/** All component schemas, in a stable order. */
export function componentSchemas(tables: readonly ReferenceTable[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = { ...ownSchemas };
  for (const table of tables) {
    schemas[table.name] = readSchema(table);
    schemas[`${table.name}Create`] = writeSchema(table, 'create');
    schemas[`${table.name}Replace`] = writeSchema(table, 'replace');
    schemas[`${table.name}Patch`] = writeSchema(table, 'patch');
  }
  return schemas;
}
