import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertProblem, assertDuration } from '../support/assertions.js';
import { summarize } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

export const poolFull: Rule = {
  id: 'F5',
  title: 'pool of one connection, slow query, full queue',
  needsMariadb: true,
  async run(mode) {
    const server = await MariaDb.start();
    await runBuiltCommand('migrate', [], server.url);
    const service = await Service.start({
      databaseUrl: server.url,
      settings: { DATABASE_POOL_SIZE: '1', MAX_CONNECTIONS_PER_ADDRESS: '0' },
    });
    const blocker = await server.connect('prices');
    await blocker.query('LOCK TABLES commodity WRITE');
    const slow = service.request('/api/v1/Commodity/?name=slow');
    await sleep(200);
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, index) => service.request(`/api/v1/Market/?name=m${index}`)),
    );
    await blocker.query('UNLOCK TABLES');
    await blocker.end();
    for (const reply of replies) assertProblem(reply, 503, 'unavailable');
    const result = summarize(replies);
    assertDuration(mode, result.slowestRejection, 2500, 'A rejection');
    assert.equal((await slow).status, 200);
    assert.equal((await service.request('/api/v1/Market/?name=after')).status, 200);
    const lines = service.output.match(/All database connections are busy/g)?.length ?? 0;
    assert.ok(lines >= 1 && lines <= 4, `${lines} log lines.`);
    await service.stop();
    await server.stop();
    return {
      rejected: replies.length,
      'slowest rejection ms': ms(result.slowestRejection),
      'log lines': lines,
    };
  },
};
