import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MariaDb, mariadbInstalled } from '../support/mariadb.js';
import { json } from '../support/http.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Figures, type Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';
import { newFolder } from '../support/workshop.js';

interface Entry {
  id: number;
}

/** Takes a backup while the service writes, and starts another service from it. */
async function roundTrip(source: string, emptyPlace: string): Promise<Figures> {
  const service = await Service.start({ databaseUrl: source });
  await service.login();
  const imported = await runCommand('import/import.command.js', ['prices', writePricesFile(40, 500)], source);
  assert.equal(imported.code, 0, imported.output);
  const file = join(newFolder(), 'backup');
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
  const taken = await runCommand('operations/backup.command.js', [file], source);
  const after = written;
  done = true;
  await writing;
  assert.equal(taken.code, 0, taken.output);

  const restored = await runCommand('operations/restore.command.js', [file], emptyPlace);
  assert.equal(restored.code, 0, restored.output);
  const again = await runCommand('operations/restore.command.js', [file], emptyPlace);
  assert.equal(again.code, 1, 'It was restored over what is there.');
  const copy = await Service.start({ databaseUrl: emptyPlace });
  const prices = '/api/v1/PriceSeriePrice/?page_size=100&format=csv';
  assert.equal((await copy.ask(prices)).text, (await service.ask(prices)).text);
  const names = json<Entry[]>(await copy.ask('/api/v1/Commodity/?search=Written')).length;
  assert.ok(
    names >= before && names <= after + 1,
    `${names} of ${before} to ${after} writes are in the backup.`,
  );
  // Whoever could log in before can do so now.
  assert.equal((await copy.write('POST', '/api/v1/Commodity/', { commodity_name: 'New' })).status, 201);
  await copy.stop();
  await service.stop();
  return { 'backup ms': ms(taken.ms), 'writes meanwhile': after - before };
}

export const backupAndRestore: Rule = {
  id: 'O5',
  title: 'backup while serving, restore into an empty place',
  limit: 180_000,
  async run() {
    const sqlite = () => `sqlite:${join(newFolder(), 'prices.sqlite')}`;
    const figures = await roundTrip(sqlite(), sqlite());
    if (!mariadbInstalled) return { ...figures, MariaDB: 'not tried: it is not installed here' };
    const server = await MariaDb.start();
    await server.query('CREATE DATABASE copy CHARACTER SET utf8mb4');
    assert.equal((await runCommand('database/migrate.command.js', [], server.url)).code, 0);
    const there = await roundTrip(server.url, server.url.replace('/prices', '/copy'));
    await server.stop();
    for (const [name, value] of Object.entries(there)) figures[`${name} (MariaDB)`] = value;
    return figures;
  },
};
