import { Environment } from '../../config/environment.js';
import { connectionProblem } from './connection-problem.js';

describe('connectionProblem', () => {
  const server = new Environment({ DATABASE_URL: 'mariadb://me:secret@one,two:3307/prices' });
  const file = new Environment({ DATABASE_URL: 'sqlite:/srv/prices.sqlite' });
  const error = (attributes: object) => Object.assign(new Error('words of the driver'), attributes);
  const of = 'prices on one:3306 or two:3307';

  it.each([
    [{ errno: 1044 }, `The account has no access to the database (${of}): check DATABASE_URL.`],
    [{ errno: 1045 }, `The database server rejected the user name or password (${of}): check DATABASE_URL.`],
    [{ errno: 1698 }, `The database server rejected the user name or password (${of}): check DATABASE_URL.`],
    [{ errno: 1049 }, `The database does not exist on the server (${of}): check DATABASE_URL.`],
    [
      { errno: 1130 },
      `The database server does not allow connections from this host (${of}): check DATABASE_URL.`,
    ],
    [{ driverError: { errno: 1146 } }, `The database cannot be used (${of}): check DATABASE_URL.`],
    [
      { code: 'ENOTFOUND' },
      `${of} cannot be reached (ENOTFOUND): check DATABASE_URL, and whether the server runs.`,
    ],
  ])('of a server that gives %j', (attributes, message) => {
    expect(connectionProblem(server, error(attributes))?.message).toBe(message);
  });

  it('of a file says which one it is', () => {
    expect(connectionProblem(file, error({ code: 'SQLITE_CORRUPT' }))?.message).toBe(
      'The database cannot be used (the SQLite file /srv/prices.sqlite): check DATABASE_URL.',
    );
  });

  it('is none of other errors', () => {
    expect(connectionProblem(server, error({ errno: 1213 }))).toBeNull();
    expect(connectionProblem(file, error({ code: 'SQLITE_CANTOPEN' }))).toBeNull();
  });
});
