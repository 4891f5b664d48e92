import type { SqlValue } from '../reads.js';

/** better-sqlite3 binds no booleans. */
export function bindable(values: readonly SqlValue[]): readonly (string | number | bigint | null)[] {
  const hasBooleans = values.some((value) => typeof value === 'boolean');
  return (hasBooleans ? values.map(withoutBoolean) : values) as readonly Exclude<SqlValue, boolean>[];
}

const withoutBoolean = (value: SqlValue) => (typeof value === 'boolean' ? Number(value) : value);
