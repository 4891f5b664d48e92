import { jest } from '@jest/globals';
import { openDatabase } from '../support/open-database.js';
import { runModule } from '../support/run-module.js';

const FILE = new URL('../../src/commands/migrate.command.ts', import.meta.url);
const LAST_THAT_EXCLUDES = 'OutlineDigests1764000000034';

describe('npm run migrate', () => {
  const { argv, exitCode } = process;
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let output: string[];
  beforeAll(async () => {
    opened = await openDatabase();
    await opened.database.close();
    process.env.DATABASE_URL = opened.url;
  });
  beforeEach(() => {
    output = [];
    jest.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    delete process.env.DATABASE_URL;
    [process.argv, process.exitCode] = [argv, exitCode];
    await opened?.drop();
  });

  const run = async () => {
    process.argv = ['node', FILE.pathname];
    await runModule(FILE);
    expect(process.exitCode).toBe(0);
    return output.slice(1);
  };

  it('says that earlier releases can no longer write, once', async () => {
    await opened.database.connect();
    for (const statement of [
      `DELETE FROM migrations WHERE name = '${LAST_THAT_EXCLUDES}'`,
      'UPDATE data_revision SET oldest_writer = 1763900000011',
    ])
      await opened.database.writer.query(statement);
    await opened.database.close();
    expect(await run()).toEqual([
      `Ran ${LAST_THAT_EXCLUDES}.`,
      'The database is now up to date. Earlier releases go on reading it, and can no longer write to it: replace them now.',
    ]);
  });

  it('says that nothing is to be done', async () => {
    expect(await run()).toEqual(['The database is up to date.']);
  });
});
