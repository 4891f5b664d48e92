/** Time without a heartbeat after which the import lock may be taken over. */
export const HOLDER_TIMEOUT_MS = 15_000;

/** SQL for milliseconds since 1970 by the database's clock, which all machines share. */
export const databaseTime = (embedded: boolean) =>
  embedded
    ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    : 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';
