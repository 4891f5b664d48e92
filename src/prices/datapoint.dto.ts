import type { Violation } from '../common/errors/api-error.js';
import { ParseError } from '../common/filtering/parsers.js';
import { QUANTITY } from '../common/numbers/quantity.js';
import { assertObject, bodyViolation, validateBody } from '../common/validation/validate-body.js';
import { Decimal, Text } from '../common/validation/fields.js';

/** The fields of a stored price that can be changed, and the id that identifies it. */
export class DatapointDto {
  @Decimal() id?: number;
  @Decimal(QUANTITY) price_value?: number;
  @Text(500) comment?: string;
}

/** Fields of a datapoint that are derived or part of its key. */
const READ_ONLY = [
  'price_value_real',
  'price_value_dollar',
  'conversion_factor',
  'date',
  'periodicity',
  'calculated',
  'partial',
];

/**
 * The changes in a PATCH body; fields that were not sent are absent.
 * @param id from the path; an id in the body must be equal to it
 * @throws ValidationError with all violations of the body and of the query
 */
export function validateDatapointPatch(
  body: unknown,
  id: number | null,
  queryViolations: readonly Violation[],
): DatapointDto {
  assertObject(body);
  const readOnly = READ_ONLY.filter((name) => Object.hasOwn(body, name)).map((name) =>
    bodyViolation(name, new ParseError('read_only', 'is set by the service.')),
  );
  const rest =
    readOnly.length === 0
      ? body
      : Object.fromEntries(Object.entries(body).filter(([name]) => !READ_ONLY.includes(name)));
  return validateBody(DatapointDto, rest, {
    partial: true,
    violations: [...queryViolations, ...readOnly],
    crossFieldRules: (dto) =>
      dto.id === undefined || dto.id === id
        ? []
        : [bodyViolation('id', new ParseError('id_mismatch', 'must be the id in the address.'))],
  });
}
