/** A value that can be bound to a `?` placeholder. */
export type SqlValue = string | number | bigint | null | boolean;

/** Reads rows as arrays of column values, all from one snapshot of the database. */
export type SnapshotReader = <T extends unknown[]>(sql: string, values?: readonly SqlValue[]) => Promise<T[]>;

/** Reads directly through the driver: hydrating entities would cost a hundred times more. */
export interface Reads {
  /** Reads rows as objects. */
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Reads rows as arrays of column values, the cheapest form. */
  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /**
   * Runs several reads that see one snapshot of the database, whatever is committed meanwhile. They
   * use a separate connection, so other reads do not see an old state. `work` may run more than
   * once.
   */
  readSnapshot<T>(work: (arrays: SnapshotReader) => Promise<T>): Promise<T>;
}
