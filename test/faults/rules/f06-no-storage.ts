import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertProblem } from '../support/assertions.js';
import { fileOf } from '../support/embedded.js';
import { json } from '../support/http.js';
import { MariaDb, mariadbInstalled } from '../support/mariadb.js';
import type { Figures, Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';
import { newFolder } from '../support/workshop.js';

/** Bytes of the small file system, and of the file on it whose removal makes room again. */
const DISK = 3 * 1024 * 1024;
const BALLAST = 1024 * 1024;
/** A user that may read everything here and own nothing. */
const NOBODY = 65534;

let names = 0;
const add = (service: Service) =>
  service.write('POST', '/api/v1/Market/', {
    market_name: `Market ${++names}`,
    market_iso3_country_code: 'KEN',
    market_info: 'x'.repeat(2000),
  });

async function assertState(service: Service, status: string): Promise<void> {
  const began = performance.now();
  for (;;) {
    const reply = await service.ask('/health/ready');
    if (reply.status === 200 && json(reply).status === status) return;
    assert.ok(
      performance.now() - began < 12_000,
      `Ready is ${reply.status} ${reply.text}, not ${status}.${service.tail()}`,
    );
  }
}

/** A disk that is truly full: a small file system of its own, where this may be mounted. */
async function fullDisk(): Promise<Figures> {
  const disk = newFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]);
  if (mounted.status !== 0) return { 'full disk': 'not tried: a file system may not be mounted here' };
  try {
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(BALLAST));
    const service = await Service.start({ databaseUrl: `sqlite:${join(disk, 'prices.sqlite')}` });
    await service.login();
    let stored = 0;
    let reply = await add(service);
    while (reply.status === 201 && stored++ < 5000) reply = await add(service);
    assertProblem(reply, 503, 'storage_unavailable');
    await assertState(service, 'degraded');
    const list = await service.ask('/api/v1/Market/');
    assert.equal(list.status, 200);
    assert.equal(json<unknown[]>(list).length, stored, 'A refused write has left something.');
    rmSync(join(disk, 'ballast'));
    // By itself: the service tries the storage again now and then.
    await assertState(service, 'ok');
    assert.equal((await add(service)).status, 201);
    await service.stop();
    return { 'full disk': `refused after ${stored} writes` };
  } finally {
    spawnSync('umount', ['-l', disk]);
  }
}

/** A file that the service may only read. */
async function readOnlyFile(): Promise<Figures> {
  const first = await Service.start();
  await first.login();
  assert.equal((await add(first)).status, 201);
  await first.stop();
  const path = fileOf(first.databaseUrl);
  const root = process.getuid?.() === 0;
  chmodSync(path, 0o444);
  if (root) {
    // The folders above must be open to the other user, and its own folder writable for SQLite's side files.
    for (let folder = dirname(path); folder.includes('pds-faults-'); folder = dirname(folder))
      chmodSync(folder, 0o755);
    chownSync(dirname(path), NOBODY, NOBODY);
  }
  const service = await Service.start({ databaseUrl: first.databaseUrl, ...(root ? { uid: NOBODY } : {}) });
  const list = await service.ask('/api/v1/Market/');
  assert.equal(json<unknown[]>(list).length, 1);
  await assertState(service, 'degraded');
  const login = await service.ask('/api/auth/login/', {
    method: 'POST',
    body: { username: 'x', password: 'y' },
  });
  assertProblem(login, 503, 'storage_unavailable');
  await service.stop();
  return { 'read-only file': 'reads served' };
}

async function readOnlyServer(): Promise<Figures> {
  if (!mariadbInstalled) return { 'read_only=1': 'not tried: MariaDB is not installed here' };
  const server = await MariaDb.start();
  await runCommand('database/migrate.command.js', [], server.url);
  await server.query("CREATE USER app@'127.0.0.1' IDENTIFIED BY 'secret'");
  await server.query("GRANT ALL ON prices.* TO app@'127.0.0.1'");
  const service = await Service.start({ databaseUrl: server.url.replace('root', 'app:secret') });
  await service.login();
  assert.equal((await add(service)).status, 201);
  await server.query('SET GLOBAL read_only = 1');
  assertProblem(await add(service), 503, 'storage_unavailable');
  assert.equal((await service.ask('/api/v1/Market/?name=none')).status, 200);
  await assertState(service, 'degraded');
  await server.query('SET GLOBAL read_only = 0');
  await assertState(service, 'ok');
  assert.equal((await add(service)).status, 201);
  await service.stop();
  await server.stop();
  return { 'read_only=1': 'reads served' };
}

export const noStorage: Rule = {
  id: 'F6',
  title: 'database read-only or disk full',
  run: async () => ({ ...(await fullDisk()), ...(await readOnlyFile()), ...(await readOnlyServer()) }),
};
