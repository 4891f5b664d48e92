import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertProblem, assertDuration } from '../support/assertions.js';
import { MariaDb } from '../support/mariadb.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

export const databaseUnreachable: Rule = {
  id: 'F1',
  title: 'database unreachable at the start',
  needsMariadb: true,
  async run(mode) {
    const server = await MariaDb.start();
    assert.equal((await runBuiltCommand('migrate', [], server.url)).code, 0);
    await server.stop();

    const service = await Service.launch({ databaseUrl: server.url });
    await service.waitForStatus('/health/live', 200);
    const listening = performance.now() - service.startedAt;
    assertDuration(mode, listening, 3000, 'Listening');
    assertProblem(await service.request('/health/ready'), 503, 'unavailable');
    for (const path of ['/api/v1/Commodity/', '/api/v1/PriceSerie/', '/api/v1/Market/1/'])
      assertProblem(await service.request(path), 503, 'unavailable');
    // Requests that need no database are answered as usual.
    assertProblem(await service.request('/api/v1/Commodity/?page=0'), 400, 'invalid');
    assertProblem(await service.request('/api/v1/Nothing/'), 404, 'not_found');
    assertProblem(
      await service.request('/api/v1/Commodity/', { method: 'POST', body: {} }),
      401,
      'not_authenticated',
    );

    await sleep(2000);
    await server.start();
    const recovery = await service.waitUntilReady(10_000);
    assert.equal((await service.request('/api/v1/Commodity/')).status, 200);
    await service.stop();

    await server.query("CREATE USER app@'127.0.0.1' IDENTIFIED BY 'right'");
    await server.query("GRANT ALL ON prices.* TO app@'127.0.0.1'");
    await server.query('CREATE DATABASE empty');
    const unusable: Record<string, [url: string, line: string]> = {
      password: [
        server.url.replace('root', 'app:wrong'),
        'The database server rejected the user name or password',
      ],
      name: [server.url.replace('/prices', '/absent'), 'The database does not exist on the server'],
      rights: [
        server.url.replace('root', 'app:right').replace('/prices', '/empty'),
        'The account has no access to the database',
      ],
      schema: [server.url.replace('/prices', '/empty'), 'run `npm run migrate`'],
    };
    for (const [what, [databaseUrl, line]] of Object.entries(unusable)) {
      const failing = await Service.launch({ databaseUrl });
      assert.equal(await failing.waitForExit(8000), 1, `${what}:${failing.tail()}`);
      assert.ok(failing.output.includes(line), `${what}:${failing.tail()}`);
      assert.ok(!/right|wrong/.test(failing.output), 'The password was printed.');
    }
    await server.stop();
    return { 'listening ms': ms(listening), 'ready after return ms': ms(recovery) };
  },
};
