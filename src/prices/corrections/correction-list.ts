import { CORRECTION_STATES, type CorrectionState } from '../../ledger/corrections/correction.js';
import { Database } from '../../database/database.js';
import { Conditions, inIds, NewestFirst } from '../../database/newest-first.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, many, recordId } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { STORED_CORRECTIONS } from '../../ledger/corrections/correction-store.js';
import { type Period, PERIOD_NAMES, type PeriodName, periodNames } from '../../price-series/periodicity.js';
import { lastUuidOf } from '../../price-series/series-views.js';
import { pricedSeriesFilters } from '../prices.parameters.js';
import { ApiSchema, OrNull } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, Id, OneOf, Text, Uuid } from '../../platform/validation/fields.js';
import { columnsOf } from '../../platform/formats/columns.js';

/** Tables whose records can be corrected. */
const RECORD_TABLES = ['FxRate', 'Cpi'] as const;
type RecordTable = (typeof RECORD_TABLES)[number];

/** A correction, as responses show it. */
@ApiSchema({ name: 'Correction' })
export class CorrectionRecord {
  @Id() id!: number;
  @OneOf(CORRECTION_STATES, {
    description:
      'confirmed: the source has the same value now; superseded: it has a new one; withdrawn: by a maintainer',
  })
  state!: CorrectionState;
  @OrNull(Uuid({ description: 'Of a price; null for a rate or an index' })) uuid!: string | null;
  @OrNull(OneOf(periodNames)) periodicity!: PeriodName | null;
  @CalendarDate() date!: string;
  @OrNull(OneOf(RECORD_TABLES, { description: 'Null for a price' })) table!: RecordTable | null;
  @OrNull(Id({ description: 'Of a rate or an index' })) record_id!: number | null;
  @OrNull(Decimal({ description: 'Null where the maintainer has removed it' }))
  value!: number | null;
  @OrNull(Decimal({ description: "The source's value that it overrules; null where there is none" }))
  base!: number | null;
  @Text() comment!: string;
  @Text() reason!: string;
  @Id({ description: 'The change set that created it' }) change_set_id!: number;
}

export const correctionColumns = columnsOf(CorrectionRecord);

export const correctionQuery = new QuerySchema({
  state: many(choice(CORRECTION_STATES), 'Only corrections in these states.'),
  change_set_id: many(recordId, 'Only corrections that these change sets have created.'),
  ...pricedSeriesFilters,
  ...pageParameters,
});

export const correctionListQuery = listQuery(correctionQuery, correctionColumns);

/** Path segments by the tables' names in the database. */
const TABLES: Readonly<Record<string, RecordTable>> = { fx_rate: 'FxRate', cpi: 'Cpi' };

type Row = Omit<CorrectionRecord, 'date' | 'periodicity' | 'table' | 'comment'> & {
  table_name: string;
  period: Period | null;
  day: number;
  comment: string | null;
};

/** The corrections, newest first. */
export function correctionList(database: Database): NewestFirst<Row, CorrectionRecord> {
  return new NewestFirst<Row, CorrectionRecord>(database, {
    columns:
      `c.id, c.state, ${lastUuidOf('c.serie_id')} AS uuid, c.period, c.day, c.table_name, c.record_id, c.value, c.base_value AS base,` +
      ' c.comment, m.reason, c.change_set_id',
    from: STORED_CORRECTIONS,
    id: 'c.id',
    toItem: toRecord,
  });
}

/** @param serieIds only the corrections of these series; undefined for all */
export function correctionConditions(
  filters: { state?: CorrectionState[]; change_set_id?: number[] },
  serieIds: readonly number[] | undefined,
): Conditions {
  const { state, change_set_id } = filters;
  const conditions = new Conditions().anyOf('c.change_set_id', change_set_id);
  // SQLite uses the index of the standing ones only for statements that name their state.
  if (state?.length === 1 && state[0] === 'standing') conditions.where("c.state = 'standing'");
  else conditions.anyOf('c.state', state);
  if (serieIds === undefined) return conditions;
  const { sql, values } = inIds('c.serie_id', serieIds);
  return conditions.where(sql, ...values);
}

function toRecord({ id, state, uuid, period, day, table_name, record_id, ...row }: Row): CorrectionRecord {
  return {
    id,
    state,
    uuid,
    periodicity: period === null ? null : PERIOD_NAMES[period],
    date: isoFromDay(day),
    table: TABLES[table_name] ?? null,
    record_id,
    value: row.value,
    base: row.base,
    comment: row.comment ?? '',
    reason: row.reason,
    change_set_id: row.change_set_id,
  };
}
