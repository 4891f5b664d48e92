import type { Type } from '@nestjs/common';
import { MAX_VIOLATIONS, truncate, type Violation } from '../errors/api-error.js';
import { type FieldType, fieldsOf } from './field.js';
import { ParseError } from './parsers.js';
import { assertObject, unknownField } from './validate-body.js';

/**
 * Validates a parsed JSON body of objects and arrays within one another. How deep it is followed
 * depends on the class alone: what is deeper than that is a violation, however deep it is.
 * @param crossFieldRules checked only when each member is valid by itself
 * @returns the body with its texts normalized; members that were not sent are absent
 * @throws ValidationError for a body that is no object
 */
export function validateNested<T extends object>(
  dto: Type<T>,
  body: unknown,
  crossFieldRules: (value: T) => Violation[] = () => [],
): { readonly value: T } | { readonly violations: readonly Violation[] } {
  assertObject(body);
  const violations: Violation[] = [];
  const value = readObject(dto, body, [], violations) as T;
  if (violations.length === 0) violations.push(...crossFieldRules(value));
  return violations.length === 0 ? { value } : { violations };
}

/** The violation of a member of a nested body. @param path names and indexes of what it is in */
export function nestedViolation(path: readonly (string | number)[], error: ParseError): Violation {
  const shown = path.map((step) => truncate(String(step)));
  const name = shown.join('.');
  return {
    in: 'body',
    name,
    pointer: shown.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    code: error.code,
    detail: `${name} ${error.reason}`,
    ...error.extras,
  };
}

type Path = readonly (string | number)[];

function readObject(dto: Type, body: object, path: Path, violations: Violation[]): object {
  const fields = new Map(fieldsOf(dto).map((field) => [field.name, field]));
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    const field = fields.get(name);
    if (field === undefined)
      violations.push(
        nestedViolation([...path, name], unknownField(name, [...fields.keys()], violations.length)),
      );
    else members.push([name, readValue(field, value, [...path, name], violations)]);
  }
  for (const { name, required } of fields.values())
    if (required && !Object.hasOwn(body, name))
      violations.push(nestedViolation([...path, name], new ParseError('required', 'is required.')));
  return Object.fromEntries(members);
}

function readValue(type: FieldType, value: unknown, path: Path, violations: Violation[]): unknown {
  const reject = (error: ParseError) => {
    violations.push(nestedViolation(path, error));
    return undefined;
  };
  if (value === null) return type.nullable ? null : reject(new ParseError('null', 'must not be null.'));
  const { parts } = type;
  if (parts === undefined) {
    if (typeof value === 'object')
      return reject(new ParseError('invalid_type', 'must not be an object or an array.'));
    const normalized = type.normalize === undefined ? value : type.normalize(value);
    const error = type.check(normalized);
    return error === null ? normalized : reject(error);
  }
  if (parts.kind === 'either') return readEither(parts.types, value, path, violations);
  if (parts.kind === 'array') {
    if (!Array.isArray(value)) return reject(new ParseError('invalid_type', 'must be an array.'));
    return readItems(value, violations, (item, index) =>
      readValue(parts.items, item, [...path, index], violations),
    );
  }
  if (typeof value !== 'object' || Array.isArray(value))
    return reject(new ParseError('invalid_type', 'must be an object.'));
  if (parts.kind === 'object') return readObject(parts.shape, value, path, violations);
  const members = readItems(Object.entries(value), violations, ([name, member]) => [
    name,
    readValue(parts.values, member, [...path, name], violations),
  ]);
  return Object.fromEntries(members as [string, unknown][]);
}

/** Reads items until there are more violations than a reply shows. */
function readItems<V>(
  items: readonly V[],
  violations: readonly Violation[],
  read: (item: V, index: number) => unknown,
): unknown[] {
  const values: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (violations.length > MAX_VIOLATIONS) break;
    values.push(read(item, index));
  }
  return values;
}

/** The first type, unless the value is not of its JSON type. */
function readEither(
  [first, second]: readonly [FieldType, FieldType],
  value: unknown,
  path: Path,
  violations: Violation[],
): unknown {
  const ofFirst: Violation[] = [];
  const read = readValue(first, value, path, ofFirst);
  const isOfItself = ({ code, pointer }: Violation) =>
    code === 'invalid_type' && pointer === nestedViolation(path, nothing).pointer;
  if (!ofFirst.some(isOfItself)) {
    violations.push(...ofFirst);
    return read;
  }
  const ofSecond: Violation[] = [];
  const other = readValue(second, value, path, ofSecond);
  const wrong = ofSecond.find(isOfItself);
  if (wrong === undefined) violations.push(...ofSecond);
  else {
    const [one, two] = [ofFirst[0]!, wrong].map(({ detail }) => detail.split(' must be ')[1]);
    const expected = one === undefined || two === undefined ? '' : `${one.replace(/\.$/, '')} or ${two}`;
    violations.push(
      nestedViolation(
        path,
        new ParseError(
          'invalid_type',
          expected === '' ? 'is not of the type of the field.' : `must be ${expected}`,
        ),
      ),
    );
  }
  return other;
}

const nothing = new ParseError('invalid_type', '');
