import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertProblem, assertWithin } from '../support/assertions.js';
import { MariaDb } from '../support/mariadb.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';

export const databaseAway: Rule = {
  id: 'F1',
  title: 'database down at the start',
  needsMariadb: true,
  async run(mode) {
    const server = await MariaDb.start();
    assert.equal((await runCommand('database/migrate.command.js', [], server.url)).code, 0);
    await server.stop();

    const service = await Service.launch({ databaseUrl: server.url });
    await service.until('/health/live', 200);
    const listening = performance.now() - service.startedAt;
    assertWithin(mode, listening, 3000, 'Listening');
    assertProblem(await service.ask('/health/ready'), 503, 'unavailable');
    for (const path of ['/api/v1/Commodity/', '/api/v1/PriceSerie/', '/api/v1/Market/1/'])
      assertProblem(await service.ask(path), 503, 'unavailable');
    // What needs no database is answered as ever.
    assertProblem(await service.ask('/api/v1/Commodity/?page=0'), 400, 'invalid');
    assertProblem(await service.ask('/api/v1/Nothing/'), 404, 'not_found');
    assertProblem(
      await service.ask('/api/v1/Commodity/', { method: 'POST', body: {} }),
      401,
      'not_authenticated',
    );

    await sleep(2000);
    await server.start();
    const recovery = await service.ready(10_000);
    assert.equal((await service.ask('/api/v1/Commodity/')).status, 200);
    await service.stop();

    await server.query("CREATE USER app@'127.0.0.1' IDENTIFIED BY 'right'");
    await server.query("GRANT ALL ON prices.* TO app@'127.0.0.1'");
    await server.query('CREATE DATABASE empty');
    const refusals: Record<string, [url: string, line: string]> = {
      password: [server.url.replace('root', 'app:wrong'), 'The database refuses the account or its password'],
      name: [server.url.replace('/prices', '/absent'), 'The server has no database of this name'],
      rights: [
        server.url.replace('root', 'app:right').replace('/prices', '/empty'),
        'The database does not let this account use it',
      ],
      schema: [server.url.replace('/prices', '/empty'), 'run `npm run migrate`'],
    };
    for (const [what, [databaseUrl, line]] of Object.entries(refusals)) {
      const refused = await Service.launch({ databaseUrl });
      assert.equal(await refused.end(8000), 1, `${what}:${refused.tail()}`);
      assert.ok(refused.output.includes(line), `${what}:${refused.tail()}`);
      assert.ok(!/right|wrong/.test(refused.output), 'The password was printed.');
    }
    await server.stop();
    return { 'listening ms': ms(listening), 'ready after return ms': ms(recovery) };
  },
};
