import { validateSync } from 'class-validator';
import { truncate, type Violation, ValidationError, MAX_VIOLATIONS } from '../errors/api-error.js';
import { closestMatch } from '../../lib/text/closest-match.js';
import { ParseError } from './parsers.js';
import { fieldsOf } from './field.js';
import { tooManyDigits } from './fields.js';
import { lostInParsing } from './json-text.js';

export interface ValidateBodyOptions<T> {
  /** PATCH: fields may be left out, required ones too. */
  partial?: boolean;
  /** Other names a field may be sent under: `{ name: 'commodity_name' }`. */
  aliases?: Readonly<Record<string, string>>;
  /** Violations found elsewhere in the request, reported together with those of the body. */
  violations?: readonly Violation[];
  /** Rules between fields, or with the address; checked only when each field is valid by itself. */
  crossFieldRules?: (instance: T, sentAs: (field: string) => string) => Violation[];
}

/** The violation for an invalid field of the body. */
export function bodyViolation(name: string, error: ParseError): Violation {
  return {
    in: 'body',
    name: truncate(name),
    pointer: pointer(name),
    code: error.code,
    detail: `${truncate(name)} ${error.reason}`,
    ...error.extras,
  };
}

/**
 * Validates a parsed JSON body and returns it as an instance of the DTO; fields that were not sent
 * are absent. Objects and arrays, however deep, never reach a validator, and names that are special
 * in JavaScript are unknown fields.
 * @throws ValidationError with one violation per invalid field, and those passed in the options
 */
export function validateBody<T extends object>(
  dto: new () => T,
  body: unknown,
  options: ValidateBodyOptions<T> = {},
): T {
  assertObject(body);
  const fields = new Map(fieldsOf(dto).map((field) => [field.name, field]));
  const aliases = options.aliases ?? {};
  const names = new Map<string, string>();
  const sentAs = (field: string): string => names.get(field) ?? field;
  const violations: Violation[] = [...(options.violations ?? [])];
  const violationsElsewhere = violations.length;
  const reject = (name: string, error: ParseError) => violations.push(bodyViolation(name, error));

  const instance = new dto();
  const values = instance as Record<string, unknown>;
  const { overlong } = lostInParsing(body);
  for (const [name, value] of Object.entries(body)) {
    const target = Object.hasOwn(aliases, name) ? (aliases[name] as string) : name;
    const field = fields.get(target);
    if (field === undefined) {
      reject(name, unknownField(name, [...fields.keys(), ...Object.keys(aliases)], violations.length));
      continue;
    }
    const earlier = names.get(target);
    if (earlier !== undefined) {
      if (body[earlier] !== value) {
        reject(earlier, conflictWith(name));
        reject(name, conflictWith(earlier));
      }
      continue;
    }
    names.set(target, name);
    if (value === null && !field.nullable) reject(name, new ParseError('null', 'must not be null.'));
    else if (typeof value === 'object' && value !== null) reject(name, notScalar);
    else if (overlong.has(name)) reject(name, tooManyDigits);
    else values[target] = field.normalize === undefined ? value : field.normalize(value);
  }
  if (!options.partial) {
    for (const field of fields.values()) {
      if (field.required && !names.has(field.name))
        reject(field.name, new ParseError('required', 'is required.'));
    }
  }

  for (const error of validateSync(instance, { skipMissingProperties: true, forbidUnknownValues: false })) {
    // Other class-validator decorators have no violation code.
    const reason =
      fields.get(error.property)?.check(error.value) ?? new ParseError('invalid_format', 'is not valid.');
    reject(sentAs(error.property), reason);
  }
  if (violations.length === violationsElsewhere)
    violations.push(...(options.crossFieldRules?.(instance, sentAs) ?? []));
  if (violations.length > 0) throw new ValidationError(violations);
  return instance;
}

/** @throws ValidationError unless the body is a JSON object */
export function assertObject(body: unknown): asserts body is Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw new ValidationError([
    { in: 'body', pointer: '', code: 'invalid_type', detail: 'The body must be a JSON object.' },
  ]);
}

/** @throws ValidationError for names that occur more than once in the text of a parsed body */
export function assertUniqueNames(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const repeated = [...lostInParsing(body).repeated];
  if (repeated.length > 0)
    throw new ValidationError(repeated.map((name) => bodyViolation(name, duplicateName)));
}

const duplicateName = new ParseError('duplicate_name', 'must not occur more than once.');

const conflictWith = (other: string): ParseError =>
  new ParseError('conflicting_fields', `must equal ${other}, which is the same field.`);

const notScalar = new ParseError('invalid_type', 'must not be an object or an array.');

/** @param violationsSoFar where there are many, no candidate is looked for */
export function unknownField(
  name: string,
  candidates: readonly string[],
  violationsSoFar: number,
): ParseError {
  const suggestion = violationsSoFar < MAX_VIOLATIONS ? closestMatch(name, candidates) : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return new ParseError(
    'unknown_field',
    `is not a field of this record.${hint}`,
    suggestion === undefined ? {} : { suggestion },
  );
}

/** JSON Pointer (RFC 6901) to a member of the body. */
function pointer(name: string): string {
  return `/${truncate(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
