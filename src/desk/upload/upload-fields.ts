import { importParameters, type ImportValues, requestedImport } from '../../import/import.parameters.js';
import { QueryPairs } from '../../platform/validation/query-pairs.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';

const schema = new QuerySchema(importParameters);

/** The fields of the form that say how a file is imported, as a query string. */
export function importFields(form: URLSearchParams): string {
  const fields = new URLSearchParams();
  for (const name of [...Object.keys(importParameters), 'mode']) {
    const value = form.get(name)?.trim() ?? '';
    if (value === '') continue;
    // The choice has the names of two flags that exclude each other.
    fields.set(...(name === 'mode' ? ([value, 'true'] as const) : ([name, value] as const)));
  }
  return fields.toString();
}

/** The fields with another value of one; a blank one is left out. */
export function withField(fields: string, name: keyof typeof importParameters, value: string): string {
  const changed = new URLSearchParams(fields);
  if (value === '') changed.delete(name);
  else changed.set(name, value);
  return changed.toString();
}

/**
 * The values of the fields.
 * @throws ValidationError with all violations
 */
export function importValues(fields: string): ImportValues {
  // None of the parameters is a relative date or the size of a page.
  const context = { now: 0, maxPageSize: 0 };
  return schema.parse(new QueryPairs(fields), { context, formats: [] });
}

/** @throws ValidationError */
export function checkFields(fields: string): void {
  requestedImport(importValues(fields));
}
