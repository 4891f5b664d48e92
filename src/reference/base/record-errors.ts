import type { ParseError } from '../../platform/validation/parsers.js';

/*
 * Errors in terms of the service: entity fields and ids. The controller translates them to those of
 * the caller: the field names of the request, and addresses.
 */

/** A field of a record and why its value is invalid. */
export interface FieldError {
  field: string;
  error: ParseError;
}

/** The fields of a record are valid by themselves, but not together. */
export class InvalidRecordError extends Error {
  constructor(readonly errors: readonly FieldError[]) {
    super('The fields of the record are not valid together.');
    this.name = 'InvalidRecordError';
  }
}

/** Another record has the unique key. */
export class DuplicateRecordError extends Error {
  constructor(
    readonly fields: readonly string[],
    /** Id of the record that has the key; null if it was deleted in the meantime. */
    readonly existingId: number | null,
  ) {
    super(`Another record has the same ${fields.join(', ')}.`);
    this.name = 'DuplicateRecordError';
  }
}
