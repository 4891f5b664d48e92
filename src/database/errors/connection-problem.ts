import type { Environment } from '../../config/environment.js';
import { driverErrorKind } from './driver-errors.js';
import { UnusableDatabaseError } from './unusable-database.error.js';

/**
 * The error of a server that cannot be reached or rejects the account, with its address and the
 * reason, in one line for the operator; null for any other error.
 */
export function connectionProblem(environment: Environment, error: unknown): UnusableDatabaseError | null {
  return rejection(environment.databaseName, error) ?? unreachable(environment, error);
}

function unreachable(environment: Environment, error: unknown): UnusableDatabaseError | null {
  if (environment.embedded || driverErrorKind(error) !== 'unavailable') return null;
  return new UnusableDatabaseError(
    `${environment.databaseName} cannot be reached (${reasonOf(error)}): check DATABASE_URL, and whether the server runs.`,
    error,
  );
}

/** The error of a database that will not be usable later either; null for any other error. */
export function rejection(databaseName: string, error: unknown): UnusableDatabaseError | null {
  if (error instanceof UnusableDatabaseError) return error;
  if (driverErrorKind(error) !== 'misconfigured') return null;
  const { errno, driverError } = error as { errno?: number; driverError?: { errno?: number } };
  const reason = LOGIN_ERRORS[errno ?? driverError?.errno ?? 0] ?? 'The database cannot be used';
  return new UnusableDatabaseError(`${reason} (${databaseName}): check DATABASE_URL.`, error);
}

const LOGIN_ERRORS: Record<number, string> = {
  1044: 'The account has no access to the database',
  1045: 'The database server rejected the user name or password',
  1698: 'The database server rejected the user name or password',
  1049: 'The database does not exist on the server',
  1130: 'The database server does not allow connections from this host',
};

/** The code of the system or the driver: `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { code, driverError, message } = error as { code?: string; driverError?: unknown; message?: string };
  return code ?? (driverError === undefined ? (message ?? String(error)) : reasonOf(driverError));
}
