import { ParseError } from '../platform/validation/parsers.js';
import { bodyParameter } from '../platform/http/params.js';
import { QUANTITY } from '../lib/numbers/quantity.js';
import { bodyViolation, validateBody } from '../platform/validation/validate-body.js';
import { ApiSchema, Optional } from '../platform/validation/field.js';
import { Decimal, Text } from '../platform/validation/fields.js';

/** A price as it is sent: the document says of its bounds that it is above 0. */
export const PRICE = { ...QUANTITY, stated: { exclusiveMinimum: 0 } } as const;

/** The fields of a stored price that can be changed. */
@ApiSchema({ limits: true })
export class PricePatch {
  @Optional(Decimal(PRICE)) price_value?: number;
  @Optional(Text(500)) comment?: string;
}

/** The same with the id that identifies it. */
class IdentifiedPatch extends PricePatch {
  @Optional(Decimal()) id?: number;
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
  'provisional',
];

/** The id in an address; null for text that cannot be one. */
export function parsePointNumber(text: string): number | null {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/** The changes in a PATCH body, a `PricePatch`; fields that were not sent are absent. */
export const DatapointPatch = () =>
  bodyParameter((body, { request, violations }) => {
    const id = parsePointNumber(request.params.id as string);
    const isReadOnly = (name: string) => READ_ONLY.includes(name);
    const readOnly = Object.keys(body)
      .filter(isReadOnly)
      .map((name) => bodyViolation(name, new ParseError('read_only', 'is set by the service.')));
    const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !isReadOnly(name)));
    return validateBody(IdentifiedPatch, readOnly.length === 0 ? body : rest, {
      partial: true,
      violations: [...violations, ...readOnly],
      crossFieldRules: (dto) =>
        dto.id === undefined || dto.id === id
          ? []
          : [bodyViolation('id', new ParseError('id_mismatch', 'must be the id in the address.'))],
    });
  });
