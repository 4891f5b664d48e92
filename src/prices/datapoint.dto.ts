import type { Violation } from '../common/errors/api-error.js';
import { ParseError } from '../common/filtering/parsers.js';
import { QUANTITY } from '../common/numbers/quantity.js';
import { assertObject, bodyViolation, checkBody } from '../common/validation/check-body.js';
import { Decimal, Text } from '../common/validation/fields.js';

/** What can be changed of a stored price, and the id that says which one it is. */
export class DatapointDto {
  @Decimal() id?: number;
  @Decimal(QUANTITY) price_value?: number;
  @Text(500) comment?: string;
}

/** Fields of a datapoint that follow from others, or from its place in time. */
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
 * The changes that a body asks for; fields that were not sent are absent.
 * @param id of the address, which one in the body has to equal
 * @throws InvalidInput naming every fault
 */
export function checkDatapointPatch(
  body: unknown,
  id: number | null,
  faultsOfQuery: readonly Violation[],
): DatapointDto {
  assertObject(body);
  const readOnly = READ_ONLY.filter((name) => Object.hasOwn(body, name)).map((name) =>
    bodyViolation(name, new ParseError('read_only', 'is set by the service.')),
  );
  const rest =
    readOnly.length === 0
      ? body
      : Object.fromEntries(Object.entries(body).filter(([name]) => !READ_ONLY.includes(name)));
  return checkBody(DatapointDto, rest, {
    partial: true,
    faults: [...faultsOfQuery, ...readOnly],
    also: (sent) =>
      sent.id === undefined || sent.id === id
        ? []
        : [bodyViolation('id', new ParseError('id_mismatch', 'is not the id of the address.'))],
  });
}
