import type { Violation } from '../../common/errors/api-error.js';
import { ParseError } from '../../common/filtering/parsers.js';
import { bodyViolation, checkBody } from '../../common/validation/check-body.js';
import type { FieldNames, ReferenceDto } from './write-fields.js';
import type { Values } from './reference-table.js';

export interface WriteRules {
  /** PATCH: only the fields to change are given. */
  partial?: boolean;
  /** The id of the address, which one in the body has to equal; null where the record is to be made. */
  id: number | null;
  /** Faults that were found elsewhere in the request, to be told with those of the body. */
  faults: readonly Violation[];
}

/**
 * A body as values of the entity; fields that were not sent are absent.
 * @throws InvalidInput naming every fault, by the names that the caller used
 */
export function checkWrite(dto: ReferenceDto, names: FieldNames, body: object, rules: WriteRules): Values {
  const ids = idFaults(names, body, rules.id);
  const faults = [...rules.faults, ...ids];
  // A field that is at fault as an id is not looked at a second time.
  const rest = ids.length === 0 ? body : without(body, ids);
  const { partial = false } = rules;
  return names.valuesOf(checkBody(dto, rest, { partial, aliases: names.aliases, faults }));
}

/** An id in a body that makes a record, or one that is not the address's. */
function idFaults(names: FieldNames, body: object, id: number | null): Violation[] {
  const faults: Violation[] = [];
  for (const name of ['id', names.id]) {
    if (!Object.hasOwn(body, name)) continue;
    const sent = (body as Record<string, unknown>)[name];
    if (id === null)
      faults.push(bodyViolation(name, new ParseError('read_only', 'is given by the service.')));
    else if (typeof sent === 'number' && Number.isInteger(sent) && sent !== id)
      faults.push(bodyViolation(name, new ParseError('id_mismatch', 'is not the id of the address.')));
  }
  return faults;
}

function without(body: object, faults: readonly Violation[]): object {
  const names = new Set(faults.map(({ name }) => name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
