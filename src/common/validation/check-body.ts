import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { cut, type Violation, ValidationError, MAX_VIOLATIONS } from '../errors/api-error.js';
import { nearest } from '../filtering/nearest.js';
import { ParseError } from '../filtering/parsers.js';
import { fieldsOf, tooManyDigits } from './fields.js';
import { overlongNumbers } from './json-text.js';

export interface BodyCheck<T> {
  /** PATCH: fields may be left out, required ones too. */
  partial?: boolean;
  /** Other names a field may be sent under: `{ name: 'commodity_name' }`. */
  aliases?: Readonly<Record<string, string>>;
  /** Faults that were found elsewhere in the request, to be told with those of the body. */
  faults?: readonly Violation[];
  /** Rules between fields, and with the address; only asked when every field is fine by itself. */
  also?: (instance: T, sentAs: (field: string) => string) => Violation[];
}

/** A fault of a body's field. */
export function bodyViolation(name: string, refusal: ParseError): Violation {
  return {
    in: 'body',
    name: cut(name),
    pointer: pointer(name),
    code: refusal.code,
    detail: `${cut(name)} ${refusal.reason}`,
    ...refusal.extras,
  };
}

/**
 * An instance of the DTO made of a parsed JSON body; fields that were not sent are absent. Values that are objects or
 * arrays never reach a validator, however deep they are, and names that are special to JavaScript are unknown fields.
 * @throws InvalidInput with one fault for each bad field, and those of elsewhere
 */
export function checkBody<T extends object>(dto: new () => T, body: unknown, options: BodyCheck<T> = {}): T {
  assertObject(body);
  const fields = new Map(fieldsOf(dto).map((field) => [field.name, field]));
  const aliases = options.aliases ?? {};
  const names = new Map<string, string>();
  const sentAs = (field: string): string => names.get(field) ?? field;
  const faults: Violation[] = [...(options.faults ?? [])];
  const elsewhere = faults.length;
  const refuse = (name: string, refusal: ParseError) => faults.push(bodyViolation(name, refusal));

  const fine: Record<string, unknown> = {};
  const overlong = overlongNumbers(body);
  for (const [name, value] of Object.entries(body)) {
    const target = Object.hasOwn(aliases, name) ? (aliases[name] as string) : name;
    const field = fields.get(target);
    if (field === undefined) {
      refuse(name, unknown(name, [...fields.keys(), ...Object.keys(aliases)], faults.length));
      continue;
    }
    const earlier = names.get(target);
    if (earlier !== undefined) {
      if (body[earlier] !== value) for (const both of [earlier, name]) refuse(both, conflict(earlier, name));
      continue;
    }
    names.set(target, name);
    if (value === null && !field.nullable) refuse(name, new ParseError('null', 'may not be null.'));
    else if (typeof value === 'object' && value !== null) refuse(name, nested);
    else if (overlong.has(name)) refuse(name, tooManyDigits);
    else fine[target] = value;
  }
  if (!options.partial) {
    for (const field of fields.values()) {
      if (field.required && !names.has(field.name))
        refuse(field.name, new ParseError('required', 'is required.'));
    }
  }

  const instance = plainToInstance(dto, fine);
  for (const error of validateSync(instance, { skipMissingProperties: true, forbidUnknownValues: false })) {
    // A class-validator decorator of another kind knows no code of ours.
    const refusal =
      fields.get(error.property)?.check(error.value) ?? new ParseError('invalid_format', 'is not valid.');
    refuse(sentAs(error.property), refusal);
  }
  if (faults.length === elsewhere) faults.push(...(options.also?.(instance, sentAs) ?? []));
  if (faults.length > 0) throw new ValidationError(faults);
  return instance;
}

/** @throws InvalidInput unless the body is a JSON object */
export function assertObject(body: unknown): asserts body is Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw new ValidationError([
    { in: 'body', pointer: '', code: 'invalid_type', detail: 'The body must be a JSON object.' },
  ]);
}

const conflict = (one: string, other: string): ParseError =>
  new ParseError('conflicting_fields', `differs: ${one} and ${other} are the same field.`);

const nested = new ParseError('invalid_type', 'may not be an object or an array.');

function unknown(name: string, known: readonly string[], faultsSoFar: number): ParseError {
  const suggestion = faultsSoFar < MAX_VIOLATIONS ? nearest(name, known) : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return new ParseError(
    'unknown_field',
    `is not a field of this record.${hint}`,
    suggestion === undefined ? {} : { suggestion },
  );
}

/** JSON Pointer (RFC 6901) to a member of the body. */
function pointer(name: string): string {
  return `/${cut(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
