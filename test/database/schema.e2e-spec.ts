import BetterSqlite3 from 'better-sqlite3';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Environment } from '../../src/config/environment.js';
import { Database, sqliteHandle } from '../../src/database/database.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { driverErrorKind } from '../../src/database/errors/driver-errors.js';
import { migrations } from '../../src/database/migrations/index.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { createTestDatabase } from '../support/test-database.js';

describe('F18: the schema', () => {
  let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeEach(async () => (testDatabase = await createTestDatabase()));
  afterEach(() => testDatabase.drop());

  const open = async () => {
    const database = new Database(new Environment({ DATABASE_URL: testDatabase.url }), entities);
    await database.connect();
    return database;
  };
  const namesOf = async (database: Database) =>
    (await database.rows<{ name: string }>('SELECT name FROM migrations ORDER BY id')).map((row) => row.name);
  const all = migrations.map((migration) => migration.name);

  it('is created once when several processes start on an empty database at the same time', async () => {
    const databases = await Promise.all([open(), open(), open()]);
    const ran = await Promise.all(databases.map((database) => database.migrate()));
    if (!databases[0].embedded) expect(ran.flat()).toEqual(all);
    expect(await namesOf(databases[0])).toEqual(all);
    expect(await databases[0].rows('SELECT revision FROM data_revision')).toEqual([{ revision: 1 }]);
    await Promise.all(databases.map((database) => database.close()));
  }, 20_000);

  it('is completed after a migration that was killed before it was recorded', async () => {
    let database = await open();
    await database.migrate();
    // As after a kill on a server: the tables exist, the record of the migration does not.
    await database.writer.query('DELETE FROM migrations');
    if (database.embedded) {
      // On the embedded engine this cannot happen: a kill rolls everything back.
      await database.close();
      rmSync(testDatabase.url.slice('sqlite:'.length));
      database = await open();
    }
    await database.migrate();
    expect(await namesOf(database)).toEqual(all);
    expect(await database.rows('SELECT id, name FROM price_type ORDER BY id')).toEqual([
      { id: 11, name: 'EXPORT' },
      { id: 12, name: 'RETAIL' },
      { id: 13, name: 'WHOLESALE' },
      { id: 17, name: 'IMPORT' },
    ]);
    await database.close();
  });

  it('is rejected with pending or unknown migrations', async () => {
    let database = await open();
    await database.migrate();
    await database.writer.query('DELETE FROM migrations WHERE name = ?', [
      // One that creates a table.
      'ImportLock1763700000006',
    ]);
    await database.close();
    database = new Database(new Environment({ DATABASE_URL: testDatabase.url }), entities);
    if (!database.embedded) {
      await expect(database.connect(true)).rejects.toThrow(
        'The database has 1 pending migration(s): run `npm run migrate`.',
      );
      await database.connect();
    } else {
      // An embedded database is migrated when opened: the migration finds its tables and fails.
      await expect(database.connect(true)).rejects.toThrow();
      expect(database.connected).toBe(false);
    }
    await database.writer.query("INSERT INTO migrations (timestamp, name) VALUES (1, 'FromTheFuture1')");
    await database.close();
    database = new Database(new Environment({ DATABASE_URL: testDatabase.url }), entities);
    await expect(database.connect(true)).rejects.toThrow(
      'The database has migrations that do not belong to this version (FromTheFuture1) and that are not additions to its schema: it belongs to another version of this service, or to another application. Run that version, or restore a backup from before its migrations.',
    );
    await database.close();
  });

  it('is rejected with newer migrations if one of this release is missing', async () => {
    let database = await open();
    await database.migrate();
    await database.writer.query('DELETE FROM migrations WHERE name = ?', [all.at(-1)]);
    await database.writer.query("INSERT INTO migrations (timestamp, name) VALUES (1, 'Later9999999999999')");
    await database.close();
    database = new Database(new Environment({ DATABASE_URL: testDatabase.url }), entities);
    await expect(database.connect(true)).rejects.toThrow(/\(Later9999999999999\)/);
    await database.close();
  });
});

describe('F8: a file that is not a database of this service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const connectError = async (path: string) => {
    const database = new Database(new Environment({ DATABASE_URL: `sqlite:${path}` }), entities);
    const before = readFileSync(path);
    const error = await database.connect(true).catch((reason: unknown) => reason);
    expect(readFileSync(path).equals(before)).toBe(true);
    return error;
  };

  /** Creates a database of this service. */
  const createDatabase = async (name: string) => {
    const path = join(folder, name);
    const database = new Database(new Environment({ DATABASE_URL: `sqlite:${path}` }), entities);
    await database.connect(true);
    await database.close();
    return path;
  };

  it.each([
    ['an overwritten header', (content: Buffer) => content.fill('x', 0, 100)],
    ['an overwritten page', (content: Buffer) => content.fill('x', 4096, 3 * 4096)],
    ['a text file', () => Buffer.from('This is a letter to my aunt, not a database.'.repeat(50))],
  ])('is rejected and not changed: %s', async (name, damage) => {
    const path = await createDatabase(`${name}.sqlite`);
    writeFileSync(path, damage(readFileSync(path)));
    expect(await connectError(path)).toMatchObject({
      name: 'UnusableDatabaseError',
      message: `${path} is damaged or not a database of this service. It was not changed: restore a backup to another path.`,
    });
  });

  it('is rejected and not changed: a database of another application', async () => {
    const path = join(folder, 'foreign.sqlite');
    const handle = new BetterSqlite3(path);
    handle.exec('CREATE TABLE letter (id INTEGER PRIMARY KEY, text TEXT)');
    handle.close();
    expect(await connectError(path)).toMatchObject({
      name: 'UnusableDatabaseError',
      message: `${path} contains the tables of another application. It was not changed.`,
    });
  });

  it('is rejected for a folder', async () => {
    const path = mkdtempSync(join(tmpdir(), 'pds-test-'));
    const database = new Database(new Environment({ DATABASE_URL: `sqlite:${path}` }), entities);
    await expect(database.connect(true)).rejects.toMatchObject({
      name: 'UnusableDatabaseError',
      message: `${path} cannot be opened (it is a folder).`,
    });
  });

  it('is rejected for an impossible path', async () => {
    const database = new Database(
      new Environment({ DATABASE_URL: 'sqlite:/dev/null/prices.sqlite' }),
      entities,
    );
    await expect(database.connect(true)).rejects.toMatchObject({
      name: 'UnusableDatabaseError',
      message: '/dev/null/prices.sqlite cannot be created: its folder cannot be opened (it is no folder).',
    });
  });
});

describe('F6: storage that rejects writes', () => {
  it('rolls back writes, still serves reads, and is marked unavailable until a write succeeds', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pds-test-')), 'prices.sqlite');
    const database = new Database(new Environment({ DATABASE_URL: `sqlite:${path}` }), entities);
    await database.connect(true);
    const revision = new DataRevision(database);
    await revision.refresh();
    const unitOfWork = new UnitOfWork(database, revision);
    const add = (name: string) =>
      unitOfWork.run((transaction) =>
        transaction.execute('INSERT INTO market (name, iso3_country_code, info) VALUES (?, ?, ?)', [
          name,
          'KEN',
          'x'.repeat(2000),
        ]),
      );
    const count = async () => (await database.arrays<[number]>('SELECT COUNT(*) FROM market'))[0]![0];
    const writer = sqliteHandle(database.writer);

    await add('first');
    writer.pragma(`max_page_count = ${String(writer.pragma('page_count', { simple: true }))}`);
    let failure: unknown = null;
    let stored = 1;
    while (failure === null)
      failure = await add(`market ${stored}`).then(
        () => (stored++, null),
        (error: unknown) => error,
      );
    expect(driverErrorKind(failure)).toBe('storage');
    expect([await count(), database.storageUnavailable]).toEqual([stored, true]);

    writer.pragma('max_page_count = 1000000');
    await add('space again');
    expect([await count(), database.storageUnavailable]).toEqual([stored + 1, false]);

    writer.pragma('query_only = ON');
    expect(driverErrorKind(await add('read-only').catch((error: unknown) => error))).toBe('storage');
    expect([await count(), database.storageUnavailable]).toEqual([stored + 1, true]);
    await database.close();
    rmSync(dirname(path), { recursive: true });
  });
});
