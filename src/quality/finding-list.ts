import { placeholders } from '../database/sql.js';
import { Conditions, NewestFirst } from '../database/newest-first.js';
import type { Database } from '../database/database.js';
import type { Reads } from '../database/reads.js';
import { FINDING_STATES, SEVERITIES, type ShownMember } from '../ledger/findings/finding.js';
import { STORED_FINDINGS, NAMES_NO_SERIES, namesSeries } from '../ledger/findings/stored-findings.js';
import { dayFromIso, isoFromDay } from '../lib/dates/calendar-date.js';
import { listQuery } from '../platform/listing/list-parameters.js';
import { pageParameters } from '../platform/listing/page.js';
import { choice, date, many, one, recordId } from '../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../platform/validation/query-schema.js';
import { PERIOD_NAMES, type Period } from '../price-series/periodicity.js';
import { lastUuidOf } from '../price-series/series-views.js';
import { pricedSeriesFilters } from '../prices/prices.parameters.js';
import { Finding } from './finding.dto.js';
import { RULE_NAMES } from './rules/rule-table.js';
import { columnsOf } from '../platform/formats/columns.js';

/** The fields as columns; tables show `members` as JSON. */
export const findingColumns = columnsOf(Finding);

export const findingQuery = new QuerySchema(
  {
    rule: many(choice(RULE_NAMES), 'Only findings of these rules.'),
    severity: many(choice(SEVERITIES), 'Only findings of these severities.'),
    state: many(choice(FINDING_STATES), 'Only findings in these states.'),
    from: one(date, 'Only findings about this date or later.'),
    to: one(date, 'Only findings about this date or earlier.'),
    change_set_id: many(recordId, 'Only findings that these change sets have opened.'),
    ...pricedSeriesFilters,
    ...pageParameters,
  },
  { ranges: [['from', 'to']] },
);

export const findingListQuery = listQuery(findingQuery, findingColumns);

/** The filters of findings. */
export type FindingFilters = Omit<QueryValues<typeof findingQuery.parameters>, 'page' | 'page_size'>;

/** The one that also selects findings without series. */
const COUNTRY_FILTER = 'iso3_country_codes';
const seriesFilterNames = Object.keys(pricedSeriesFilters) as (keyof typeof pricedSeriesFilters)[];

type Row = Omit<Finding, 'date' | 'periodicity' | 'members'> & {
  period: Period | null;
  day: number | null;
  members: string | null;
};

const COLUMNS =
  `f.id, f.rule, f.severity, f.state, f.scope, ${lastUuidOf('f.serie_id')} AS uuid, f.iso3_country_code, f.period, f.day, f.value,` +
  ' f.expected, f.ratio, f.members, f.detail, f.change_set_id, f.reason';

/** The findings, newest first. */
export function findingList(database: Database): NewestFirst<Row, Finding> {
  return new NewestFirst<Row, Finding>(database, {
    columns: COLUMNS,
    from: STORED_FINDINGS,
    id: 'f.id',
    toItem: toRecord,
  });
}

/** One finding; null where there is none. */
export async function findFinding(reads: Pick<Reads, 'rows'>, id: number): Promise<Finding | null> {
  const [row] = await reads.rows<Row>(`SELECT ${COLUMNS} FROM ${STORED_FINDINGS} WHERE f.id = ?`, [id]);
  return row === undefined ? null : toRecord(row);
}

/** Where one goes from a finding, in the order of the list. */
export interface FindingNeighbours {
  /** Findings in the list. */
  count: number;
  /** The next newer one, and the next older one; null at the ends. */
  previous: number | null;
  next: number | null;
}

/** The neighbours of a finding among those that meet the conditions. */
export async function findNeighbours(
  reads: Pick<Reads, 'rows'>,
  { sql, values }: Conditions,
  id: number,
): Promise<FindingNeighbours> {
  const [row] = await reads.rows<Record<keyof FindingNeighbours, number | string | null>>(
    'SELECT COUNT(*) AS count, MIN(CASE WHEN f.id > ? THEN f.id END) AS previous,' +
      ` MAX(CASE WHEN f.id < ? THEN f.id END) AS next FROM ${STORED_FINDINGS} WHERE ${sql}`,
    [id, id, ...values],
  );
  const number = (value: number | string | null) => (value === null ? null : Number(value));
  return { count: Number(row!.count), previous: number(row!.previous), next: number(row!.next) };
}

/**
 * What the findings have to meet. One about a point or a group matches where one of its series
 * does; one without series by its country, where no other filter selects series.
 * @param serieIds the series with findings that the filters select; undefined for all
 */
export function findingConditions(
  filters: FindingFilters,
  serieIds: readonly number[] | undefined,
): Conditions {
  const { rule, severity, state, from, to, change_set_id } = filters;
  const conditions = new Conditions()
    .anyOf('f.rule', rule)
    .anyOf('f.severity', severity)
    .anyOf('f.state', state)
    .anyOf('f.change_set_id', change_set_id);
  if (from !== undefined) conditions.where('f.day >= ?', dayFromIso(from));
  if (to !== undefined) conditions.where('f.day <= ?', dayFromIso(to));
  if (serieIds === undefined) return conditions;
  const ofSeries = namesSeries(serieIds);
  const given = seriesFilterNames.filter((name) => filters[name] !== undefined);
  const countries = given.length === 1 ? filters[COUNTRY_FILTER] : undefined;
  if (countries === undefined) return conditions.where(ofSeries.sql, ...ofSeries.values);
  const inCountry = `f.iso3_country_code IN (${placeholders(countries.length)})`;
  return conditions.where(
    `(${ofSeries.sql} OR (${inCountry} AND ${NAMES_NO_SERIES}))`,
    ...ofSeries.values,
    ...countries,
  );
}

function toRecord({ period, day, members, ...row }: Row): Finding {
  return {
    id: row.id,
    rule: row.rule,
    severity: row.severity,
    state: row.state,
    scope: row.scope,
    uuid: row.uuid,
    iso3_country_code: row.iso3_country_code,
    periodicity: period === null ? null : PERIOD_NAMES[period],
    date: day === null ? null : isoFromDay(day),
    value: row.value,
    expected: row.expected,
    ratio: row.ratio,
    members: members === null ? null : (JSON.parse(members) as ShownMember[]),
    detail: row.detail,
    change_set_id: row.change_set_id,
    reason: row.reason,
  };
}
