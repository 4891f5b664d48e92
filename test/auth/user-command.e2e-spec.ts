import { jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { openDatabase } from '../support/open-database.js';
import { runModule } from '../support/run-module.js';
import { otherPassword } from './auth-app.js';

const FILE = new URL('../../src/commands/user.command.ts', import.meta.url);

describe('npm run user', () => {
  const { argv, exitCode, stdin } = process;
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let output: string[];
  beforeAll(async () => {
    opened = await openDatabase();
    process.env.DATABASE_URL = opened.url;
  });
  afterAll(async () => {
    delete process.env.DATABASE_URL;
    process.argv = argv;
    process.exitCode = exitCode;
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    await opened.close();
  });
  beforeEach(() => {
    output = [];
    jest.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
    jest.spyOn(console, 'error').mockImplementation((text) => void output.push(String(text)));
  });
  afterEach(() => jest.restoreAllMocks());

  const run = async (...args: string[]) => {
    process.argv = ['node', FILE.pathname, ...args];
    const value = Readable.from([Buffer.from(`${otherPassword}\n`)]);
    Object.defineProperty(process, 'stdin', { value, configurable: true });
    await runModule(FILE);
    return { code: process.exitCode, output };
  };

  it.each([
    [['add', 'maria', '--role', 'maintainer'], 0],
    [['add', 'maria'], 1],
    [['passwd', 'maria'], 0],
    [['disable', 'maria'], 0],
    [['enable', 'maria'], 0],
    [['disable', 'nobody'], 1],
  ])('%j ends with %i', async (args, code) => {
    expect(await run(...args)).toEqual({ code, output: [expect.stringContaining(args[1]!)] });
  });

  it('does not disable the last enabled admin', async () => {
    await run('add', 'zoe', '--role', 'admin');
    output.length = 0;
    expect(await run('disable', 'zoe')).toEqual({
      code: 1,
      output: ['Account zoe is the last enabled admin. Add or enable another one first.'],
    });
    expect((await run('add', 'yara', '--role', 'admin')).code).toBe(0);
    expect((await run('disable', 'zoe')).code).toBe(0);
  });

  it('leaves the account as the last commands made it', async () => {
    const rows = await opened.database.rows<{ enabled: unknown }>(
      'SELECT username, role, enabled FROM account',
    );
    expect(rows.map((row) => ({ ...row, enabled: Boolean(row.enabled) }))).toEqual([
      { username: 'maria', role: 'maintainer', enabled: true },
      { username: 'zoe', role: 'admin', enabled: false },
      { username: 'yara', role: 'admin', enabled: true },
    ]);
  });
});
