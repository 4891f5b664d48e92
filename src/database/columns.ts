import { Column, type ColumnOptions } from 'typeorm';

/*
 * Column types that behave the same on SQLite, MySQL and MariaDB. The DTOs and the import enforce
 * lengths, because SQLite ignores them; the migrations set a binary collation
 * (`migrations/table-columns.ts`).
 */

/** Text of at most `length` characters, never null: unknown text is ''. */
export const TextColumn = (length: number, options: ColumnOptions = {}) =>
  Column({ type: 'varchar', length, default: '', ...options });

/** Required text: no default. */
export const RequiredTextColumn = (length: number) => Column({ type: 'varchar', length });

/** A calendar date as `YYYY-MM-DD` text, independent of engine and time zone. */
export const DateColumn = () => Column({ type: 'varchar', length: 10 });

/** An instant as ISO 8601 text in UTC with milliseconds. */
export const InstantColumn = (options: ColumnOptions = {}) =>
  Column({ type: 'varchar', length: 24, ...options });

/**
 * A decimal number. A double round-trips every decimal of up to 15 significant digits on all
 * engines, and the API accepts no more.
 */
export const NumberColumn = (options: ColumnOptions = {}) => Column({ type: 'double', ...options });

/**
 * The revision that gave a row its values. 0 where they are from before versions were kept: known
 * since the revision of that migration.
 */
export const SinceColumn = () => Column({ type: 'integer', default: 0 });

/** Incremented with every change of a record; its ETag and `If-Match` depend on it. */
export const VersionColumn = () => Column({ type: 'integer', default: 1 });
