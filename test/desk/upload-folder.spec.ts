import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Environment } from '../../src/config/environment.js';
import { UploadFolder } from '../../src/desk/upload/upload-folder.js';

describe('the folder of uploads', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'pds-folder-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  const URL = 'mariadb://prices:secret@db:3306/prices';
  const folderOf = (url = URL) => new UploadFolder(new Environment({ DATABASE_URL: url }), root);
  const formerName = (url: string) =>
    `price-data-uploads-${process.getuid?.() ?? ''}-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;
  const makeFormer = (url: string) => {
    const path = join(root, formerName(url));
    mkdirSync(path, { mode: 0o700 });
    mkdirSync(join(path, 'upload'));
    return path;
  };

  it('has a random name, which other processes and later starts find', () => {
    const [one, other] = [folderOf(), folderOf()];
    expect(existsSync(one.path)).toBe(false);
    one.make();
    other.make();
    expect(basename(one.path)).toMatch(/^price-data-uploads-[0-9a-f]{32}$/);
    expect([other.path, folderOf().path]).toEqual([one.path, one.path]);
    expect(folderOf('mariadb://prices:another@db:3306/prices').path).toBe(one.path);
    expect(statSync(one.path).mode & 0o777).toBe(0o700);
    expect(readdirSync(root)).toEqual([basename(one.path)]);
    for (const url of ['mariadb://prices:secret@db:3306/others', 'sqlite:./prices.sqlite'])
      expect(folderOf(url).path).not.toBe(one.path);
  });

  it('is none that others may read or write', () => {
    const open = join(root, `price-data-uploads-${'0'.repeat(32)}`);
    mkdirSync(open, { mode: 0o755 });
    writeFileSync(join(open, 'database'), 'db:3306/prices');
    const folder = folderOf();
    folder.make();
    expect(folder.path).not.toBe(open);
  });

  it('keeps the uploads of an earlier release, and removes what former passwords have left', () => {
    makeFormer(URL);
    const left = makeFormer('mariadb://prices:former@db:3306/prices');
    const folder = folderOf();
    folder.adopt();
    expect(readdirSync(folder.path).sort()).toEqual(['database', 'upload']);
    folder.removeFormer(60_000);
    expect(existsSync(left)).toBe(true);
    const past = new Date(Date.now() - 61_000);
    for (const path of [left, join(left, 'upload')]) utimesSync(path, past, past);
    folder.removeFormer(60_000);
    expect(readdirSync(root)).toEqual([basename(folder.path)]);
  });
});
