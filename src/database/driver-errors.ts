/**
 * What a refusal of the database means, whatever the engine calls it. One table for routes and imports; `problem-of.ts` gives
 * each kind its answer.
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
  | 'outcome_unknown';

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
  // The server is stopping, or was told to end the connection or its statement.
  1053: 'unavailable',
  1317: 'unavailable',
  1927: 'unavailable',
  // The server's end of the connection broke.
  1158: 'unavailable',
  1159: 'unavailable',
  1160: 'unavailable',
  1161: 'unavailable',
  1044: 'misconfigured',
  // This host is not allowed to connect.
  1130: 'misconfigured',
  1045: 'misconfigured',
  // MariaDB's words for it where the account logs in through the socket alone.
  1698: 'misconfigured',
  1049: 'misconfigured',
  1146: 'misconfigured',
};

/** SQLite's result codes; an extended code that is not listed counts as its base code. */
const SQLITE_ERRORS: Record<string, DriverErrorKind> = {
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  // A delete or update that RESTRICT forbids is reported as a trigger's refusal, not as a foreign key's.
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

/** Names that Node and mysql2 give to a lost or refused connection. */
const CONNECTION_ERRORS =
  /^(ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|PROTOCOL_CONNECTION_LOST|POOL_CLOSED|POOL_NONEONLINE)/;

/** What mysql2 says without a code when a statement meets a dead connection. */
const CLOSED_STATE = /connection is in closed state|can't write in closed state/i;
/** What mysql2 and TypeORM say without a code when there is no connection to be had. */
const NO_CONNECTION =
  /Pool is closed|Queue limit reached|No connections available|Connection is not established/i;

interface DriverError {
  code?: string;
  errno?: number;
  message?: string;
  driverError?: DriverError;
}

/** A commit whose answer was lost: it may have been stored or not. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('The connection was lost while committing.', { cause });
    this.name = 'OutcomeUnknownError';
  }
}

/** No connection of the pool became free in time. */
export class PoolExhaustedError extends Error {
  constructor() {
    super('No database connection became free in time.');
    this.name = 'PoolExhaustedError';
  }
}

/** The database has not been opened yet: it was away since the start. */
export class NotConnectedError extends Error {
  constructor() {
    super('The database is not connected.');
    this.name = 'NotConnectedError';
  }
}

/** A native driver makes its errors where it was loaded first, so `instanceof Error` does not hold in another realm of the process. */
function isErrorLike(error: unknown): error is DriverError {
  return typeof error === 'object' && error !== null;
}

/** The server that is written to has yet to receive what another has acknowledged. */
export class ServerBehindError extends Error {
  constructor() {
    super('The database has not caught up in time.');
    this.name = 'ServerBehindError';
  }
}

/** Our own ways to say that the database cannot be used now. */
const OURS = [NotConnectedError, PoolExhaustedError, ServerBehindError];

/** The kind of a driver's error, or null for anything else. ORM wrappers are looked through. */
export function driverErrorKind(error: unknown): DriverErrorKind | null {
  if (error instanceof OutcomeUnknownError) return 'outcome_unknown';
  if (OURS.some((kind) => error instanceof kind)) return 'unavailable';
  if (!isErrorLike(error)) return null;
  const { code, errno, message = '' } = error.driverError ?? error;
  if (typeof errno === 'number' && SERVER_ERRORS[errno] !== undefined) return SERVER_ERRORS[errno];
  if (typeof code === 'string') {
    if (code.startsWith('SQLITE_'))
      return SQLITE_ERRORS[code] ?? SQLITE_ERRORS[code.split('_').slice(0, 2).join('_')] ?? null;
    if (code === 'PROTOCOL_SEQUENCE_TIMEOUT') return 'timeout';
    if (CONNECTION_ERRORS.test(code)) return 'unavailable';
  }
  return CLOSED_STATE.test(message) || NO_CONNECTION.test(message) ? 'unavailable' : null;
}

/** Server errors that end a connection, though not the service of the database. */
const CONNECTION_ENDED = new Set([1053, 1158, 1159, 1160, 1161, 1927, 2006, 2013]);

/** Whether a statement failed only because its connection broke, so that another connection may do better. */
export function isConnectionLost(error: unknown): boolean {
  if (!isErrorLike(error)) return false;
  const { code = '', errno, message } = error.driverError ?? error;
  return (
    CONNECTION_ENDED.has(errno ?? 0) ||
    /^(ECONNRESET|EPIPE|PROTOCOL_CONNECTION_LOST)$/.test(code) ||
    CLOSED_STATE.test(message ?? '')
  );
}

/** Whether the same transaction may succeed when it is done again. */
export function isRetryable(error: unknown): boolean {
  return driverErrorKind(error) === 'busy';
}

/** What a failed COMMIT means: a refusal is what it says, a lost connection leaves the outcome open. */
export function outcomeUnknown(error: unknown): unknown {
  const kind = driverErrorKind(error);
  return kind === null || kind === 'unavailable' || kind === 'timeout'
    ? new OutcomeUnknownError(error)
    : error;
}
