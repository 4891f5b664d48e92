import BetterSqlite3 from 'better-sqlite3';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { entities } from '../../src/entities.js';
import { backup, restore } from '../../src/operations/backup/backup.js';
import { checksums } from '../support/checksum.js';
import { openDatabase } from '../support/open-database.js';
import { onServer } from '../support/engines.js';
import { createTestDatabase, testServerUrl } from '../support/test-database.js';
import { testChange } from '../support/change-set.js';

describe('O5: backup and restore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-backup-'));
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let environment: Environment;
  beforeAll(async () => {
    opened = await openDatabase();
    environment = new Environment({ DATABASE_URL: opened.url });
    await opened.unitOfWork.change(testChange, async (transaction) => {
      for (const name of ['O\'Neill\'s \\ "wheat"', 'Ökotest 🌾', 'tab\there'])
        await transaction.execute('INSERT INTO commodity (name, category) VALUES (?, ?)', [
          name,
          'x'.repeat(100),
        ]);
      await transaction.execute(
        "INSERT INTO fx_rate (currency, date, rate) VALUES ('KES', '2020-01-01', 0.1234567890123)",
      );
    });
  });
  afterAll(async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });

  const restored = async (file: string) => {
    const empty = await createTestDatabase();
    const target = new Environment({ DATABASE_URL: empty.url });
    await restore(target, file);
    const database = new Database(target, entities);
    await database.connect(true);
    const sums = await checksums(database);
    await database.close();
    // The second time it is no longer empty.
    await expect(restore(target, file)).rejects.toThrow(
      testServerUrl === null ? /never overwrites a database/ : /only restored into an empty database/,
    );
    await empty.drop();
    return sums;
  };

  it('say of a backup of the other engine what it is', async () => {
    const [dump, file] = [join(folder, 'dump.sql'), join(folder, 'file.sqlite')];
    writeFileSync(dump, '-- MariaDB dump 10.19  Distrib 10.11.14-MariaDB\n');
    writeFileSync(file, 'SQLite format 3\0');
    const [other, what] =
      testServerUrl === null
        ? [dump, 'a dump of a database server, but DATABASE_URL names an SQLite file']
        : [file, 'an SQLite file, but DATABASE_URL names a database server'];
    const empty = await createTestDatabase();
    await expect(restore(new Environment({ DATABASE_URL: empty.url }), other)).rejects.toThrow(
      `${other} is ${what}: nothing was restored.`,
    );
    await empty.drop();
    for (const path of [dump, file]) rmSync(path);
  });

  it('restore every table, and only the owner can read the backup', async () => {
    const file = join(folder, 'one.backup');
    expect(await backup(environment, file)).toBe(statSync(file).size);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['one.backup']);
    const sums = await checksums(opened.database);
    expect(Object.keys(sums)).toEqual(expect.arrayContaining(['commodity', 'fx_rate', 'migrations']));
    expect(await restored(file)).toEqual(sums);
  });

  it('contain a consistent snapshot while writes go on', async () => {
    const file = join(folder, 'two.backup');
    let going = true;
    let written = 0;
    const writing = (async () => {
      for (; going; await turn())
        await opened.unitOfWork.run(async (transaction) => {
          // Both or neither: a backup without a snapshot could contain one without the other.
          written++;
          await transaction.execute('INSERT INTO source (name) VALUES (?)', [`S${written}`]);
          await transaction.execute("INSERT INTO measure_unit (name, dimension) VALUES (?, 'mass')", [
            `S${written}`,
          ]);
        });
    })();
    await backup(environment, file);
    going = false;
    await writing;
    const empty = await createTestDatabase();
    const target = new Environment({ DATABASE_URL: empty.url });
    await restore(target, file);
    const database = new Database(target, entities);
    await database.connect(true);
    const count = async (table: string) =>
      Number((await database.arrays<[number]>(`SELECT COUNT(*) FROM ${table}`))[0]![0]);
    expect(await count('source')).toBe(await count('measure_unit'));
    await database.close();
    await empty.drop();
  });

  it('never overwrite a file, and reject anything but a complete backup', async () => {
    const file = join(folder, 'taken');
    writeFileSync(file, 'a letter');
    await expect(backup(environment, file)).rejects.toThrow(`${file} already exists`);
    expect(readFileSync(file, 'utf8')).toBe('a letter');
    const empty = await createTestDatabase();
    const target = new Environment({ DATABASE_URL: empty.url });
    await expect(restore(target, file)).rejects.toThrow(
      testServerUrl === null
        ? /is damaged or not a database of this service/
        : /is not a complete database dump/,
    );
    await expect(restore(target, join(folder, 'absent'))).rejects.toThrow('There is no file');
    await expect(backup(environment, join(folder, 'no/such/folder'))).rejects.toThrow('cannot be created');
    await empty.drop();
  });

  it('say of a database without tables of the service that there is nothing in it', async () => {
    const empty = testServerUrl === null ? null : await createTestDatabase();
    const path = join(folder, 'empty.sqlite');
    if (empty === null) new BetterSqlite3(path).exec('VACUUM').close();
    const account = new Environment({ DATABASE_URL: empty?.url ?? `sqlite:${path}` });
    await expect(backup(account, join(folder, 'six.sql'))).rejects.toThrow(
      `${account.databaseName} has no tables of this service: nothing was backed up.`,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('six'))).toEqual([]);
    rmSync(path, { force: true });
    await empty?.drop();
  });

  it('say which folder a file cannot be made in', async () => {
    const file = join(folder, 'missing', 'seven.sql');
    await expect(backup(environment, file)).rejects.toThrow(
      `${file} cannot be created: its folder ${join(folder, 'missing')} cannot be opened (there is no such file or folder).`,
    );
  });

  onServer.it('compress a dump whose name ends in .gz', async () => {
    const file = join(folder, 'three.sql.gz');
    await backup(environment, file);
    expect([...readFileSync(file).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect(await restored(file)).toEqual(await checksums(opened.database));
  });

  it("pass a server's account in a file that only the owner can read, never as an argument", async () => {
    const programs = mkdtempSync(join(tmpdir(), 'pds-programs-'));
    const seen = join(programs, 'seen');
    // A stub of the dump program that records its arguments and options.
    const script = [
      '#!/bin/sh',
      `echo "$@" > ${seen}`,
      'file="${1#--defaults-extra-file=}"',
      `stat -c %a "$file" >> ${seen}`,
      `cat "$file" >> ${seen}`,
      "echo 'CREATE TABLE `migrations` (id INT);'",
      'echo "-- Dump completed"',
    ].join('\n');
    writeFileSync(join(programs, 'mariadb-dump'), script, { mode: 0o755 });
    const account = new Environment({ DATABASE_URL: 'mariadb://prices:p%22a%5Css@db.example:3307/food' });
    const file = join(folder, 'four.sql');
    await backup(account, file, programs);
    expect(readFileSync(file, 'utf8')).toBe('CREATE TABLE `migrations` (id INT);\n-- Dump completed\n');
    const [args, mode, ...options] = readFileSync(seen, 'utf8').trim().split('\n');
    expect(args).not.toMatch(/p"a|prices/);
    expect(args).toMatch(/ --single-transaction .* food$/);
    expect([mode, ...options]).toEqual([
      '600',
      '[client]',
      'host="db.example"',
      'port=3307',
      'protocol=tcp',
      'user="prices"',
      'password="p\\"a\\\\ss"',
    ]);
    rmSync(programs, { recursive: true });
  });

  it('fail without leaving a file when the client program fails, ends early or is missing', async () => {
    const programs = mkdtempSync(join(tmpdir(), 'pds-programs-'));
    const account = new Environment({ DATABASE_URL: 'mysql://root@localhost/food' });
    const file = join(folder, 'five.sql.gz');
    const failing = async (script: string | null) => {
      if (script !== null)
        writeFileSync(join(programs, 'mysqldump'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return backup(account, file, programs).catch((error: Error) => error.message);
    };
    expect(await failing(null)).toMatch(/^Neither mysqldump nor mariadb-dump is installed:/);
    expect(await failing('echo "Access denied" >&2; exit 2')).toBe('mysqldump exited with 2: Access denied');
    expect(await failing('echo "CREATE TABLE t"')).toBe('The dump is incomplete: its last line is missing.');
    expect(readdirSync(folder).filter((name) => name.startsWith('five'))).toEqual([]);
    rmSync(programs, { recursive: true });
  });
});
