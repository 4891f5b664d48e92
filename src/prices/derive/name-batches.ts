import { placeholders } from '../../database/sql.js';

/** Currencies or countries read by one statement: a few thousand rows where rates are daily. */
const NAMES_PER_STATEMENT = 5;

/** Placeholders of a statement for currencies or countries. */
export const NAMES_PLACEHOLDERS = placeholders(NAMES_PER_STATEMENT);

/** The names in batches for one statement each, filled with the last one to its placeholders. */
export function* nameBatches(names: readonly string[]): Iterable<string[]> {
  for (let from = 0; from < names.length; from += NAMES_PER_STATEMENT)
    yield Array.from({ length: NAMES_PER_STATEMENT }, (_, index) => names[from + index] ?? names.at(-1)!);
}
