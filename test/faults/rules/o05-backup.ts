import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MariaDb } from '../support/mariadb.js';
import { jsonBody } from '../support/http.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Measurements, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';
import { createFolder } from '../support/resources.js';

interface Entry {
  id: number;
}

/** Backs up a database while the service writes, and starts another service from the backup. */
async function roundTrip(source: string, target: string): Promise<Measurements> {
  const service = await Service.start({ databaseUrl: source });
  await service.login();
  const imported = await runBuiltCommand('import', ['prices', writePricesFile(40, 500)], source);
  assert.equal(imported.code, 0, imported.output);
  const file = join(createFolder(), 'backup');
  let done = false;
  let written = 0;
  const writing = (async () => {
    while (!done) {
      const name = `Written ${written}`;
      const reply = await service.write('POST', '/api/v1/Commodity/', { commodity_name: name });
      assert.equal(reply.status, 201, reply.text);
      written++;
      await sleep(10);
    }
  })();
  await sleep(200);
  const before = written;
  const taken = await runBuiltCommand('backup', [file], source);
  const after = written;
  done = true;
  await writing;
  assert.equal(taken.code, 0, taken.output);
  assert.ok(after > before, 'Nothing was written during the backup.');

  const restored = await runBuiltCommand('restore', [file], target);
  assert.equal(restored.code, 0, restored.output);
  const again = await runBuiltCommand('restore', [file], target);
  assert.equal(again.code, 1, 'It overwrote an existing database.');
  const copy = await Service.start({ databaseUrl: target });
  const prices = '/api/v1/PriceSeriePrice/?page_size=100&format=csv';
  assert.equal((await copy.request(prices)).text, (await service.request(prices)).text);
  const names = jsonBody<Entry[]>(await copy.request('/api/v1/Commodity/?search=Written')).length;
  assert.ok(
    names >= before && names <= after + 1,
    `${names} of ${before} to ${after} writes are in the backup.`,
  );
  // The accounts were restored as well.
  assert.equal((await copy.write('POST', '/api/v1/Commodity/', { commodity_name: 'New' })).status, 201);
  await copy.stop();
  await service.stop();
  return { 'backup ms': ms(taken.ms), 'writes meanwhile': after - before };
}

export const backupAndRestore: Rule = {
  id: 'O5',
  title: 'backup while serving, restore into an empty database',
  run: () => {
    const file = () => `sqlite:${join(createFolder(), 'prices.sqlite')}`;
    return roundTrip(file(), file());
  },
};

export const backupAndRestoreOfServer: Rule = {
  id: 'O5D',
  title: 'backup of MariaDB while serving, restore into an empty database',
  needsMariadb: true,
  async run() {
    const server = await MariaDb.start();
    await server.query('CREATE DATABASE copy CHARACTER SET utf8mb4');
    assert.equal((await runBuiltCommand('migrate', [], server.url)).code, 0);
    const measurements = await roundTrip(server.url, server.url.replace('/prices', '/copy'));
    await server.stop();
    return measurements;
  },
};
