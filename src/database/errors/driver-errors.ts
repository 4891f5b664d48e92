/**
 * What a driver error means, independent of the engine. Used by routes and imports;
 * `driver-api-errors.ts` maps each kind to an API error.
 */
export type DriverErrorKind =
  | 'duplicate'
  | 'in_use'
  | 'reference_missing'
  | 'invalid'
  | 'busy'
  | 'storage'
  | 'timeout'
  | 'unavailable'
  | 'misconfigured'
  | 'outcome_unknown'
  | 'newer_schema';

/** MySQL and MariaDB error numbers. */
const SERVER_ERRORS: Record<number, DriverErrorKind> = {
  1062: 'duplicate',
  1451: 'in_use',
  1452: 'reference_missing',
  1048: 'invalid',
  1264: 'invalid',
  1292: 'invalid',
  1366: 'invalid',
  1406: 'invalid',
  3819: 'invalid',
  4025: 'invalid',
  1213: 'busy',
  1205: 'busy',
  1020: 'busy',
  3101: 'busy',
  1021: 'storage',
  1114: 'storage',
  1290: 'storage',
  1836: 'storage',
  1969: 'timeout',
  3024: 'timeout',
  1040: 'unavailable',
  1047: 'unavailable',
  1203: 'unavailable',
  2006: 'unavailable',
  2013: 'unavailable',
  // The server is shutting down, or an administrator killed the connection or its statement.
  1053: 'unavailable',
  1317: 'unavailable',
  1927: 'unavailable',
  // Network errors on the server's side.
  1158: 'unavailable',
  1159: 'unavailable',
  1160: 'unavailable',
  1161: 'unavailable',
  1044: 'misconfigured',
  // This host is not allowed to connect.
  1130: 'misconfigured',
  1045: 'misconfigured',
  // MariaDB's access denied error for accounts that log in through the Unix socket only.
  1698: 'misconfigured',
  1049: 'misconfigured',
  1146: 'misconfigured',
};

/** SQLite result codes; an extended code that is not listed falls back to its base code. */
const SQLITE_ERRORS: Record<string, DriverErrorKind> = {
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  // A violation of RESTRICT on delete or update is reported as a trigger, not as a foreign key.
  SQLITE_CONSTRAINT_TRIGGER: 'in_use',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'reference_missing',
  SQLITE_CONSTRAINT_NOTNULL: 'invalid',
  SQLITE_CONSTRAINT_CHECK: 'invalid',
  SQLITE_MISMATCH: 'invalid',
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_FULL: 'storage',
  SQLITE_IOERR: 'storage',
  SQLITE_READONLY: 'storage',
  SQLITE_CANTOPEN: 'unavailable',
  SQLITE_CORRUPT: 'misconfigured',
  SQLITE_NOTADB: 'misconfigured',
};

/** Codes of Node and mysql2 for a lost or refused connection. */
const CONNECTION_ERRORS =
  /^(ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|PROTOCOL_CONNECTION_LOST|POOL_CLOSED|POOL_NONEONLINE)/;

/** Messages of mysql2, without a code, for a statement on a closed connection. */
const CLOSED_CONNECTION = /connection is in closed state|can't write in closed state/i;
/** Messages of mysql2 and TypeORM, without a code, when no connection is available. */
const NO_CONNECTION =
  /Pool is closed|Queue limit reached|No connections available|Connection is not established/i;

interface DriverError {
  code?: string;
  errno?: number;
  message?: string;
  driverError?: DriverError;
}

/** The server did not confirm a COMMIT: the transaction may have been stored or not. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('The server did not confirm the commit.', { cause });
    this.name = 'OutcomeUnknownError';
  }
}

/** The schema may be written by newer releases only. Reads still work. */
export class NewerSchemaError extends Error {
  constructor() {
    super('Only newer releases can write to the database, as its schema has changed: upgrade this one.');
    this.name = 'NewerSchemaError';
  }
}

/** No connection of the pool became available in time. */
export class PoolExhaustedError extends Error {
  constructor() {
    super('No database connection became available in time.');
    this.name = 'PoolExhaustedError';
  }
}

/** A transaction was not committed by its deadline: it was rolled back. */
export class DeadlineError extends Error {
  constructor() {
    super('The transaction was not committed in time.');
    this.name = 'DeadlineError';
  }
}

/** The database has not been opened yet. */
export class NotConnectedError extends Error {
  constructor() {
    super('The database is not connected.');
    this.name = 'NotConnectedError';
  }
}

/**
 * A native driver creates errors in the realm that loaded it first, so `instanceof Error` may fail.
 */
function isErrorLike(error: unknown): error is DriverError {
  return typeof error === 'object' && error !== null;
}

/** The primary has not yet received a write that another node has acknowledged. */
export class ServerBehindError extends Error {
  constructor() {
    super('The database did not catch up in time.');
    this.name = 'ServerBehindError';
  }
}

/** This module's errors of kind `unavailable`. */
const UNAVAILABLE_ERRORS = [DeadlineError, NotConnectedError, PoolExhaustedError, ServerBehindError];

/** The file of the embedded database was removed or replaced: nothing can be stored in it. */
export class FileGoneError extends Error {
  constructor() {
    super('The file of the database is not in its place any more.');
    this.name = 'FileGoneError';
  }
}

/** The kind of a driver error, or null for any other error. Unwraps the errors of TypeORM. */
export function driverErrorKind(error: unknown): DriverErrorKind | null {
  if (error instanceof OutcomeUnknownError) return 'outcome_unknown';
  if (error instanceof NewerSchemaError) return 'newer_schema';
  if (error instanceof FileGoneError) return 'storage';
  if (UNAVAILABLE_ERRORS.some((kind) => error instanceof kind)) return 'unavailable';
  if (!isErrorLike(error)) return null;
  const { code, errno, message = '' } = error.driverError ?? error;
  if (typeof errno === 'number' && SERVER_ERRORS[errno] !== undefined) return SERVER_ERRORS[errno];
  if (typeof code === 'string') {
    if (code.startsWith('SQLITE_'))
      return SQLITE_ERRORS[code] ?? SQLITE_ERRORS[code.split('_').slice(0, 2).join('_')] ?? null;
    if (code === 'PROTOCOL_SEQUENCE_TIMEOUT') return 'timeout';
    if (CONNECTION_ERRORS.test(code)) return 'unavailable';
  }
  return CLOSED_CONNECTION.test(message) || NO_CONNECTION.test(message) ? 'unavailable' : null;
}

/** Server errors that close the connection while the server stays available. */
const CONNECTION_ENDED = new Set([1053, 1158, 1159, 1160, 1161, 1927, 2006, 2013]);

/** Whether a statement failed only because its connection was lost, so that a retry may succeed. */
export function isConnectionLost(error: unknown): boolean {
  if (!isErrorLike(error)) return false;
  const { code = '', errno, message } = error.driverError ?? error;
  return (
    CONNECTION_ENDED.has(errno ?? 0) ||
    /^(ECONNRESET|EPIPE|PROTOCOL_CONNECTION_LOST)$/.test(code) ||
    CLOSED_CONNECTION.test(message ?? '')
  );
}

/** Whether the transaction may succeed when retried. */
export function isRetryable(error: unknown): boolean {
  return driverErrorKind(error) === 'busy';
}

/** The number of MySQL and MariaDB for a lock that another session has kept for too long. */
const LOCK_WAIT_TIMEOUT = 1205;

/** Whether a statement has waited too long for a lock. The embedded engine has none of rows. */
export function isLockWait(error: unknown): boolean {
  if (!isErrorLike(error)) return false;
  return (error.driverError ?? error).errno === LOCK_WAIT_TIMEOUT;
}

/** The error of a failed COMMIT: its outcome is unknown unless the server has rejected it. */
export function toCommitError(error: unknown): unknown {
  const kind = driverErrorKind(error);
  return kind === null || kind === 'unavailable' || kind === 'timeout'
    ? new OutcomeUnknownError(error)
    : error;
}
