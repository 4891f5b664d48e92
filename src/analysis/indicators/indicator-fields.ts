import type { Column } from '../../platform/formats/listing.js';
import { type Alps, ALPS_CLASSES, type AlpsClass } from '../methods/alps.js';
import { type Ifpa, IFPA_CLASSES, type IfpaClass } from '../methods/ifpa.js';
import { type Reason, REASONS } from '../methods/reason.js';
import { Nested, Optional, OrNull, RecordOf, WithSchema } from '../../platform/validation/field.js';
import { CalendarDate, Count, Decimal, Flag, OneOf } from '../../platform/validation/fields.js';
import { columnsOf, omitColumns, partsOf } from '../../platform/formats/columns.js';

/** The fields of an observation besides its date, in order. */
export const INDICATOR_FIELDS = [
  'value',
  'change_1m',
  'change_3m',
  'change_12m',
  'mean_5y',
  'mean_5y_years',
  'against_mean_5y',
  'seasonal_index',
  'volatility_12m',
  'ifpa',
  'alps',
] as const;
export type IndicatorField = (typeof INDICATOR_FIELDS)[number];

/** A field that is one number. */
export type NumberField = Exclude<IndicatorField, 'ifpa' | 'alps'>;

/** An object whose members are all null where there is no value. */
export type OrNulls<T> = { [K in keyof T]: T[K] | null };

class ShownIfpa implements OrNulls<Ifpa> {
  @OrNull(Decimal({ description: 'Indicator of food price anomalies' })) value!: number | null;
  @OrNull(Decimal({ description: 'Its part from the growth of three months' }))
  quarterly!: number | null;
  @OrNull(Decimal({ description: 'Its part from the growth of twelve months' }))
  annual!: number | null;
  @OrNull(OneOf(IFPA_CLASSES, { typed: false })) class!: IfpaClass | null;
  @OrNull(Flag({ description: 'The four years before are not complete' }))
  provisional!: boolean | null;
  @OrNull(Flag({ description: 'It rests on few or hardly different years' })) weak!: boolean | null;
}

class ShownAlps implements OrNulls<Alps> {
  @OrNull(Decimal({ description: 'Alert for price spikes' })) value!: number | null;
  @OrNull(Decimal({ description: 'The price that trend and season let expect' }))
  expected!: number | null;
  @OrNull(OneOf(ALPS_CLASSES, { typed: false })) class!: AlpsClass | null;
}

/** The indicators of one month, as responses show them: those that were asked for. */
export class Observation implements Partial<Record<NumberField, number | null>> {
  @CalendarDate() date!: string;
  @Optional(OrNull(Decimal({ description: 'The price, as `measure` and `per` say' })))
  value?: number | null;
  @Optional(OrNull(Decimal({ description: 'Change from the month before, as a fraction of 1' })))
  change_1m?: number | null;
  @Optional(OrNull(Decimal({ description: 'Change from three months before' })))
  change_3m?: number | null;
  @Optional(OrNull(Decimal({ description: 'Change from twelve months before' })))
  change_12m?: number | null;
  @Optional(OrNull(Decimal({ description: 'Mean of the same month in the five years before' })))
  mean_5y?: number | null;
  @Optional(Count({ description: 'How many of the five years have a price' }))
  mean_5y_years?: number;
  @Optional(OrNull(Decimal({ description: 'Price ÷ mean − 1' }))) against_mean_5y?: number | null;
  @Optional(OrNull(Decimal({ description: 'Of the calendar month; uses later prices, too' })))
  seasonal_index?: number | null;
  @Optional(OrNull(Decimal({ description: 'Standard deviation of the log changes of twelve months' })))
  volatility_12m?: number | null;
  @Optional(Nested(ShownIfpa)) ifpa?: ShownIfpa;
  @Optional(Nested(ShownAlps)) alps?: ShownAlps;
  @WithSchema<Partial<Record<IndicatorField, Reason>>>({
    type: 'object',
    description: 'Why fields are null, by field',
    additionalProperties: { type: 'string', enum: REASONS },
  })
  reasons!: Partial<Record<IndicatorField, Reason>>;
}

/** A year as responses show it. */
export class AnnualObservation {
  @Count() year!: number;
  @Count({ description: 'Months that have a value' }) n_months!: number;
  @Flag({ description: 'Fewer than twelve months have a value' }) partial!: boolean;
  @OrNull(Decimal({ description: 'Mean of the indicator of food price anomalies of the months' }))
  ifpa!: number | null;
  /** Only where there is no value: why the last month has none. */
  @Optional(RecordOf(['ifpa'], OneOf(REASONS))) reasons?: { ifpa: Reason };
}

/** The columns that a field has in tables; the others have one of their own name. */
const PARTS: Partial<Record<string, readonly Column[]>> = {
  ifpa: partsOf(ShownIfpa, 'ifpa'),
  alps: partsOf(ShownAlps, 'alps'),
};

const COLUMNS = new Map(
  columnsOf(Observation).map((column) => [column.name, PARTS[column.name] ?? [column]]),
);

const reasonColumn = (name: string): Column => ({ name, type: 'string', member: 'reasons' });

/** The columns of values, then those of reasons. */
export function indicatorColumns(fields: readonly IndicatorField[]): Column[] {
  return [
    ...fields.flatMap((field) => COLUMNS.get(field)!),
    ...fields.filter(hasReason).map((field) => reasonColumn(`${field}_reason`)),
  ];
}

/** A number of years can always be had. */
export const hasReason = (field: IndicatorField): boolean => field !== 'mean_5y_years';

/** The columns of a year. */
export const annualColumns: readonly Column[] = [
  { name: 'uuid', type: 'string' },
  ...omitColumns(columnsOf(AnnualObservation), ['reasons']),
  reasonColumn('ifpa_reason'),
];
