import { Column, type ColumnOptions } from 'typeorm';

/*
 * Column types that mean the same on SQLite, MySQL and MariaDB. Lengths are enforced by the DTOs and the import, because
 * SQLite ignores them; binary collation is given by the migrations (`migrations/table-columns.ts`).
 */

/** Text of at most `length` characters, never null: unknown text is ''. */
export const TextColumn = (length: number, options: ColumnOptions = {}) =>
  Column({ type: 'varchar', length, default: '', ...options });

/** Text that is required: no default. */
export const RequiredTextColumn = (length: number) => Column({ type: 'varchar', length });

/** A calendar date as `YYYY-MM-DD` text: the same in every engine and time zone. */
export const DateColumn = () => Column({ type: 'varchar', length: 10 });

/** An instant as ISO 8601 text in UTC with milliseconds. */
export const InstantColumn = (options: ColumnOptions = {}) =>
  Column({ type: 'varchar', length: 24, ...options });

/**
 * A decimal number. A double gives back every number of up to 15 significant digits exactly as it came, on both engines, so
 * nothing is lost by it that the API accepts.
 */
export const NumberColumn = (options: ColumnOptions = {}) => Column({ type: 'double', ...options });

/** Counts the changes of a record; its ETag and `If-Match` hang on it. */
export const VersionColumn = () => Column({ type: 'integer', default: 1 });
