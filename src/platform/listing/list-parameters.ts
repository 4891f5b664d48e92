import { ValidationError, type Violation } from '../errors/api-error.js';
import { closestMatch } from '../../lib/text/closest-match.js';
import type { Column } from '../formats/listing.js';
import {
  many,
  type Parameter,
  type ParseContext,
  ParseError,
  type ValueParser,
} from '../validation/parsers.js';
import { type ParameterTable, QuerySchema } from '../validation/query-schema.js';
import type { Sort, SortKey } from './sort.js';

/** A column that a list parameter names, as it was written. */
interface NamedColumn {
  readonly column: string;
}

/** The parameters that every list has for its columns. */
type ListParameterTable = {
  readonly sort: Parameter<Sort>;
  readonly fields: Parameter<readonly string[]>;
};

/**
 * The query of a list: its own, with `sort` and `fields`. The fields that a request chooses are
 * applied to whatever its handler returns; it sorts itself.
 * @param columns of the list's table
 * @param members of its records that are in no column
 */
export const listQuery = <T extends ParameterTable>(
  { parameters, rules }: QuerySchema<T>,
  columns: readonly Column[],
  members: readonly string[] = [],
): QuerySchema<T & ListParameterTable> =>
  new QuerySchema<T & ListParameterTable>(
    { ...parameters, sort: sortParameter(columns), fields: fieldsParameter(columns, members) },
    rules,
  );

/** `sort`: the columns by which a list is sorted. */
export function sortParameter(columns: readonly Column[]): Parameter<Sort> {
  const names = columns.filter(({ nested }) => nested !== true).map(({ name }) => name);
  const parser: ValueParser<SortKey> = {
    parse(text) {
      const descending = text.startsWith('-');
      const column = descending ? text.slice(1) : text;
      return names.includes(column) ? { column, descending } : unknownColumn(column, names, descending);
    },
    schema: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) },
  };
  return columnList(
    parser,
    'Columns by which the list is sorted, each descending with `-` before it. Nulls come last, ' +
      'texts in the order of dictionaries; items with equal values keep the order that the list ' +
      'has without `sort`.',
    (keys) => keys,
  );
}

/** `fields`: the members of a record, or columns of the table, that a reply has. */
export const fieldsParameter = (
  columns: readonly Column[],
  members: readonly string[] = [],
): Parameter<readonly string[]> =>
  fieldList(columns, members, (names, context) => {
    context.onFields?.(names);
    return names;
  });

/** The same for a list whose handler leaves out the other fields itself. */
export const ownFieldsParameter = (columns: readonly Column[]): Parameter<readonly string[]> =>
  fieldList(columns, [], (names) => names);

function fieldList(
  columns: readonly Column[],
  members: readonly string[],
  toValue: (names: readonly string[], context: ParseContext) => readonly string[],
): Parameter<readonly string[]> {
  const ofColumns = columns.flatMap(({ name, member = name }) => [member, name]);
  const names = [...new Set([...ofColumns, ...members])];
  const parser: ValueParser<NamedColumn> = {
    parse: (text) => (names.includes(text) ? { column: text } : unknownColumn(text, names)),
    schema: { type: 'string', enum: names },
  };
  return columnList(
    parser,
    'Only these members of each record, in the order of the record; the reply has no others, even ' +
      'where they are required. In tables, a member that is an object or a list has several ' +
      'columns, which may be named, too.',
    (named, context) =>
      toValue(
        named.map(({ column }) => column),
        context,
      ),
  );
}

/** A list parameter that names no column twice. */
function columnList<Named extends NamedColumn, T>(
  parser: ValueParser<Named>,
  description: string,
  toValue: (columns: readonly Named[], context: ParseContext) => T,
): Parameter<T> {
  const list = many(parser, description);
  return {
    ...list,
    parse(name, values, context) {
      const parsed = list.parse(name, values, context);
      if ('violations' in parsed) return parsed;
      const columns = parsed.value.map(({ column }) => column);
      const index = columns.findIndex((column, at) => columns.indexOf(column) < at);
      if (index < 0) return { value: toValue(parsed.value, context) };
      const detail = `Item ${index + 1} of ${name} names ${columns[index]} again.`;
      return { violations: [{ in: 'query', name, code: 'invalid_item', detail, index }] };
    },
  };
}

/**
 * Rejects a sort by a column that the table of a request does not have: other parameters choose
 * what it has.
 * @throws ValidationError
 */
export function requireSortColumns(sort: Sort | undefined, columns: readonly Column[]): void {
  const names = columns.map(({ name }) => name);
  requireNamed('sort', sort?.map(({ column }) => column) ?? [], names);
}

/**
 * Rejects fields that the records of a request do not have, likewise.
 * @param columns of the table of the request
 * @param members of its records that are in no column
 * @throws ValidationError
 */
export function requireFields(
  fields: readonly string[] | undefined,
  columns: readonly Column[],
  members: readonly string[] = [],
): void {
  const ofColumns = columns.flatMap(({ name, member = name }) => [member, name]);
  requireNamed('fields', fields ?? [], [...new Set([...ofColumns, ...members])]);
}

function requireNamed(name: 'sort' | 'fields', named: readonly string[], names: readonly string[]): void {
  const missing = named.filter((column) => !names.includes(column));
  if (missing.length === 0) return;
  throw new ValidationError(
    missing.map((column): Violation => ({
      in: 'query',
      name,
      code: 'invalid_choice',
      detail: `The reply to this request has no column ${column}: ${name} must be among ${names.join(', ')}.`,
      allowed: names,
    })),
  );
}

/** @param descending the column was named after `-` */
function unknownColumn(column: string, names: readonly string[], descending = false): ParseError {
  if (column === '') return new ParseError('invalid_item', 'must not be empty.');
  const match = closestMatch(column, names);
  return new ParseError('invalid_choice', `must be one of ${names.join(', ')}.`, {
    allowed: names,
    ...(match === undefined ? {} : { suggestion: (descending ? '-' : '') + match }),
  });
}
