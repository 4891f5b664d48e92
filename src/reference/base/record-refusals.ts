import type { ParseError } from '../../common/filtering/parsers.js';

/*
 * Refusals in the terms of the service: entity fields and ids. The controller puts them in the caller's terms: the field names
 * that were sent, and addresses.
 */

/** A field of a record and what is wrong with it. */
export interface FieldFault {
  field: string;
  refusal: ParseError;
}

/** Fields that are fine one by one do not fit together. */
export class RecordInvalid extends Error {
  constructor(readonly faults: readonly FieldFault[]) {
    super('The fields of the record do not fit together.');
    this.name = 'RecordInvalid';
  }
}

/** Another record has the unique key. */
export class RecordDuplicate extends Error {
  constructor(
    readonly fields: readonly string[],
    /** Of the record that has it; null when it has gone meanwhile. */
    readonly existingId: number | null,
  ) {
    super(`Another record has the same ${fields.join(', ')}.`);
    this.name = 'RecordDuplicate';
  }
}
