import type { Column, ColumnType } from '../../platform/formats/listing.js';

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

/** The columns that a field has in tables; the others have one of their own name. */
const PARTS: Partial<Record<IndicatorField, readonly Column[]>> = {
  mean_5y_years: [{ name: 'mean_5y_years', type: 'integer' }],
  ifpa: [
    { name: 'ifpa_value', type: 'number', member: 'ifpa' },
    { name: 'ifpa_quarterly', type: 'number', member: 'ifpa' },
    { name: 'ifpa_annual', type: 'number', member: 'ifpa' },
    { name: 'ifpa_class', type: 'string', member: 'ifpa' },
    { name: 'ifpa_provisional', type: 'boolean', member: 'ifpa' },
    { name: 'ifpa_weak', type: 'boolean', member: 'ifpa' },
  ],
  alps: [
    { name: 'alps_value', type: 'number', member: 'alps' },
    { name: 'alps_expected', type: 'number', member: 'alps' },
    { name: 'alps_class', type: 'string', member: 'alps' },
  ],
};

const column = (name: string, type: ColumnType): Column => ({ name, type });

const reasonColumn = (name: string): Column => ({ name, type: 'string', member: 'reasons' });

/** The columns of values, then those of reasons. */
export function indicatorColumns(fields: readonly IndicatorField[]): Column[] {
  return [
    ...fields.flatMap((field) => PARTS[field] ?? [column(field, 'number')]),
    ...fields.filter(hasReason).map((field) => reasonColumn(`${field}_reason`)),
  ];
}

/** A number of years can always be had. */
export const hasReason = (field: IndicatorField): boolean => field !== 'mean_5y_years';

/** The columns of a year. */
export const annualColumns: readonly Column[] = [
  column('uuid', 'string'),
  column('year', 'integer'),
  column('n_months', 'integer'),
  column('partial', 'boolean'),
  column('ifpa', 'number'),
  reasonColumn('ifpa_reason'),
];
