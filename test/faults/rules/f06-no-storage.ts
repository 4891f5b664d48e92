import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertProblem } from '../support/assertions.js';
import { pathOf } from '../support/embedded.js';
import { jsonBody } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { type Measurements, type Rule, SkipRule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';
import { createFolder } from '../support/resources.js';

/** Bytes of the small file system, and of a file on it whose removal frees space. */
const DISK = 3 * 1024 * 1024;
const BALLAST = 1024 * 1024;
/** The unprivileged user `nobody`. */
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
    const reply = await service.request('/health/ready');
    if (reply.status === 200 && jsonBody(reply).status === status) return;
    assert.ok(
      performance.now() - began < 12_000,
      `Ready is ${reply.status} ${reply.text}, not ${status}.${service.tail()}`,
    );
  }
}

/** A full disk: a small file system. */
async function fullDisk(): Promise<Measurements> {
  const disk = createFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]);
  if (mounted.status !== 0) throw new SkipRule('This process may not mount a file system.');
  try {
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(BALLAST));
    const service = await Service.start({ databaseUrl: `sqlite:${join(disk, 'prices.sqlite')}` });
    await service.login();
    let stored = 0;
    let reply = await add(service);
    while (reply.status === 201 && stored++ < 5000) reply = await add(service);
    assertProblem(reply, 503, 'storage_unavailable');
    await assertState(service, 'degraded');
    const list = await service.request('/api/v1/Market/');
    assert.equal(list.status, 200);
    assert.equal(jsonBody<unknown[]>(list).length, stored, 'A rejected write was stored partly.');
    rmSync(join(disk, 'ballast'));
    // Without a write: the service tests the storage periodically.
    await assertState(service, 'ok');
    assert.equal((await add(service)).status, 201);
    await service.stop();
    return { 'full disk': `rejected after ${stored} writes` };
  } finally {
    spawnSync('umount', ['-l', disk]);
  }
}

/** A database file that is read-only for the service. */
async function readOnlyFile(): Promise<Measurements> {
  const first = await Service.start();
  await first.login();
  assert.equal((await add(first)).status, 201);
  await first.stop();
  const path = pathOf(first.databaseUrl);
  const root = process.getuid?.() === 0;
  chmodSync(path, 0o444);
  if (root) {
    // The other user needs access to the parent folders, and write access to the folder for the
    // WAL.
    for (let folder = dirname(path); folder.includes('pds-faults-'); folder = dirname(folder))
      chmodSync(folder, 0o755);
    chownSync(dirname(path), NOBODY, NOBODY);
  }
  const service = await Service.start({ databaseUrl: first.databaseUrl, ...(root ? { uid: NOBODY } : {}) });
  const list = await service.request('/api/v1/Market/');
  assert.equal(jsonBody<unknown[]>(list).length, 1);
  await assertState(service, 'degraded');
  const login = await service.request('/api/auth/login/', {
    method: 'POST',
    body: { username: 'x', password: 'y' },
  });
  assertProblem(login, 503, 'storage_unavailable');
  await service.stop();
  return { 'read-only file': 'reads served' };
}

async function readOnlyServer(): Promise<Measurements> {
  const server = await MariaDb.start();
  await runBuiltCommand('migrate', [], server.url);
  await server.query("CREATE USER app@'127.0.0.1' IDENTIFIED BY 'secret'");
  await server.query("GRANT ALL ON prices.* TO app@'127.0.0.1'");
  const service = await Service.start({ databaseUrl: server.url.replace('root', 'app:secret') });
  await service.login();
  assert.equal((await add(service)).status, 201);
  await server.query('SET GLOBAL read_only = 1');
  assertProblem(await add(service), 503, 'storage_unavailable');
  assert.equal((await service.request('/api/v1/Market/?name=none')).status, 200);
  await assertState(service, 'degraded');
  await server.query('SET GLOBAL read_only = 0');
  await assertState(service, 'ok');
  assert.equal((await add(service)).status, 201);
  await service.stop();
  await server.stop();
  return { 'read_only=1': 'reads served' };
}

export const noStorage: Rule = { id: 'F6', title: 'database file read-only', run: readOnlyFile };
export const noSpace: Rule = { id: 'F6S', title: 'disk full', run: fullDisk };
export const noStorageOnServer: Rule = {
  id: 'F6D',
  title: 'MariaDB read-only',
  needsMariadb: true,
  run: readOnlyServer,
};
