import {
  NotConnectedError,
  OutcomeUnknownError,
  PoolExhaustedError,
  ServerBehindError,
  driverErrorKind,
  isConnectionLost,
  isRetryable,
  outcomeUnknown,
} from './driver-errors.js';

const error = (facts: object, message = '') => Object.assign(new Error(message), facts);

describe('the kind of an error', () => {
  it.each([
    ['our own: unknown outcome', new OutcomeUnknownError(null), 'outcome_unknown'],
    ['our own: not connected', new NotConnectedError(), 'unavailable'],
    ['our own: pool exhausted', new PoolExhaustedError(), 'unavailable'],
    ['our own: server behind', new ServerBehindError(), 'unavailable'],
    ['a server that is stopping', error({ errno: 1053 }), 'unavailable'],
    ['a connection that was killed', error({ errno: 1927, code: 'ER_CONNECTION_KILLED' }), 'unavailable'],
    ['a host that may not connect', error({ errno: 1130 }), 'misconfigured'],
    ['one wrapped by the ORM', error({ driverError: { errno: 1062 } }), 'duplicate'],
    ['an extended code', error({ code: 'SQLITE_IOERR_FSYNC' }), 'storage'],
    ['a code of SQLite that means nothing to us', error({ code: 'SQLITE_MISUSE' }), null],
    ['no connection to the server', error({ code: 'ECONNREFUSED', errno: -111 }), 'unavailable'],
    ['an error of Node about something else', error({ code: 'ENOENT' }), null],
    [
      'a statement on a dead connection',
      error({}, "Can't add new command when connection is in closed state"),
      'unavailable',
    ],
    ['a full queue', error({}, 'Queue limit reached.'), 'unavailable'],
    ['any other error', error({}, 'x is not a function'), null],
    ['an object without a message', { errno: 1205 }, 'busy'],
    ['an object that says nothing', {}, null],
    ['no error at all', 'text', null],
    ['nothing', null, null],
  ])('%s', (_, thrown, kind) => {
    expect(driverErrorKind(thrown)).toBe(kind);
    expect(isRetryable(thrown)).toBe(kind === 'busy');
  });
});

describe('a lost connection', () => {
  it.each([
    [error({ errno: 2013 }), true],
    [error({ code: 'PROTOCOL_CONNECTION_LOST' }), true],
    [error({ driverError: { code: 'ECONNRESET' } }), true],
    [error({}, "Can't add new command when connection is in closed state"), true],
    // Another connection would not do better.
    [error({ code: 'ECONNREFUSED' }), false],
    [error({ code: 'PROTOCOL_SEQUENCE_TIMEOUT' }), false],
    [new PoolExhaustedError(), false],
    [{ errno: 1205 }, false],
    ['text', false],
  ])('%s: %s', (thrown, lost) => expect(isConnectionLost(thrown)).toBe(lost));
});

describe('F4: a failed COMMIT', () => {
  it.each([
    ['a lost connection', error({ errno: 2013 })],
    ['no answer in time', error({ code: 'PROTOCOL_SEQUENCE_TIMEOUT' })],
    ['an error without a code', error({})],
  ])('leaves the outcome open: %s', (_, thrown) => {
    expect(outcomeUnknown(thrown)).toEqual(new OutcomeUnknownError(thrown));
  });

  it.each([1213, 1114, 1062])('that the server refuses with %d is a refusal', (errno) => {
    const refusal = error({ errno });
    expect(outcomeUnknown(refusal)).toBe(refusal);
  });
});
