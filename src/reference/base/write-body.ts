import type { Violation } from '../../common/errors/api-error.js';
import { ParseError } from '../../common/filtering/parsers.js';
import { bodyViolation, validateBody } from '../../common/validation/validate-body.js';
import type { FieldNames, ReferenceDto } from './write-fields.js';
import type { RecordValues } from './table-statements.js';

export interface WriteRules {
  /** PATCH: only the fields to change are sent. */
  partial?: boolean;
  /** The id in the address, which an id in the body must equal; null for POST. */
  id: number | null;
  /** Violations found elsewhere in the request, reported together with those of the body. */
  violations: readonly Violation[];
}

/**
 * Validates a body and returns it as values of the entity; fields that were not sent are absent.
 * @throws ValidationError with all violations, under the field names that the caller used
 */
export function validateWrite(
  dto: ReferenceDto,
  names: FieldNames,
  body: object,
  rules: WriteRules,
): RecordValues {
  const ids = idViolations(names, body, rules.id);
  const violations = [...rules.violations, ...ids];
  // A violation of the id rules is not reported a second time as one of the field.
  const rest = ids.length === 0 ? body : without(body, ids);
  const { partial = false } = rules;
  return names.valuesOf(validateBody(dto, rest, { partial, aliases: names.aliases, violations }));
}

/** Violations for an id in the body of a POST, or one that differs from the address. */
function idViolations(names: FieldNames, body: object, id: number | null): Violation[] {
  const violations: Violation[] = [];
  for (const name of ['id', names.id]) {
    if (!Object.hasOwn(body, name)) continue;
    const sent = (body as Record<string, unknown>)[name];
    if (id === null)
      violations.push(bodyViolation(name, new ParseError('read_only', 'is set by the service.')));
    else if (typeof sent === 'number' && Number.isInteger(sent) && sent !== id)
      violations.push(bodyViolation(name, new ParseError('id_mismatch', 'must be the id in the address.')));
  }
  return violations;
}

function without(body: object, violations: readonly Violation[]): object {
  const names = new Set(violations.map(({ name }) => name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
