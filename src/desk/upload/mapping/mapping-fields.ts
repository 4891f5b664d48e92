import { isDeepStrictEqual } from 'node:util';
import { currencyLife } from '../../../lib/codes/currency-lives.js';
import type { Mapping } from '../../../import/mappings/mapping.js';
import type { Proposal, Question } from '../../../import/mappings/propose/proposal.js';
import type { Violation } from '../../../platform/errors/api-error.js';
import { mappingTexts as texts } from '../../texts/mapping.js';

/*
 * A mapping as the fields of a form, and back. A form has the parts that proposals have; what else
 * a mapping can say is in its JSON, which the form has, too.
 */

type MappingField = Mapping['fields'][string];
type MappingCondition = NonNullable<Mapping['end']>;
type FieldName = keyof typeof texts.fields;

const RATE_FIELDS: readonly FieldName[] = [
  ...(['currency', 'date', 'year', 'month', 'period', 'rate', 'rate_type', 'source'] as const),
];
const INDEX_FIELDS: readonly FieldName[] = [
  ...(['iso3_country_code', 'date', 'year', 'month', 'item', 'base_period', 'value', 'source'] as const),
];
const PRICE_FIELDS = (Object.keys(texts.fields) as FieldName[]).filter(
  (name) => !['period', 'rate', 'rate_type', 'item', 'base_period', 'value'].includes(name),
);

/** The fields that the form has for a table. */
export const formFieldsOf = (table: string): readonly FieldName[] =>
  table === 'fx' ? RATE_FIELDS : table === 'cpi' ? INDEX_FIELDS : PRICE_FIELDS;

/** The field of the values of a table. */
export const valueFieldOf = (table: string): FieldName =>
  table === 'fx' ? 'rate' : table === 'cpi' ? 'value' : 'price_value';

/** Those with dates. */
const DATES = ['date', 'year', 'month'] as const;

/** The numbers of the conditions of the form for rows that are left out. */
export const skipNumbers = (form: URLSearchParams): number[] =>
  [...form].flatMap(([name, column]) => {
    const number = /^skip\.(\d{1,4})\.column$/.exec(name)?.[1];
    return number === undefined || column.trim() === '' ? [] : [Number(number)];
  });

/** Whether the columns that become rows have a field in their headers. */
export const isInHeaders = (pattern: string, field: string): boolean => pattern.includes(`{${field}}`);

/** The fields of the form for a mapping. */
export function fieldsOfMapping(mapping: Mapping, columns: Proposal['columns']): URLSearchParams {
  const form = new URLSearchParams();
  const set = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== '') form.set(name, value);
  };
  const numberOf = (ref: string | number) =>
    typeof ref === 'number' ? ref : columns.findIndex((column) => column.ref === ref) + 1;
  const condition = (name: string, one: MappingCondition) => {
    set(`${name}.column`, String(numberOf(one.column)));
    const is = one.blank === true ? 'blank' : one.equals !== undefined ? 'equals' : 'startsWith';
    set(`${name}.is`, is);
    set(`${name}.text`, one.equals ?? one.startsWith);
  };
  set('name', mapping.name);
  set('unpivot', mapping.unpivot?.columns);
  set('missing', (mapping.missingValues ?? []).filter((mark) => mark !== '').join('\n'));
  (mapping.skip ?? []).forEach((one, index) => condition(`skip.${index}`, one));
  if (mapping.end !== undefined) condition('end', mapping.end);
  for (const [name, field] of Object.entries(mapping.fields)) {
    if (field.column !== undefined) set(`from.${name}`, `column:${numberOf(field.column)}`);
    else if (field.join !== undefined) set(`from.${name}`, `join:${field.join.map(numberOf).join(',')}`);
    else if (field.value !== undefined) {
      set(`from.${name}`, 'value');
      set(`value.${name}`, field.value);
    }
    set(`fill.${name}`, field.fillDown === true ? 'true' : undefined);
    set(`values.${name}`, linesOf(field.values));
    set(`format.${name}`, field.format);
    set(`language.${name}`, field.language);
    set(`calendar.${name}`, field.calendar);
  }
  const value = mapping.fields[mapping.unpivot?.value ?? valueFieldOf(mapping.table)] ?? {};
  form.set('decimal', value.decimalChar ?? '.');
  set('group', value.groupChar);
  set('money', value.bareNumber === false ? 'true' : undefined);
  set('multiply', value.multiply?.toString());
  if (mapping.table === 'fx') {
    set('direction.rate', directionOf(value));
    set('per.rate', value.per);
  }
  return form;
}

const linesOf = (values: MappingField['values']): string | undefined =>
  values &&
  Object.entries(values)
    .map(([text, value]) => `${text} = ${value}`)
    .join('\n');

/** For what rates are. */
const directionOf = ({ invert = false, per }: MappingField): string =>
  per === undefined ? (invert ? 'unit' : 'dollar') : invert ? 'of' : 'per';

/** The fields of the form for a proposal: what is asked is blank, or has the probable answer. */
export function fieldsOfProposal({ mapping, columns, questions }: Proposal): URLSearchParams {
  const form = fieldsOfMapping(mapping, columns);
  for (const question of questions) {
    const name = inputOf(question.control);
    if (name.startsWith('values.')) continue;
    form.delete(name);
    if (question.proposed !== null) setAnswer(form, name, question.proposed);
    else if (isOfAllRows(question)) form.set(name, 'value');
  }
  return form;
}

/** Whether a question is one for a text, which no column has. */
const isOfAllRows = ({ control, answers }: Question): boolean =>
  /^fields\.\w+$/.test(control) && !answers.some(({ value }) => !value.startsWith('value:'));

function setAnswer(form: URLSearchParams, name: string, answer: string): void {
  const [, direction, per] = name === 'direction.rate' ? (/^(\w+):(\w+)$/.exec(answer) ?? []) : [];
  if (direction !== undefined) {
    form.set(name, direction);
    form.set('per.rate', per!);
    return;
  }
  const [, text] = /^value:(.*)$/s.exec(answer) ?? [];
  form.set(name, text === undefined ? answer : 'value');
  if (text !== undefined) form.set(name.replace('from.', 'value.'), text);
}

/** The name of the field of the form for a control. */
export function inputOf(control: string): string {
  const [, field, part] = /^fields\.(\w+)(?:\.(\w+))?$/.exec(control) ?? [];
  if (part === 'decimalChar') return 'decimal';
  if (part === 'bareNumber') return 'money';
  if (part === 'multiply') return 'multiply';
  if (part === 'fillDown') return `fill.${field}`;
  if (part !== undefined) return `${part}.${field}`;
  if (field !== undefined) return `from.${field}`;
  return OTHER_INPUTS[control] ?? control;
}

const OTHER_INPUTS: Readonly<Record<string, string>> = {
  'unpivot.columns': 'unpivot',
  'dialect.sheetName': 'sheet',
  'dialect.delimiter': 'delimiter',
  'dialect.headerRows': 'headerRows',
  missingValues: 'missing',
};

/** Whether a form answers a question. */
export function isAnswered(form: URLSearchParams, { control }: Question): boolean {
  const name = inputOf(control);
  const value = form.get(name)?.trim() ?? '';
  if (name === 'direction.rate' && ['per', 'of'].includes(value))
    return (form.get('per.rate')?.trim() ?? '') !== '';
  if (name.startsWith('values.'))
    return Object.values(valuesOf(form.get(name) ?? '')).every((text) => text !== '');
  if (value !== 'value') return value !== '';
  return (form.get(name.replace('from.', 'value.'))?.trim() ?? '') !== '';
}

/**
 * The mapping that a form says, or what is missing.
 * @param known the mapping that the form showed; what a form cannot say is kept from it
 */
export function mappingOfFields(
  form: URLSearchParams,
  { mapping: proposed, columns, questions }: Proposal,
  known: Mapping | null = null,
): { mapping: unknown; violations: Violation[] } {
  const json = form.get('use_json') === 'true' ? (form.get('json') ?? '') : null;
  if (json !== null)
    try {
      return { mapping: JSON.parse(json) as unknown, violations: [] };
    } catch {
      return { mapping: null, violations: [violationOf('json', texts.notJson)] };
    }
  const violations = questions
    .filter((question) => !isAnswered(form, question))
    .map((question) => violationOf(inputOf(question.control), texts.unanswered(question.text)));
  const get = (name: string) => form.get(name)?.trim() ?? '';
  const refOf = (number: string) => columns[Number(number) - 1]?.ref ?? Number(number);
  const condition = (name: string): MappingCondition | null => {
    const column = get(`${name}.column`);
    if (column === '') return null;
    const is = get(`${name}.is`);
    const text = get(`${name}.text`);
    if (is === 'blank') return { column: refOf(column), blank: true };
    return { column: refOf(column), ...(is === 'startsWith' ? { startsWith: text } : { equals: text }) };
  };
  const skip = skipNumbers(form).map((number) => condition(`skip.${number}`)!);
  const end = condition('end');
  const marks = (form.get('missing') ?? '')
    .split(/\r?\n/)
    .map((mark) => mark.trim())
    .filter((mark) => mark !== '');
  const unpivot = get('unpivot');
  const fields: Record<string, unknown> = { ...fieldsBeyond(form, proposed.table, known) };
  const valueField = valueFieldOf(proposed.table);
  const isSignAsked = questions.some(({ control }) => inputOf(control) === 'decimal');
  const said = withNamesOfHeaders(form, proposed, unpivot);
  for (const name of formFieldsOf(proposed.table)) {
    const field = fieldOf(said, name, { unpivot, valueField, isSignAsked }, refOf);
    if (field !== null) fields[name] = { ...field, ...membersBeyond(name, field, valueField, known) };
  }
  const except = known?.unpivot?.columns === unpivot ? known.unpivot.except : undefined;
  const sheet = get('sheet');
  const encoding = get('encoding');
  return {
    mapping: {
      name: get('name') || proposed.name,
      ...(known?.title === undefined ? {} : { title: known.title }),
      table: proposed.table,
      ...(encoding === '' ? {} : { encoding }),
      ...(known?.file === undefined ? {} : { file: known.file }),
      ...(marks.length === 0 ? {} : { missingValues: ['', ...marks] }),
      dialect: { ...(known ?? proposed).dialect, ...(sheet === '' ? {} : { sheetName: sheet }) },
      ...(skip.length === 0 ? {} : { skip }),
      ...(end === null ? {} : { end }),
      ...(unpivot === ''
        ? {}
        : { unpivot: { columns: unpivot, value: valueField, ...(except && { except }) } }),
      fields,
    },
    violations,
  };
}

/** The names that headers may have. */
const NAMES = ['market', 'commodity'] as const;

/** The form with the names of headers at the field that people say they are of. */
function withNamesOfHeaders(form: URLSearchParams, proposed: Mapping, unpivot: string): URLSearchParams {
  const namesIn = (pattern: string) => NAMES.filter((name) => isInHeaders(pattern, name));
  const [before, ...others] = namesIn(proposed.unpivot?.columns ?? '');
  const [after, ...more] = namesIn(unpivot);
  if (before === undefined || after === undefined || before === after) return form;
  const listed = valuesOf(form.get(`values.${before}`) ?? '');
  const isProposed = isDeepStrictEqual(listed, proposed.fields[before]?.values ?? {});
  if (others.length > 0 || more.length > 0 || !isProposed || form.get(`values.${after}`)) return form;
  const moved = new URLSearchParams(form);
  moved.delete(`values.${before}`);
  moved.set(`values.${after}`, linesOf(listed)!);
  return moved;
}

/** The fields of a mapping that the form does not have, or not as they are. */
function fieldsBeyond(form: URLSearchParams, table: string, known: Mapping | null): Mapping['fields'] {
  const names: readonly string[] = formFieldsOf(table);
  const isBeyond = ([name, field]: [string, MappingField]) =>
    !names.includes(name) ||
    ((field.file !== undefined || field.sheet !== undefined) && (form.get(`from.${name}`) ?? '') === '');
  return Object.fromEntries(Object.entries(known?.fields ?? {}).filter(isBeyond));
}

const ORIGINS = ['column', 'join', 'value'] as const;
/** The members that the form has of values, and of rates beside them. */
const NUMBER_MEMBERS = ['decimalChar', 'groupChar', 'bareNumber', 'multiply'];
const RATE_MEMBERS = ['invert', 'per'];
const DATE_MEMBERS = ['format', 'language', 'calendar'];

/** What a mapping says of a field that the form cannot say, where the field comes from the same. */
function membersBeyond(
  name: FieldName,
  field: MappingField,
  valueField: FieldName,
  known: Mapping | null,
): Partial<MappingField> {
  const before = known?.fields[name];
  const originOf = (one: MappingField) => JSON.stringify(ORIGINS.map((origin) => one[origin] ?? null));
  if (before === undefined || originOf(before) !== originOf(field)) return {};
  const inForm = new Set<string>([
    ...ORIGINS,
    ...['fillDown', 'values'],
    ...((DATES as readonly string[]).includes(name) ? DATE_MEMBERS : []),
    ...(name === valueField ? NUMBER_MEMBERS : []),
    ...(name === 'rate' ? RATE_MEMBERS : []),
  ]);
  return Object.fromEntries(Object.entries(before).filter(([member]) => !inForm.has(member)));
}

/** @returns null for a field that is not read */
function fieldOf(
  form: URLSearchParams,
  name: FieldName,
  { unpivot, valueField, isSignAsked }: { unpivot: string; valueField: FieldName; isSignAsked: boolean },
  refOf: (number: string) => string | number,
): object | null {
  const get = (part: string) => form.get(`${part}.${name}`)?.trim() ?? '';
  const isTaken = unpivot !== '' && (name === valueField || isInHeaders(unpivot, name));
  const origin = isTaken ? {} : originOf(get('from'), get('value'), name, refOf);
  if (origin === null) return null;
  const values = valuesOf(form.get(`values.${name}`) ?? '');
  const isDate = (DATES as readonly string[]).includes(name);
  const said = {
    ...origin,
    ...(get('fill') === 'true' && 'column' in origin ? { fillDown: true } : {}),
    ...(Object.keys(values).length === 0 || 'value' in origin ? {} : { values }),
    ...(name === 'date' && get('format') !== '' ? { format: get('format') } : {}),
    ...(isDate && !['', 'en'].includes(get('language')) && name !== 'year'
      ? { language: get('language') }
      : {}),
    ...(isDate && !['', 'gregorian'].includes(get('calendar')) && name !== 'month'
      ? { calendar: get('calendar') }
      : {}),
    ...(name === valueField ? numberOf(form, isSignAsked) : {}),
    ...(name === 'rate' ? quotationOf(get('direction'), get('per')) : {}),
  };
  return isTaken && Object.keys(said).length === 0 ? null : said;
}

function originOf(
  from: string,
  value: string,
  name: FieldName,
  refOf: (number: string) => string | number,
): object | null {
  if (from === 'value') return value === '' ? null : { value: name === 'currency' ? codeOf(value) : value };
  const [, kind, numbers = ''] = /^(column|join):([\d,]+)$/.exec(from) ?? [];
  if (kind === undefined) return null;
  return kind === 'column' ? { column: refOf(numbers) } : { join: numbers.split(',').map(refOf) };
}

/** A code in capitals where it is one in small letters. */
const codeOf = (text: string): string =>
  currencyLife(text.toUpperCase()) === null ? text : text.toUpperCase();

/** For what rates are, of an answer. */
function quotationOf(direction: string, per: string): Pick<MappingField, 'invert' | 'per'> {
  return {
    ...(['unit', 'of'].includes(direction) ? { invert: true } : {}),
    ...(['per', 'of'].includes(direction) && per !== '' ? { per: codeOf(per) } : {}),
  };
}

/** @param isSignAsked whether people say which sign is the decimal one: the other is no decimal */
function numberOf(form: URLSearchParams, isSignAsked: boolean): object {
  const decimal = form.get('decimal') ?? '';
  // Not trimmed: a blank is a sign.
  const group = (form.get('group') ?? '') || (isSignAsked ? (decimal === ',' ? '.' : ',') : '');
  const multiply = form.get('multiply')?.trim() ?? '';
  return {
    ...(['', '.'].includes(decimal) ? {} : { decimalChar: decimal }),
    ...(group === '' ? {} : { groupChar: group }),
    ...(form.get('money') === 'true' ? { bareNumber: false } : {}),
    ...(multiply === '' ? {} : { multiply: Number(multiply) }),
  };
}

/** What texts stand for, of lines `text = value`. */
function valuesOf(lines: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of lines.split(/\r?\n/)) {
    const at = line.lastIndexOf('=');
    if (at < 0) continue;
    values[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return values;
}

const violationOf = (name: string, detail: string): Violation => ({
  in: 'body',
  name,
  code: 'required',
  detail,
});
