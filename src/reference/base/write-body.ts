import type { Request } from 'express';
import { type Violation, ValidationError } from '../../platform/errors/api-error.js';
import { ParseError, parseId } from '../../platform/validation/parsers.js';
import { bodyParameter } from '../../platform/http/params.js';
import { bodyViolation, validateBody } from '../../platform/validation/validate-body.js';
import { idempotencyKey } from '../../idempotency/idempotency.js';
import type { FieldNames, ReferenceDto } from './write-fields.js';
import type { RecordValues } from './table-statements.js';

/** The body of a write, validated. */
export interface WriteBody {
  /** Values of the entity; fields that were not sent are absent. */
  values: RecordValues;
  /** The parsed body, for the field names that the caller used. */
  sent: object;
  /** The `Idempotency-Key` of a POST. */
  key: string | null;
}

/** How the bodies of a table are validated. */
interface WriteRules {
  /** PATCH: only the fields to change are sent. */
  partial?: boolean;
  /** The record is created: the body must hold no id. */
  creates?: boolean;
}

/** The parameter decorator of a table's writes: hands the handler a `WriteBody`. */
export function writeBodyParameter(dto: ReferenceDto, names: FieldNames, rules: WriteRules = {}) {
  return bodyParameter((body, { request, violations }): WriteBody => {
    const { key, violations: keyViolations } = rules.creates ? parseKey(request) : NO_KEY;
    const ids = idViolations(names, body, rules.creates ? null : parseId(request.params.id as string));
    const { partial = false } = rules;
    const valid = validateBody(dto, ids.length === 0 ? body : without(body, ids), {
      partial,
      aliases: names.aliases,
      violations: [...violations, ...keyViolations, ...ids],
    });
    return { values: names.valuesOf(valid), sent: body, key };
  });
}

const NO_KEY = { key: null, violations: [] };

/** The idempotency key, or its violations. */
function parseKey(request: Request): { key: string | null; violations: readonly Violation[] } {
  try {
    return { key: idempotencyKey(request.headers), violations: [] };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { key: null, violations: error.violations };
  }
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
