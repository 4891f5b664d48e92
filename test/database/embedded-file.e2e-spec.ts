import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { backup, restore } from '../../src/operations/backup/backup.js';

describe('F8: the file of the embedded database', () => {
  let folder: string;
  let path: string;
  let environment: Environment;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pds-file-'));
    path = join(folder, 'data', 'prices.sqlite');
    environment = new Environment({ DATABASE_URL: `sqlite:${path}` });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const opened = async (of = environment) => {
    const database = new Database(of, []);
    await database.connect(true);
    return database;
  };
  const emptyFile = () => {
    const empty = join(folder, 'empty.sqlite');
    writeFileSync(empty, '');
    return empty;
  };
  const isEmpty = (file: string) =>
    `${file} is empty, as a full disk or an interrupted copy leaves it. It was not changed: ` +
    'restore a backup to another path, or delete the file to begin with an empty database.';

  it('is created with its folder when it is missing, and nothing else is left there', async () => {
    const database = await opened();
    await database.close();
    expect(readdirSync(join(folder, 'data'))).toEqual(['prices.sqlite']);
  });

  it('F9: has every commit on the disk before it is acknowledged', async () => {
    const database = await opened();
    const { writer } = database;
    const [journal, synchronous] = [
      await writer.query('PRAGMA journal_mode'),
      await writer.query('PRAGMA synchronous'),
    ];
    // FULL is 2: with NORMAL the write-ahead log is not synchronized at each commit.
    expect([journal, synchronous]).toEqual([[{ journal_mode: 'wal' }], [{ synchronous: 2 }]]);
    await database.close();
  });

  it('can be read by its owner only, and so can the files beside it', async () => {
    const database = await opened();
    const modes = readdirSync(join(folder, 'data')).map((name) => [
      name,
      statSync(join(folder, 'data', name)).mode & 0o777,
    ]);
    expect(modes).toEqual([
      ['prices.sqlite', 0o600],
      ['prices.sqlite-shm', 0o600],
      ['prices.sqlite-wal', 0o600],
    ]);
    await database.close();
  });

  it('can be read by its owner only after it was restored from a file that others can read', async () => {
    await (await opened()).close();
    const file = join(folder, 'backup');
    await backup(environment, file);
    chmodSync(file, 0o644);
    const target = join(folder, 'restored.sqlite');
    await restore(new Environment({ DATABASE_URL: `sqlite:${target}` }), file);
    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  it('is rejected and not changed when it is empty', async () => {
    const empty = emptyFile();
    const environmentOfEmpty = new Environment({ DATABASE_URL: `sqlite:${empty}` });
    await expect(opened(environmentOfEmpty)).rejects.toThrow(isEmpty(empty));
    await expect(backup(environmentOfEmpty, join(folder, 'backup'))).rejects.toThrow(isEmpty(empty));
    expect(readFileSync(empty)).toHaveLength(0);
    expect(readdirSync(folder)).toEqual(['empty.sqlite']);
  });

  it('is not restored from an empty file', async () => {
    const empty = emptyFile();
    await expect(restore(environment, empty)).rejects.toThrow(isEmpty(empty));
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });
});
