import {
  NotConnectedError,
  OutcomeUnknownError,
  PoolExhaustedError,
  ServerBehindError,
  driverErrorKind,
  isConnectionLost,
  isRetryable,
  toCommitError,
} from './driver-errors.js';

const error = (attributes: object, message = '') => Object.assign(new Error(message), attributes);

describe('driverErrorKind', () => {
  it.each([
    ['OutcomeUnknownError', new OutcomeUnknownError(null), 'outcome_unknown'],
    ['NotConnectedError', new NotConnectedError(), 'unavailable'],
    ['PoolExhaustedError', new PoolExhaustedError(), 'unavailable'],
    ['ServerBehindError', new ServerBehindError(), 'unavailable'],
    ['a server that is shutting down', error({ errno: 1053 }), 'unavailable'],
    ['a killed connection', error({ errno: 1927, code: 'ER_CONNECTION_KILLED' }), 'unavailable'],
    ['a host that may not connect', error({ errno: 1130 }), 'misconfigured'],
    ['an error wrapped by TypeORM', error({ driverError: { errno: 1062 } }), 'duplicate'],
    ['an extended code', error({ code: 'SQLITE_IOERR_FSYNC' }), 'storage'],
    ['an unlisted code of SQLite', error({ code: 'SQLITE_MISUSE' }), null],
    ['no connection to the server', error({ code: 'ECONNREFUSED', errno: -111 }), 'unavailable'],
    ['an unrelated error of Node', error({ code: 'ENOENT' }), null],
    [
      'a statement on a closed connection',
      error({}, "Can't add new command when connection is in closed state"),
      'unavailable',
    ],
    ['a full queue', error({}, 'Queue limit reached.'), 'unavailable'],
    ['any other error', error({}, 'x is not a function'), null],
    ['an object without a message', { errno: 1205 }, 'busy'],
    ['an empty object', {}, null],
    ['a string', 'text', null],
    ['null', null, null],
  ])('%s', (_, thrown, kind) => {
    expect(driverErrorKind(thrown)).toBe(kind);
    expect(isRetryable(thrown)).toBe(kind === 'busy');
  });
});

describe('isConnectionLost', () => {
  it.each([
    [error({ errno: 2013 }), true],
    [error({ code: 'PROTOCOL_CONNECTION_LOST' }), true],
    [error({ driverError: { code: 'ECONNRESET' } }), true],
    [error({}, "Can't add new command when connection is in closed state"), true],
    // A retry on another connection would not help.
    [error({ code: 'ECONNREFUSED' }), false],
    [error({ code: 'PROTOCOL_SEQUENCE_TIMEOUT' }), false],
    [new PoolExhaustedError(), false],
    [{ errno: 1205 }, false],
    ['text', false],
  ])('%s: %s', (thrown, lost) => expect(isConnectionLost(thrown)).toBe(lost));
});

describe('F4: toCommitError', () => {
  it.each([
    ['a lost connection', error({ errno: 2013 })],
    ['a timeout', error({ code: 'PROTOCOL_SEQUENCE_TIMEOUT' })],
    ['an error without a code', error({})],
  ])('returns an unknown outcome for %s', (_, thrown) => {
    expect(toCommitError(thrown)).toEqual(new OutcomeUnknownError(thrown));
  });

  it.each([1213, 1114, 1062])('returns the error of a COMMIT rejected with %d', (errno) => {
    const rejection = error({ errno });
    expect(toCommitError(rejection)).toBe(rejection);
  });
});
