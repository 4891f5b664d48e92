/** A value that can be bound to a `?` of a statement. */
export type SqlValue = string | number | bigint | null | boolean;

/** Reads rows as arrays of columns, all from the same state of the database. */
export type ReadView = <T extends unknown[]>(sql: string, values?: readonly SqlValue[]) => Promise<T[]>;

/** Reading straight from the driver: hydrating entities would cost a hundred times more. */
export interface Reads {
  /** Reads rows as objects. */
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /** Reads rows as arrays of columns: the cheapest form there is. */
  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
  /**
   * Runs several reads that see one state of the database, whatever is committed meanwhile. They have a connection of their
   * own, so nobody else's reads are held back at that state. `work` may run more than once.
   */
  view<T>(work: (arrays: ReadView) => Promise<T>): Promise<T>;
}
