import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { referenceTables } from '../../reference/reference.module.js';
import { closestMatch } from '../../lib/text/closest-match.js';
import type { Violation } from '../../platform/errors/api-error.js';
import {
  ApiSchema,
  ArrayOf,
  Constant,
  Either,
  type FieldKind,
  MapOf,
  Nested,
  Optional,
} from '../../platform/validation/field.js';
import {
  Characters,
  Count,
  CurrencyCode,
  Decimal,
  Flag,
  OneOf,
  Text,
} from '../../platform/validation/fields.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { nestedViolation, validateNested } from '../../platform/validation/validate-nested.js';
import { encodingOf } from '../containers/text-encoding.js';
import { type Calendar, CALENDARS } from './calendars.js';
import { dateFormatProblem } from './date-format.js';
import { type FieldContent, type MappedFields, PARTS_OF_DATE, priceFields } from './mapped-columns.js';
import { parsePattern } from './pattern.js';

/** Most bytes of a mapping as JSON. */
export const MAX_MAPPING_BYTES = 100 * 1024;

/** Longest name of a column, a file or a sheet, and longest text that is compared. */
const MAX_TEXT = 500;

/** Most rows that can be header or comments, and the last row that can be one of them. */
const MAX_ROWS = 1000;

/** Built-in formats that mappings cannot fill, because they have no columns of their own. */
const UNMAPPED_FORMATS: readonly string[] = ['wfp', 'fpma'];

const column = () =>
  Either(Text(MAX_TEXT), Count(), { description: 'The name of a column, or its number from 1' });

/** How a table is written: the properties and defaults of Frictionless's Table Dialect. */
class MappingDialect {
  @Optional(Flag({ description: 'Whether there is a header; by default true' })) readonly header?: boolean;
  @Optional(ArrayOf(Count(), { description: 'Numbers of the rows of the header; by default [1]' }))
  readonly headerRows?: readonly number[];
  @Optional(Characters(20, { min: 0, description: 'Between the cells of header rows; by default a blank' }))
  readonly headerJoin?: string;
  @Optional(ArrayOf(Count(), { description: 'Numbers of rows, from 1' }))
  readonly commentRows?: readonly number[];
  @Optional(Characters(20, { description: 'Rows that begin with it are left out' }))
  readonly commentChar?: string;
  @Optional(Characters(1, { description: 'By default a comma' })) readonly delimiter?: string;
  @Optional(OneOf(['"'])) readonly quoteChar?: '"';
  @Optional(Constant(true)) readonly doubleQuote?: true;
  @Optional(Count({ description: 'Of a workbook, from 1; by default 1' })) readonly sheetNumber?: number;
  @Optional(Text(MAX_TEXT, { description: 'Of a workbook' })) readonly sheetName?: string;
}

/** What a cell of a row must be: has exactly one of `equals`, `startsWith` and `blank`. */
export class MappingCondition {
  @column() readonly column!: string | number;
  @Optional(Characters(MAX_TEXT, { min: 0 })) readonly equals?: string;
  @Optional(Characters(MAX_TEXT)) readonly startsWith?: string;
  @Optional(Constant(true)) readonly blank?: true;
}

/** Which columns are unpivoted, and what they hold: each of their cells becomes a row. */
class MappingUnpivot {
  @Text(MAX_TEXT, { description: 'A pattern of their names, such as `{commodity} ({measure_unit})`' })
  readonly columns!: string;
  @Text(50, { description: 'The field that their cells are' }) readonly value!: string;
  @Optional(ArrayOf(Text(MAX_TEXT), { description: 'Names that fit, and are not read' }))
  readonly except?: readonly string[];
}

/** How to read a cell that lists the values of a field, one for each unpivoted column. */
export class MappingList {
  @Characters(20, { description: 'Between its items' }) readonly by!: string;
  @Text(MAX_TEXT, {
    description:
      'A pattern of its items, with the field and one that the name of the column says, such as `{commodity}: {measure_unit}`',
  })
  readonly item!: string;
}

/** Where a field comes from, and how its texts are read. */
export class MappingField {
  @Optional(column()) readonly column?: string | number;
  @Optional(Characters(MAX_TEXT, { description: 'The same in all rows' })) readonly value?: string;
  @Optional(Text(MAX_TEXT, { description: 'A pattern of the name of the file with `{field}`' }))
  readonly file?: string;
  @Optional(Text(MAX_TEXT, { description: 'A pattern of the name of the sheet with `{field}`' }))
  readonly sheet?: string;
  @Optional(ArrayOf(column(), { description: 'Several columns; blank cells are left out' }))
  readonly join?: readonly (string | number)[];
  @Optional(Characters(20, { min: 0, description: 'Between joined cells; by default a blank' }))
  readonly joinWith?: string;
  @Optional(Nested(MappingList)) readonly list?: MappingList;
  @Optional(Flag({ description: 'A blank cell has the value above it' })) readonly fillDown?: boolean;
  @Optional(MapOf(Characters(MAX_TEXT, { min: 0 }), { description: 'What each text stands for' }))
  readonly values?: Readonly<Record<string, string>>;
  @Optional(OneOf(['reject', 'keep'], { description: 'Of texts that `values` does not have' }))
  readonly others?: 'reject' | 'keep';
  @Optional(ArrayOf(Characters(100, { min: 0 }), { description: 'In place of those of the mapping' }))
  readonly missingValues?: readonly string[];
  @Optional(Decimal({ above: 0, description: 'Factor of the numbers' })) readonly multiply?: number;
  @Optional(Characters(1, { description: 'By default a point' })) readonly decimalChar?: string;
  @Optional(Characters(1, { description: 'Between thousands; by default none; a blank is any blank' }))
  readonly groupChar?: string;
  @Optional(Flag({ description: 'False where numbers have other signs around them, such as $ or %' }))
  readonly bareNumber?: boolean;
  @Optional(
    Text(100, {
      description:
        'Signs of strptime, such as `%d/%m/%Y`, or `excel`; `*-%d %b %Y` reads the last day of a range',
    }),
  )
  readonly format?: string;
  @Optional(Text(35, { description: 'Of names of months, such as `fr`; by default `en`' }))
  readonly language?: string;
  @Optional(OneOf(CALENDARS)) readonly calendar?: Calendar;
  @Optional(Flag({ description: 'Rates are dollars for a unit' })) readonly invert?: boolean;
  @Optional(CurrencyCode({ description: 'Rates are units for one of this currency, not for a dollar' }))
  readonly per?: string;
}

/** How the rows of a table become prices, exchange rates, price indices or records. */
@ApiSchema({ limits: true })
export class Mapping {
  @Text(50, { description: 'Small letters, digits and hyphens' }) readonly name!: string;
  @Optional(Text(200, { description: 'What it reads, for people' })) readonly title?: string;
  @Text(50, { description: 'The format whose columns the fields are: `prices`, `fx`, `cpi`, `Market`, …' })
  readonly table!: string;
  @Optional(Text(50, { description: 'Label of the encoding, where the file is not in UTF-8' }))
  readonly encoding?: string;
  @Optional(Text(MAX_TEXT, { description: 'The name of the file in a zip archive of several' }))
  readonly file?: string;
  @Optional(ArrayOf(Characters(100, { min: 0 }), { description: 'Cells that are blank; by default [""]' }))
  readonly missingValues?: readonly string[];
  @Optional(Nested(MappingDialect)) readonly dialect?: MappingDialect;
  @Optional(ArrayOf(Nested(MappingCondition), { description: 'Rows that are left out' }))
  readonly skip?: readonly MappingCondition[];
  @Optional(Nested(MappingCondition, { description: 'The row at which the table ends' }))
  readonly end?: MappingCondition;
  @Optional(Nested(MappingUnpivot)) readonly unpivot?: MappingUnpivot;
  @MapOf(Nested(MappingField), { description: 'By the names of the columns of the format' })
  readonly fields!: Readonly<Record<string, MappingField>>;
}

/** Names of formats that differ from the name of their reference table. */
const FORMAT_NAMES: Readonly<Record<string, string>> = { FxRate: 'fx', Cpi: 'cpi' };

/** Reference tables that hold series of values: the fields of the value and of its frequency. */
const VALUE_TABLES: Readonly<Record<string, Pick<MappedFields, 'value' | 'period' | 'defaultPeriod'>>> = {
  FxRate: { value: 'rate', period: 'period', defaultPeriod: '' },
  Cpi: { value: 'value', period: null, defaultPeriod: 'monthly' },
};
const WITHOUT_VALUES = { value: null, period: null, defaultPeriod: '' } as const;

function contentOfKind(kind: FieldKind): FieldContent {
  if (kind === 'decimal') return 'number';
  return kind === 'date' ? 'date' : 'text';
}

function mappedFieldsOf({ name: table, fields }: ReferenceTable): MappedFields {
  const values = VALUE_TABLES[table] ?? WITHOUT_VALUES;
  const content = [...fields].map(([name, { kind }]) => [name, contentOfKind(kind)] as const);
  return {
    content: new Map<string, FieldContent>([...content, ...(fields.has('date') ? PARTS_OF_DATE : [])]),
    // A frequency is stated, never inferred, although it is optional in the table.
    required: [...fields].flatMap(([name, { required }]) =>
      required || name === values.period ? [name] : [],
    ),
    ...values,
  };
}

/** The tables that mappings fill, by the name of their format. */
export const mappedTables: ReadonlyMap<string, MappedFields> = new Map([
  ['prices', priceFields],
  ...referenceTables().map((table): [string, MappedFields] => [
    FORMAT_NAMES[table.name] ?? table.name,
    mappedFieldsOf(table),
  ]),
]);

/** Members of a field that only some contents can have; all others suit any content. */
const CONTENTS_OF_MEMBER: Readonly<Partial<Record<keyof MappingField, readonly FieldContent[]>>> = {
  multiply: ['number'],
  decimalChar: ['number'],
  groupChar: ['number'],
  bareNumber: ['number'],
  format: ['date'],
  language: ['date', 'part of date'],
  calendar: ['date', 'part of date'],
};

/** Members of a field that say where it comes from. */
const ORIGINS = ['column', 'value', 'file', 'sheet', 'join'] as const satisfies (keyof MappingField)[];

/**
 * Validates a mapping that was parsed from JSON.
 * @returns the mapping, or everything that is wrong with it, each with a pointer to where it is
 * @throws ValidationError if the body is not an object
 */
export function validateMapping(
  body: unknown,
): { readonly value: Mapping } | { readonly violations: readonly Violation[] } {
  return validateNested(Mapping, body, violationsOf);
}

/** Whether a text can be the name of a mapping. */
export const isMappingName = (text: string): boolean => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(text);

/** Whether a name is that of a built-in format; the names of shipped mappings are not. */
export const isFormatName = (name: string): boolean =>
  mappedTables.has(name) || UNMAPPED_FORMATS.includes(name);

type Path = readonly (string | number)[];
type Reject = (path: Path, code: ParseError['code'], reason: string, extras?: ParseError['extras']) => void;

/** What the parts of a mapping, each valid by itself, say that does not fit together. */
function violationsOf(mapping: Mapping): Violation[] {
  const violations: Violation[] = [];
  const reject: Reject = (path, code, reason, extras) =>
    violations.push(nestedViolation(path, new ParseError(code, reason, extras)));
  checkName(mapping.name, reject);
  if (mapping.encoding !== undefined && encodingOf(mapping.encoding) === null)
    reject(['encoding'], 'invalid_choice', 'must be the label of an encoding, such as windows-1252.');
  checkDialect(mapping.dialect ?? {}, reject);
  checkConditions(mapping, reject);
  const table = mappedTables.get(mapping.table);
  if (table === undefined) {
    const allowed = [...mappedTables.keys()];
    reject(['table'], 'invalid_choice', `must be one of ${allowed.join(', ')}.`, { allowed });
    return violations;
  }
  const inColumnNames = checkUnpivot(mapping, table, reject);
  const unpivoted = new Set(mapping.unpivot === undefined ? [] : [...inColumnNames, mapping.unpivot.value]);
  checkFields(mapping, table, { inColumnNames, unpivoted }, reject);
  checkRequired(mapping, table, unpivoted, reject);
  return violations;
}

function checkName(name: string, reject: Reject): void {
  if (!isMappingName(name))
    reject(['name'], 'invalid_format', 'must be small letters and digits, with single hyphens between them.');
  else if (isFormatName(name))
    reject(['name'], 'invalid_choice', `must not be ${name}, which is a format of the service.`);
}

function checkDialect(dialect: MappingDialect, reject: Reject): void {
  const { headerRows, header, sheetName, sheetNumber } = dialect;
  const path = (name: keyof MappingDialect): Path => ['dialect', name];
  for (const name of ['headerRows', 'commentRows'] as const) {
    const rows = dialect[name] ?? [];
    const isRising = rows.every((row, index) => row > (rows[index - 1] ?? 0));
    if (!isRising) reject(path(name), 'invalid_format', 'must be numbers of rows from 1 that rise.');
    if (rows.length > MAX_ROWS || rows.some((row) => row > MAX_ROWS))
      reject(path(name), 'out_of_range', `must be at most ${MAX_ROWS} rows, up to row ${MAX_ROWS}.`);
  }
  if (headerRows?.length === 0 && header !== false)
    reject(path('headerRows'), 'required', 'must have a row; a table without a header has "header": false.');
  if (sheetName !== undefined && sheetNumber !== undefined)
    reject(path('sheetNumber'), 'conflicting_fields', 'must not be given beside sheetName.');
  if (dialect.delimiter !== undefined && /[\r\n]/.test(dialect.delimiter))
    reject(path('delimiter'), 'invalid_format', 'must not be the end of a line.');
  if (dialect.delimiter === '"')
    reject(path('delimiter'), 'invalid_format', 'must not be the sign of quotes.');
}

const hasHeader = ({ dialect }: Mapping): boolean => dialect?.header !== false;

/** Checks a reference to a column, by its name or number. */
function checkColumn(path: Path, column: string | number, mapping: Mapping, reject: Reject): void {
  if (column === 0) reject(path, 'out_of_range', 'must be at least 1.');
  if (typeof column === 'string' && !hasHeader(mapping))
    reject(path, 'invalid_type', 'must be the number of a column, because the table has no header.');
}

function checkConditions(mapping: Mapping, reject: Reject): void {
  const { skip = [], end } = mapping;
  const check = (path: Path, condition: MappingCondition) => {
    const { column, equals, startsWith, blank } = condition;
    checkColumn([...path, 'column'], column, mapping, reject);
    if ([equals, startsWith, blank].filter((member) => member !== undefined).length !== 1)
      reject(path, 'required', 'must have one of equals, startsWith and blank.');
  };
  for (const [index, condition] of skip.entries()) check(['skip', index], condition);
  if (end !== undefined) check(['end'], end);
}

/** @returns the fields in the names of unpivoted columns */
function checkUnpivot(mapping: Mapping, { content }: MappedFields, reject: Reject): readonly string[] {
  const { unpivot } = mapping;
  if (unpivot === undefined) return [];
  if (!hasHeader(mapping))
    reject(['unpivot'], 'conflicting_fields', 'must not be given for a table without a header.');
  const pattern = parsePattern(unpivot.columns);
  const path = ['unpivot', 'columns'];
  if (content.get(unpivot.value) !== 'number')
    reject(['unpivot', 'value'], 'invalid_choice', 'must be a column of the format that has numbers.');
  if ('problem' in pattern) {
    reject(path, 'invalid_format', pattern.problem);
    return [];
  }
  const unknown = pattern.fields.find((name) => !content.has(name) || name === unpivot.value);
  if (unknown !== undefined)
    reject(path, 'unknown_field', `must not have {${unknown}}, which is no field that names can say.`);
  return pattern.fields;
}

/** The fields that unpivoted columns have. */
interface UnpivotedFields {
  /** In their names. */
  readonly inColumnNames: readonly string[];
  /** In their names or cells: a mapping does not say where else these come from. */
  readonly unpivoted: ReadonlySet<string>;
}

function checkFields(
  mapping: Mapping,
  table: MappedFields,
  { inColumnNames, unpivoted }: UnpivotedFields,
  reject: Reject,
): void {
  for (const [name, field] of Object.entries(mapping.fields)) {
    const path = ['fields', name];
    const content = table.content.get(name);
    if (content === undefined) {
      const suggestion = closestMatch(name, [...table.content.keys()]);
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      const extras = suggestion === undefined ? {} : { suggestion };
      reject(path, 'unknown_field', `is not a column of ${mapping.table}.${hint}`, extras);
      continue;
    }
    const origins = ORIGINS.filter((origin) => field[origin] !== undefined);
    if (unpivoted.has(name) && origins.length > 0)
      reject([...path, origins[0]!], 'conflicting_fields', 'must not be given: unpivot has the field.');
    else if (!unpivoted.has(name) && origins.length !== 1)
      reject(path, 'required', `must have one of ${ORIGINS.join(', ')}.`);
    checkField(path, name, field, content, reject);
    checkList(path, name, field, inColumnNames, reject);
    for (const column of [field.column ?? [], field.join ?? []].flat())
      checkColumn(path, column, mapping, reject);
  }
}

function checkField(
  path: Path,
  name: string,
  field: MappingField,
  content: FieldContent,
  reject: Reject,
): void {
  for (const [member, contents] of Object.entries(CONTENTS_OF_MEMBER))
    if (Object.hasOwn(field, member) && !contents.includes(content))
      reject([...path, member], 'unknown_field', `is of ${contents[0]}s, and ${name} is none.`);
  for (const origin of ['file', 'sheet'] as const)
    if (field[origin] !== undefined) checkPattern([...path, origin], field[origin], name, reject);
  for (const member of ['invert', 'per'] as const)
    if (Object.hasOwn(field, member) && name !== 'rate')
      reject([...path, member], 'unknown_field', 'is of rates.');
  const requireBeside = (member: keyof MappingField, needed: keyof MappingField) => {
    const isSet = field[member] !== undefined && field[member] !== false;
    if (isSet && field[needed] === undefined)
      reject([...path, member], 'conflicting_fields', `must not be given without ${needed}.`);
  };
  requireBeside('others', 'values');
  requireBeside('fillDown', 'column');
  requireBeside('joinWith', 'join');
  if (field.join?.length === 0) reject([...path, 'join'], 'required', 'must have a column.');
  const { decimalChar = '.', groupChar } = field;
  for (const member of ['decimalChar', 'groupChar'] as const)
    if (/[\d+-]/.test(field[member] ?? ''))
      reject([...path, member], 'invalid_format', 'must be no digit or sign.');
  if (decimalChar === groupChar)
    reject([...path, 'groupChar'], 'conflicting_fields', 'must not be decimalChar.');
  if (field.language !== undefined && !isLanguage(field.language))
    reject([...path, 'language'], 'invalid_choice', 'must be the tag of a language, such as fr.');
  const problem =
    field.format === undefined ? null : dateFormatProblem(field.format, field.calendar ?? 'gregorian');
  if (problem !== null) reject([...path, 'format'], 'invalid_format', problem);
}

/** Checks a pattern of the name of a file or a sheet, from which a field is read. */
function checkPattern(path: Path, text: string, field: string, reject: Reject): void {
  const pattern = parsePattern(text);
  if ('problem' in pattern) reject(path, 'invalid_format', pattern.problem);
  else if (!pattern.fields.includes(field)) reject(path, 'invalid_format', `must have {${field}}.`);
}

/** @param inColumnNames the fields in the names of unpivoted columns: one of them finds an item */
function checkList(
  path: Path,
  name: string,
  { list, column, fillDown }: MappingField,
  inColumnNames: readonly string[],
  reject: Reject,
): void {
  if (list === undefined) return;
  const item = [...path, 'list', 'item'];
  if (column === undefined || fillDown === true)
    reject([...path, 'list'], 'conflicting_fields', 'must be given with column, and without fillDown.');
  const pattern = parsePattern(list.item);
  if ('problem' in pattern) return void reject(item, 'invalid_format', pattern.problem);
  const others = pattern.fields.filter((field) => field !== name);
  if (others.length !== 1 || pattern.fields.length !== 2 || !inColumnNames.includes(others[0]!))
    reject(item, 'invalid_format', `must have {${name}} and one field of unpivot.columns.`);
}

/** Whether names of months of a language are known. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    // `tag` is not a language tag at all.
    return false;
  }
}

function checkRequired(
  { fields }: Mapping,
  { required }: MappedFields,
  unpivoted: ReadonlySet<string>,
  reject: Reject,
): void {
  const has = (name: string) => Object.hasOwn(fields, name) || unpivoted.has(name);
  const parts = ['year', 'month'].filter(has);
  if (parts.length > 0 && has('date'))
    reject(['fields', parts[0]!], 'conflicting_fields', 'must not be given beside date.');
  if (parts.length === 1) reject(['fields'], 'required', 'must have year and month, or date.');
  for (const name of required)
    if (!has(name) && !(name === 'date' && parts.length > 0))
      reject(['fields', name], 'required', 'is required.');
}
