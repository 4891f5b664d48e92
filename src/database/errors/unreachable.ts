import type { Environment } from '../../config/environment.js';
import { driverErrorKind } from './driver-errors.js';
import { UnusableDatabaseError } from './unusable-database.error.js';

/**
 * The error of a server that cannot be reached, with its address and the reason; null for any other
 * error.
 */
export function unreachable(environment: Environment, error: unknown): UnusableDatabaseError | null {
  if (environment.embedded || driverErrorKind(error) !== 'unavailable') return null;
  return new UnusableDatabaseError(
    `${environment.databaseName} cannot be reached (${reasonOf(error)}): check DATABASE_URL, and whether the server runs.`,
    error,
  );
}

/** The code of the system or the driver: `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { code, driverError, message } = error as { code?: string; driverError?: unknown; message?: string };
  return code ?? (driverError === undefined ? (message ?? String(error)) : reasonOf(driverError));
}
