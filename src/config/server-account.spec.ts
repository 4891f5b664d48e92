import { hostAndPort, parseServerAccounts } from './server-account.js';

describe('parseServerAccounts', () => {
  const login = { user: 'me', password: 'p@ss:w/rd', database: 'prices' };

  it.each([
    ['mariadb://me:p%40ss%3Aw%2Frd@db:3307/prices', [{ ...login, host: 'db', port: 3307 }]],
    ['mysql://me:p@ss:w%2Frd@db/prices?ssl=1', [{ ...login, host: 'db', port: 3306 }]],
    [
      'mariadb://root@127.0.0.1:3306/prices',
      [{ ...login, user: 'root', password: '', host: '127.0.0.1', port: 3306 }],
    ],
    ['mariadb://db/prices', [{ ...login, user: '', password: '', host: 'db', port: 3306 }]],
    [
      'mariadb://me:p@ss:w%2Frd@one:3306,two,[::1]:3308/prices',
      [
        { ...login, host: 'one', port: 3306 },
        { ...login, host: 'two', port: 3306 },
        { ...login, host: '::1', port: 3308 },
      ],
    ],
    ['mariadb://me@one:port/prices', []],
    ['mariadb://me@one,,two/prices', []],
    ['mariadb://me:100%@one/prices', []],
    ['mariadb://me@one', []],
    ['sqlite:./var/prices.sqlite', []],
  ])('parses %s', (url, accounts) => {
    expect(parseServerAccounts(url)).toEqual(accounts);
  });

  it('formats a server without its account', () => {
    expect(hostAndPort(parseServerAccounts('mariadb://me:secret@one:3307/prices')[0]!)).toBe('one:3307');
  });
});
