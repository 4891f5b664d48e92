import { Alias } from '../reference/base/alias.entity.js';
import { AliasDto, keyViolations } from '../reference/aliases/alias.dto.js';
import type { FeedItem, RecordItem, SeriesItem } from '../history/feed/feed-item.js';
import type { PointChange } from '../history/feed/point-changes.js';
import { QUANTITY } from '../lib/numbers/quantity.js';
import { ValidationError } from '../platform/errors/api-error.js';
import { Constant, type Field, fieldsOf, Optional, OrNull } from '../platform/validation/field.js';
import {
  CalendarDate,
  CurrencyCode,
  Decimal,
  Flag,
  Id,
  OneOf,
  Text,
  Uuid,
  WideCount,
} from '../platform/validation/fields.js';
import { validateBody } from '../platform/validation/validate-body.js';
import { type PeriodName, periodNames } from '../price-series/periodicity.js';
import { SERIES_STATUSES, type SeriesStatus } from '../price-series/series-status.js';
import { FieldNames } from '../reference/base/write-fields.js';
import { referenceTables } from '../reference/reference.module.js';

/** What an item says of its record or series. */
class ItemDto {
  @WideCount({ min: 1 }) revision!: number;
  @OneOf(['record', 'series']) type!: 'record' | 'series';
  @Text(20) action!: string;
}

class SeriesDto {
  @Uuid() uuid!: string;
}

class AttributesDto {
  @Id() id!: number;
  @Id() commodity_id!: number;
  @Id() price_type_id!: number;
  @Id() market_id!: number;
  @Id() source_id!: number;
  @Id() measure_unit_id!: number;
  @CurrencyCode() currency!: string;
  @Optional(OneOf(SERIES_STATUSES)) status?: SeriesStatus;
}

class JoinDto {
  @Id() id!: number;
  @Decimal(QUANTITY) factor!: number;
  @Text(20) prefer!: string;
  @OrNull(CalendarDate()) start_date!: string | null;
  @OrNull(CalendarDate()) end_date!: string | null;
  @Decimal({ atLeast: 0, atMost: 1e9 }) place!: number;
}

class PointDto {
  @OneOf(periodNames) periodicity!: PeriodName;
  @CalendarDate() date!: string;
}

class ValueDto {
  @Decimal(QUANTITY) price_value!: number;
  @Optional(Text(500)) comment?: string;
  @Flag() calculated!: boolean;
  @Optional(Constant(true)) provisional?: true;
}

const fields = {
  item: fieldsOf(ItemDto),
  series: fieldsOf(SeriesDto),
  attributes: fieldsOf(AttributesDto),
  join: fieldsOf(JoinDto),
  point: fieldsOf(PointDto),
  value: fieldsOf(ValueDto),
};

/** An item as it may be stored, and what was left out of it. */
interface CheckedItem {
  /** Null where nothing of it may be. */
  readonly item: FeedItem | null;
  /** One sentence each. */
  readonly problems: readonly string[];
}

/**
 * Checks what another service says as the API checks what clients send: values that the API would
 * reject are left out.
 * @throws Error for a table that this release does not know
 */
export function checkItem(item: FeedItem): CheckedItem {
  const problem = problemOf(fields.item, item);
  if (problem !== null) return { item: null, problems: [`An item: ${problem}`] };
  return item.type === 'record' ? checkRecord(item) : checkSeries(item);
}

function checkRecord(item: RecordItem): CheckedItem {
  const { table, id, record } = item;
  const subject = `${String(table).slice(0, 64)} ${String(id).slice(0, 20)}, revision ${item.revision}`;
  const idProblem = problemOf([field(AttributesDto, 'id')], item);
  if (idProblem !== null) return { item: null, problems: [`${subject}: ${idProblem}`] };
  if (record === null || record === undefined) return { item, problems: [] };
  try {
    return { item: { ...item, record: { ...record, ...checkedRecord(table, record), id } }, problems: [] };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return {
      item: null,
      problems: [`${subject}: ${error.violations.map(({ detail }) => detail).join(' ')}`],
    };
  }
}

/** @returns the values of a record as the API would store them @throws ValidationError */
function checkedRecord(table: string, record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (table === Alias.name) {
    const given = fieldsOf(AliasDto)
      .map(({ name }) => name)
      .filter((name) => record[name] !== '');
    const body = Object.fromEntries(given.map((name) => [name, record[name] ?? null]));
    return { ...validateBody(AliasDto, body, { crossFieldRules: keyViolations }) };
  }
  const dto = referenceTables().find(({ name }) => name === table)?.dto;
  if (dto === undefined) throw new Error(`The feed has a table ${table}, which this release does not know.`);
  const names = new FieldNames(dto);
  // A service of a former release lacks the fields that have come since.
  const given = names.reads.filter((name) => record[name] !== undefined);
  const body = Object.fromEntries(given.map((name) => [name, record[name]]));
  return names.valuesOf(validateBody(dto, body, { aliases: names.aliases }));
}

function checkSeries(item: SeriesItem): CheckedItem {
  const problem = problemOf(fields.series, item);
  if (problem !== null) return { item: null, problems: [`A series, revision ${item.revision}: ${problem}`] };
  const subject = `Series ${item.uuid}, revision ${item.revision}`;
  const { attributes, joined_into: join, changes = [], aliases = [] } = item;
  const marks = attributes === undefined ? [] : attributes.marked_periods;
  const wrong =
    (attributes !== undefined && problemOf(fields.attributes, attributes)) ||
    (join && problemOf(fields.join, join)) ||
    (join && !['from', 'into'].includes(join.prefer) && 'prefer must be from or into.') ||
    (!isListOf(marks, periodNames) && `marked_periods must be a list of ${periodNames.join(', ')}.`) ||
    (!Array.isArray(changes) && 'changes must be a list.') ||
    (!(Array.isArray(aliases) && aliases.every((uuid) => problemOf(fields.series, { uuid }) === null)) &&
      'aliases must be a list of UUIDs.');
  if (wrong) return { item: null, problems: [`${subject}: ${wrong}`] };
  const problems: string[] = [];
  const good = changes.filter((change) => {
    const found = pointProblem(change);
    if (found !== null) problems.push(`${subject}, ${found}`);
    return found === null;
  });
  return { item: { ...item, ...(item.changes && { changes: good }) }, problems };
}

function pointProblem(change: PointChange): string | null {
  const problem = problemOf(fields.point, change);
  if (problem !== null) return `a price: ${problem}`;
  const { periodicity, date, after } = change;
  const wrong = after === null ? null : problemOf(fields.value, after);
  return wrong === null ? null : `${periodicity} price of ${date}: ${wrong}`;
}

/** What is wrong with the fields of an object, as the API would say; null where nothing is. */
function problemOf(checked: readonly Field[], value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'must be an object.';
  for (const each of checked) {
    const { name, required, nullable } = each;
    const given = (value as Record<string, unknown>)[name];
    if (given === undefined ? !required : given === null && nullable) continue;
    const error = each.check(given);
    if (error !== null) return `${name} ${error.reason}`;
  }
  return null;
}

const field = (dto: new () => object, name: string): Field =>
  fieldsOf(dto).find((each) => each.name === name)!;

const isListOf = (list: unknown, allowed: readonly string[]): boolean =>
  Array.isArray(list) && list.every((item) => allowed.includes(item as string));
