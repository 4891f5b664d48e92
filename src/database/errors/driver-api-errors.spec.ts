import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { OutcomeUnknownError, toCommitError } from './driver-errors.js';
import { toApiErrorFromDriver } from './driver-api-errors.js';
import { WriteQueueError } from '../write-queue.js';

/** An error as thrown by mysql2 (a number) or better-sqlite3 (a string). */
function stubbed(code: number | string): Error {
  const details = typeof code === 'number' ? { errno: code, code: `ER_${code}` } : { code };
  return Object.assign(new Error("secret text of the driver near 'name'"), details);
}

/** Driver errors and the API errors that they are mapped to. */
const cases: [title: string, status: number, code: string, errors: (number | string)[]][] = [
  ['duplicate', 409, 'duplicate', [1062, 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']],
  ['still referenced', 409, 'in_use', [1451, 'SQLITE_CONSTRAINT_TRIGGER']],
  ['unknown reference', 409, 'reference_missing', [1452, 'SQLITE_CONSTRAINT_FOREIGNKEY']],
  [
    'a value that validation missed',
    400,
    'invalid',
    [1048, 1264, 1292, 1366, 1406, 3819, 4025, 'SQLITE_CONSTRAINT_NOTNULL', 'SQLITE_CONSTRAINT_CHECK'].concat(
      'SQLITE_MISMATCH',
    ),
  ],
  [
    'busy',
    503,
    'unavailable',
    [1213, 1205, 1020, 3101, 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'],
  ],
  [
    'full or read-only',
    503,
    'storage_unavailable',
    [1021, 1114, 1290, 1836, 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY'],
  ],
  ['too slow', 504, 'timeout', [1969, 3024, 'PROTOCOL_SEQUENCE_TIMEOUT']],
  [
    'not reachable',
    503,
    'unavailable',
    [
      1040,
      1047,
      1203,
      2006,
      2013,
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      'PROTOCOL_CONNECTION_LOST',
    ].concat('SQLITE_CANTOPEN'),
  ],
  ['misconfigured', 503, 'unavailable', [1044, 1045, 1698, 1049, 1146, 'SQLITE_CORRUPT', 'SQLITE_NOTADB']],
];

describe('toApiErrorFromDriver', () => {
  let logged: ReturnType<typeof jest.spyOn>;
  beforeEach(() => {
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => logged.mockRestore());

  describe.each(cases)('%s', (_, status, code, errors) => {
    it.each(errors)('%s', (number) => {
      const problem = toApiErrorFromDriver(stubbed(number));
      expect({ status: problem?.status, code: problem?.code }).toEqual({ status, code });
      expect(`${problem?.detail} ${JSON.stringify(problem?.errors)}`).not.toMatch(/secret|ER_|SQLITE/);
      if (status === 503 || status === 504) expect(problem?.headers).toHaveProperty('Retry-After');
    });
  });

  it('unwraps the errors of TypeORM', () => {
    const wrapped = new QueryFailedError('INSERT …', [], stubbed(1062));
    expect(toApiErrorFromDriver(wrapped)?.code).toBe('duplicate');
  });

  it.each([1406, 'SQLITE_CONSTRAINT_NOTNULL', 1146, 'SQLITE_CORRUPT'])(
    'logs %s with its code, without the message of the driver',
    (code) => {
      toApiErrorFromDriver(stubbed(code));
      expect(logged).toHaveBeenCalledTimes(1);
      expect(logged.mock.calls[0]?.[0]).toMatch(typeof code === 'number' ? `ER_${code}` : code);
      expect(logged.mock.calls[0]?.[0]).not.toMatch('secret');
      toApiErrorFromDriver(new QueryFailedError('INSERT …', [], stubbed(code)));
      expect(logged.mock.calls[1]).toEqual(logged.mock.calls[0]);
    },
  );

  it('recognizes the error of a closed connection, which has no code', () => {
    const dead = new Error("Can't add new command when connection is in closed state");
    expect(toApiErrorFromDriver(dead)).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it.each<[string, Error]>([
    ['2013', stubbed(2013)],
    ['ECONNRESET', stubbed('ECONNRESET')],
    ['an error without a code', new Error('connection is in closed state')],
  ])('F4: maps a connection lost at COMMIT to an unknown outcome (%s)', (_, error) => {
    expect(toApiErrorFromDriver(toCommitError(error))).toMatchObject({
      status: 503,
      code: 'outcome_unknown',
    });
  });

  it('keeps the error of a rejected COMMIT', () => {
    expect(toApiErrorFromDriver(toCommitError(stubbed(1213)))).toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    expect(toApiErrorFromDriver(new OutcomeUnknownError(null))).toMatchObject({ code: 'outcome_unknown' });
  });

  it('F5: answers a full write queue with 503', () => {
    expect(toApiErrorFromDriver(new WriteQueueError('full'))).toMatchObject({
      status: 503,
      code: 'unavailable',
      headers: { 'Retry-After': '1' },
    });
  });

  it.each([
    ['a bug', new Error('bug')],
    ['1064', stubbed(1064)],
    ['SQLITE_ERROR', stubbed('SQLITE_ERROR')],
    ['a string', 'text'],
    ['null', null],
  ])('returns null for %s', (_, error) => expect(toApiErrorFromDriver(error)).toBeNull());
});
