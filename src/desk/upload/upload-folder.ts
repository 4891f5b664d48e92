import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../../config/environment.js';

const PREFIX = 'price-data-uploads-';
const NAME = /^price-data-uploads-[0-9a-f]{32}$/;
/** Names that earlier releases gave, with a digest of the address of the database. */
const FORMER_NAME = /^price-data-uploads-\d*-[0-9a-f]{16}$/;
/** The file in a folder that says whose it is; nobody but the service can read it. */
const OWNER_FILE = 'database';

/**
 * The folder of the uploads, in the system's folder of temporary files. Its name is random and says
 * nothing; all processes of the service find it by a file in it, which names the database without
 * account and password.
 */
export class UploadFolder {
  private readonly database: string;
  /** The name of before, of this database and this account. */
  private readonly former: string;
  private readonly unused: string;
  private found: string | null = null;

  /** @param root the folder of temporary files */
  constructor(
    environment: Environment,
    private readonly root: string,
  ) {
    const { embedded, sqlitePath, databaseServers, databaseUrl } = environment;
    this.database = embedded
      ? resolve(sqlitePath)
      : databaseServers.map(({ host, port, database }) => `${host}:${port}/${database}`).join();
    this.unused = join(root, `${PREFIX}${randomBytes(16).toString('hex')}`);
    const digest = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16);
    this.former = join(root, `${PREFIX}${process.getuid?.() ?? ''}-${digest}`);
  }

  /** Its path; where there is none yet, that of the folder that `make` makes. */
  get path(): string {
    if (this.found === null || !existsSync(this.found)) this.found = this.find();
    return this.found ?? this.unused;
  }

  /** Makes the folder unless there is one; that of an earlier release gets a new name. */
  make(): void {
    if (existsSync(this.path)) return;
    if (isOwn(this.former)) renameSync(this.former, this.unused);
    else mkdirSync(this.unused, { mode: 0o700 });
    writeFileSync(join(this.unused, OWNER_FILE), this.database, { mode: 0o600 });
    // Where another process has created one at the same time, all take the older one.
    this.found = this.find();
    if (this.found !== this.unused) rmSync(this.unused, { recursive: true, force: true });
  }

  /** Gives the folder of an earlier release, if there is one, its new name. */
  adopt(): void {
    if (isOwn(this.former)) this.make();
  }

  /**
   * Removes folders that earlier releases have left, also of former passwords.
   * @param unusedMs milliseconds for which nothing in them may have changed
   */
  removeFormer(unusedMs: number): void {
    for (const name of readdirSync(this.root)) {
      const path = join(this.root, name);
      if (!FORMER_NAME.test(name) || !isOwn(path)) continue;
      const times = [path, ...readdirSync(path).map((each) => join(path, each))].map(changedAt);
      if (Date.now() - Math.max(...times) > unusedMs) rmSync(path, { recursive: true, force: true });
    }
  }

  /** The oldest folder of this database; null where there is none. */
  private find(): string | null {
    const folders = readdirSync(this.root)
      .filter((name) => NAME.test(name))
      .map((name) => join(this.root, name))
      .filter((path) => isOwn(path) && ownerOf(path) === this.database)
      .map((path) => ({ path, since: changedAt(join(path, OWNER_FILE)) }));
    folders.sort((one, other) => one.since - other.since || (one.path < other.path ? -1 : 1));
    return folders[0]?.path ?? null;
  }
}

/** Whether a folder is this account's alone: others may write to the folder of temporary files. */
function isOwn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o077) === 0;
}

/** The database of a folder; null where nothing says which. */
function ownerOf(path: string): string | null {
  try {
    return readFileSync(join(path, OWNER_FILE), 'utf8');
  } catch {
    return null;
  }
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
