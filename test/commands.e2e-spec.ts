import { jest } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runModule } from './support/run-module.js';

const commands = {
  import: '../src/commands/import.command.ts',
  user: '../src/commands/user.command.ts',
  migrate: '../src/commands/migrate.command.ts',
  backup: '../src/commands/backup.command.ts',
  restore: '../src/commands/restore.command.ts',
  sample: '../src/commands/sample.command.ts',
  revert: '../src/commands/revert.command.ts',
  findings: '../src/commands/findings.command.ts',
  edition: '../src/commands/edition.command.ts',
};

/** Commands that need no arguments. */
const BARE = ['migrate', 'findings'];

/** Arguments of the commands that work on a database that there is; undefined for the others. */
const argumentsFor = (name: string): ((folder: string) => string[]) | undefined =>
  ({
    migrate: () => [],
    backup: (folder: string) => [join(folder, 'backup.sqlite')],
    sample: () => ['remove'],
    revert: () => ['1'],
    findings: () => [],
    edition: () => ['--title', 'First'],
  })[name];

/** Error 1045 in the protocol of MariaDB and MySQL, which ends a connection. */
const ACCESS_DENIED = Buffer.from('\x0b\0\0\0\xff\x15\x04#28000no', 'latin1');

describe.each(Object.entries(commands))('npm run %s', (name, file) => {
  const { argv, exitCode } = process;
  let folder: string;
  let output: string[];
  let errors: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pds-command-'));
    process.env.DATABASE_URL = `sqlite:${join(folder, 'prices.sqlite')}`;
    [output, errors] = [[], []];
    jest.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
    jest.spyOn(console, 'error').mockImplementation((text) => void errors.push(String(text)));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const variable of ['DATABASE_URL', 'TRACEPARENT', 'TRACESTATE']) delete process.env[variable];
    process.argv = argv;
    process.exitCode = exitCode;
    rmSync(folder, { recursive: true });
  });

  const run = async (...args: string[]) => {
    process.argv = ['node', file, ...args];
    await runModule(new URL(file, import.meta.url));
    return process.exitCode;
  };
  const usage = new RegExp(`^Usage: npm run ${name}( |$)`, 'm');

  it.each(['--help', '-h'])('prints its usage with %s, and does nothing else', async (option) => {
    expect(await run(option)).toBe(0);
    expect(errors).toEqual([]);
    expect(output.join('\n')).toMatch(usage);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('prints its usage with invalid arguments, and does nothing else', async () => {
    expect(await run('one', 'two', 'three')).toBe(2);
    expect(output).toEqual([]);
    expect(errors.join('\n')).toMatch(usage);
    expect(readdirSync(folder)).toEqual([]);
  });

  if (name === 'import') {
    it('rejects a missing file before it opens the database', async () => {
      const file = join(folder, 'absent.csv');
      expect(await run('prices', file)).toBe(1);
      expect(errors).toEqual([`There is no file ${file}.`]);
      expect(readdirSync(folder)).toEqual([]);
    });

    it('sends the trace of the environment on with the download of a URL', async () => {
      const received: unknown[] = [];
      const server = createServer(({ headers: { traceparent, tracestate } }, response) => {
        received.push({ traceparent, tracestate });
        response.writeHead(404).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.csv`;
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      process.env.TRACEPARENT = traceparent;
      process.env.TRACESTATE = 'a=1';
      expect(await run('prices', url)).toBe(1);
      expect(errors).toEqual([`${url} returned status 404.`]);
      expect(received).toEqual([{ traceparent, tracestate: 'a=1' }]);
      expect(readdirSync(folder)).toEqual([]);
      await new Promise((resolve) => server.close(resolve));
    });
  }

  const ofExisting = argumentsFor(name);
  if (ofExisting !== undefined) {
    it('makes no database where there is none, and says where it looked', async () => {
      expect(await run(...ofExisting(folder))).toBe(1);
      expect(errors).toEqual([
        `There is no database at ${join(folder, 'prices.sqlite')}, the file of DATABASE_URL. The service makes it at its first start; if it has another one, run the command with the settings of the service.`,
      ]);
      expect(readdirSync(folder)).toEqual([]);
    });
  }

  if (ofExisting !== undefined) {
    it('says which server cannot be reached, and why', async () => {
      process.env.DATABASE_URL = 'mariadb://me:secret@127.0.0.1:9/prices';
      expect(await run(...ofExisting(folder))).toBe(1);
      expect(errors).toEqual([
        'prices on 127.0.0.1:9 cannot be reached (ECONNREFUSED): check DATABASE_URL, and whether the server runs.',
      ]);
      expect(readdirSync(folder)).toEqual([]);
    });

    it('says why a server rejects the account', async () => {
      const server = createTcpServer((socket) => socket.end(ACCESS_DENIED).on('error', () => undefined));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      process.env.DATABASE_URL = `mariadb://me:secret@127.0.0.1:${port}/prices`;
      expect(await run(...ofExisting(folder))).toBe(1);
      expect(errors).toEqual([
        `The database server rejected the user name or password (prices on 127.0.0.1:${port}): check DATABASE_URL.`,
      ]);
      expect(readdirSync(folder)).toEqual([]);
      await new Promise((resolve) => server.close(resolve));
    });
  }

  if (!BARE.includes(name)) {
    it('prints its usage without arguments, and does nothing else', async () => {
      expect(await run()).toBe(2);
      expect(errors.join('\n')).toMatch(usage);
      expect(readdirSync(folder)).toEqual([]);
    });
  }
});
